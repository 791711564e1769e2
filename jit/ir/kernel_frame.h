// SPDX-License-Identifier: Apache-2.0

// Memory that a kernel asks of the worker besides Workgroup storage: matrices and arrays too
// large for the stack, packed operands, values that live across barriers. One frame per subgroup;
// where a kernel has no barrier its subgroups run one after another and share one.
#pragma once

#include <cstdint>

namespace jit {

class KernelFrame {
 public:
  KernelFrame() = default;
  explicit KernelFrame(uint64_t bytes) : bytes_(bytes) {}

  // Offset in bytes from the subgroup's frame pointer, which is 64-byte aligned.
  uint64_t allocate(uint64_t bytes, uint64_t alignment) {
    bytes_ = (bytes_ + alignment - 1) / alignment * alignment;
    uint64_t offset = bytes_;
    bytes_ += bytes;
    return offset;
  }
  // Size of one subgroup's frame, a multiple of 64.
  uint64_t bytes() const { return (bytes_ + 63) / 64 * 64; }

 private:
  uint64_t bytes_ = 0;
};

}  // namespace jit

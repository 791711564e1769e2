// SPDX-License-Identifier: Apache-2.0

// Pages that processes can share: a file in memory, handed on by its descriptor.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

namespace rt {

// Owns the descriptor of a file whose size is fixed for good: nobody who has it can take pages away
// from those who have mapped it. Movable.
class SharedFile {
 public:
  SharedFile() = default;  // none
  SharedFile(SharedFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  SharedFile& operator=(SharedFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~SharedFile();

  // Zeros, whole pages. Nothing when the system refuses.
  static std::optional<SharedFile> create(uint64_t bytes);
  // Takes over a descriptor that duplicate() of this or another process gave. Nothing, and it stays
  // the caller's, if it is not that of a file that create() would make for so many bytes.
  static std::optional<SharedFile> adopt(int descriptor, uint64_t bytes);

  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }  // stays this object's
  int duplicate() const;                // the caller's; -1 when the process may have no more
  void release() { descriptor_ = -1; }  // the descriptor is the caller's again

 private:
  explicit SharedFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

}  // namespace rt

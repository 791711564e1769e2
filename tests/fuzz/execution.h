// SPDX-License-Identifier: Apache-2.0

// Runs a kernel like a device with robust accesses and a watchdog would, in a process of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "jit/compiler.h"
#include "tests/fuzz/guarded_memory.h"

namespace fuzz {

// Memory that a kernel may touch, at its start the same whenever it is made from the same
// arguments.
class Execution {
 public:
  // `bindings` are the kernel's; `seed` decides sizes and contents of buffers.
  Execution(const jit::Kernel& kernel, std::span<const jit::BindingLayout> bindings, uint64_t seed);

  enum class End : uint8_t {
    Returned,
    Stopped,
    Failed,
  };
  // Runs some workgroups in a forked process; once. Failed: `failure` says what happened.
  End run();

  const std::string& failure() const { return failure_; }
  // The first word of a buffer that differs between two runs; empty when there is none.
  static std::string difference(const Execution& a, const Execution& b);

  struct Shared;  // what the process that runs the kernel hears and tells

 private:
  struct Buffer {
    std::string name;
    GuardedMemory memory;
  };

  void makeBuffers(std::span<const jit::BindingLayout> bindings, uint64_t seed);
  [[noreturn]] void runHere();
  bool waitFor(int process, int pipe, bool& stopped, int& status);
  End judge(const GuardedMemory& workgroup, int status);
  const Buffer* bufferNear(const void* address) const;

  const jit::Kernel& kernel_;
  std::vector<Buffer> buffers_;
  std::vector<Buffer> sets_;
  GuardedMemory arguments_, workgroup_memory_, scratch_, shared_;
  std::string failure_;
};

}  // namespace fuzz

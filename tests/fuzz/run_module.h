// SPDX-License-Identifier: Apache-2.0

// What is done with a module under test that compiles: it runs, in a process of its own, on memory
// with guards around it, and on two instruction sets.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "jit/compiler.h"
#include "tests/fuzz/execution.h"

namespace fuzz {

struct Verdict {
  enum class End : uint8_t {
    Refused,  // no entry point could be compiled
    Skipped,  // it would use addresses, which nobody checks
    Stopped,  // some entry point ran until the watchdog ended it; there is nothing to compare
    Ran,      // all that compiled came to an end, and gave the same on both instruction sets
    Differs,  // ran, and gave something else
    Failed,   // a fault, a guard that was written to, a watchdog that did not help, a defect
  };
  End end;
  std::string text;  // of the last two
};

class ModuleRunner {
 public:
  // Every compute entry point: compiled with robust accesses and a watchdog, with numerics that are
  // the same everywhere, for the reference and the machine's best instruction set; and run on the
  // same memory. How else depends on the module's words alone.
  Verdict run(std::span<const uint32_t> words);

 private:
  jit::Compiler& compiler(rt::Isa isa);
  // The kernel; null where it is refused, with the reason of a defect in `defect`.
  std::shared_ptr<const jit::Kernel> compile(rt::Isa isa, const jit::KernelRequest& request,
                                             std::string& defect);

  std::array<std::unique_ptr<jit::Compiler>, 2> compilers_;
};

}  // namespace fuzz

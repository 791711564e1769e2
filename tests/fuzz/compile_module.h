// SPDX-License-Identifier: Apache-2.0

// What is done with a module under test: compiled like a client would, whatever it holds.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "jit/compiler.h"

namespace fuzz {

class ModuleCompiler {
 public:
  // Compiles every compute entry point, in a way (instruction set, numerics, subgroup size,
  // robustness, kind of uniform descriptors) that depends on the module's words alone. Instruction
  // sets that the machine lacks are replaced by its best. Empty when each was compiled or refused;
  // the message of an internal error otherwise. A crash is a crash.
  std::string compile(std::span<const uint32_t> words);

 private:
  jit::Compiler& compiler(rt::Isa isa, bool exact);

  static constexpr size_t kIsas = static_cast<size_t>(rt::Isa::Amx) + 1;
  std::array<std::array<std::unique_ptr<jit::Compiler>, 2>, kIsas> compilers_;
};

}  // namespace fuzz

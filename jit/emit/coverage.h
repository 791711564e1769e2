// SPDX-License-Identifier: Apache-2.0

// Which blocks and branches are reached (TESSERA_COVERAGE): bytes that the kernel sets, numbered as
// jit/coverage_map.h says. Where it is off, nothing is done. Internal to jit/emit.
#pragma once

#include <cstdint>

namespace llvm {
class Value;
}  // namespace llvm

namespace jit::spirv {

class Emission;

class Coverage {
 public:
  explicit Coverage(Emission& e) : e_(e) {}

  bool isOn() const;

  // At the start of a block's code, which runs only for somebody.
  void block(uint32_t number) const;
  // Where a block branches to its successor `branch`. `lanes`: those who do; null: all that are
  // live.
  void branch(uint32_t block, uint32_t branch, llvm::Value* lanes) const;

 private:
  void set(llvm::Value* flag) const;

  Emission& e_;
};

}  // namespace jit::spirv

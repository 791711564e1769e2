// SPDX-License-Identifier: Apache-2.0

// Loads of which nobody can tell when, and how often, they are made, as long as nothing is written.
// Internal to jit/spirv.
#pragma once

#include <llvm/ADT/DenseSet.h>

#include "jit/spirv/module.h"

namespace jit::spirv {

class PlainLoads {
 public:
  explicit PlainLoads(const Module& module);

  // A load of a scalar or vector, not volatile, not coherent, and not with operands of the memory
  // model. `base`: what the chain of its pointer begins at.
  bool isPlainLoad(const Instruction& i, Id base) const;
  // Whether an instruction may write, or wait for others that write.
  bool mayWrite(const Instruction& i) const;
  // Whether an instruction of an extended set has no effects and is the same everywhere.
  bool isPureExtended(const Instruction& i) const;

 private:
  const Module& module_;
  llvm::DenseSet<Id> plain_;  // variables
};

}  // namespace jit::spirv

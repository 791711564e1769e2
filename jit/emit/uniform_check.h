// SPDX-License-Identifier: Apache-2.0

// The check of what invocations have to do together (TESSERA_CHECK=uniform): barriers and matrix
// operations that all of a scope must come to, operands that must be the same for all, and loops
// that wait for what cannot come. Where it is off, or what is emitted belongs to no instruction,
// nothing is done. Internal to jit/emit.
//
// What analysis knows (analysis/uniformity.h) is not tested: code of the whole workgroup or
// subgroup has no tests. Values from invocations that are not active: spirv/inactive_sources.h.
#pragma once

#include "jit/emit/values.h"
#include "runtime/kernel_library/check_uniform.h"

namespace llvm {
class AllocaInst;
class Instruction;
}  // namespace llvm

namespace jit::spirv {

class Emission;

class UniformCheck {
 public:
  explicit UniformCheck(Emission& e) : e_(e) {}

  bool isOn() const;

  // At the start of the kernel's code, and at its end, before it returns.
  void begin() const;
  void end(llvm::Instruction& before) const;

  // At a barrier of the workgroup or of the subgroup. `waits`: for the others.
  void barrier(spv::Scope scope, bool waits) const;
  // At an operation on cooperative matrices.
  void matrix() const;

  // Of an operand: a scalar, or a vector with a value for each invocation.
  void operand(llvm::Value* value, rt::UniformOperand which) const;
  void operands(llvm::ArrayRef<llvm::Value*> values, rt::UniformOperand which) const;
  // Of the selector or the ballot of a group instruction that must be the same for all.
  llvm::Error groupOperand(const Instruction& i) const;
  // An access chain's index that chooses a descriptor.
  void descriptor(llvm::Value* index, const Instruction& chain) const;

  // A loop that waits (analysis/waiting_loop.h): where it is entered (`loop_mask`: by whom; null:
  // by all who are live), at the start of each round, and behind each instruction. At a round's
  // start there may be a condition, i1, for the kernel to return; null: none.
  void enterLoop(uint32_t header, llvm::AllocaInst* loop_mask) const;
  llvm::Value* startRound(uint32_t header) const;
  void followed(const Instruction& i) const;
  // Whether the kernel has a loop that may wait for another workgroup.
  bool waits() const;

 private:
  void operandOfQuads(llvm::Value* value, rt::UniformOperand which) const;
  void reportIf(llvm::Value* lanes, rt::UniformOperand which) const;
  void presence(rt::UniformRule rule) const;
  void call(llvm::StringRef function, llvm::ArrayRef<llvm::Value*> numbers) const;
  bool recordsBarriers() const;

  Emission& e_;
};

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// Instructions for an instruction stream's invocations at a time: those of a subgroup, of the whole
// workgroup in a workgroup-wide stream, or, while a part of that is emitted
// (jit/emit/emit_subgroups.cpp), of one of its subgroups. A value that is the same for all of them
// is an LLVM scalar, a varying one a vector with an element for each.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace jit::simt {

// Masks of up to so many invocations are one integer of the machine.
inline constexpr uint32_t kMaskWordBits = 64;

class SimtBuilder {
 public:
  SimtBuilder(llvm::LLVMContext& context, uint32_t width) : ir(context), width(width) {}

  llvm::IRBuilder<> ir;
  uint32_t width;               // invocations, lanes without one among them
  llvm::Value* mask = nullptr;  // live invocations, <width x i1>; null: all of them

  bool isVarying(const llvm::Value* v) const { return v->getType()->isVectorTy(); }
  llvm::FixedVectorType* vectorOf(llvm::Type* scalar) const {
    return llvm::FixedVectorType::get(scalar, width);
  }
  llvm::Type* scalarOf(llvm::Value* v) const { return v->getType()->getScalarType(); }
  // A uniform value for every invocation; a varying one as it is.
  llvm::Value* broadcast(llvm::Value* v);
  // Makes both operands varying when one is.
  void unify(llvm::Value*& a, llvm::Value*& b);
  // <0, 1, ..., width-1> of an integer type.
  llvm::Constant* laneIndices(llvm::Type* scalar) const;
  llvm::Value* fullMask() const;         // the mask, also when it is null
  llvm::Value* any(llvm::Value* lanes);  // i1: some element is set
  // A predicate, uniform or varying, for each invocation: false for those that are not live.
  llvm::Value* amongLive(llvm::Value* predicate);
  // Index (i32) of the first live invocation. Blocks run only when there is one.
  llvm::Value* firstLive();
  // The value of invocation `index`, an integer; a uniform value as it is. Where the width is a
  // power of two, as a subgroup's is, the index is taken modulo the width.
  llvm::Value* lane(llvm::Value* v, llvm::Value* index);
  // The value of the first live invocation; a uniform value as it is.
  llvm::Value* uniform(llvm::Value* v);
  // Bits of an i1 vector as an integer of `width` bits, element 0 lowest, and back.
  llvm::Value* bits(llvm::Value* lanes);
  llvm::Value* lanesOfBits(llvm::Value* bits);
  // What lanes that are not live hold may be anything, `poison` too. Where it is looked at, it has
  // to be some value.
  llvm::Value* settled(llvm::Value* v);
  llvm::Value* call(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments);
};

}  // namespace jit::simt

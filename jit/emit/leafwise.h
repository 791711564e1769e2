// SPDX-License-Identifier: Apache-2.0

// Emitting an instruction that works on each scalar of its operands alone.
#pragma once

#include "jit/emit/emission.h"

namespace jit::spirv {

// result[k] = function(leaf k of the value of `id`).
template <typename Function>
llvm::Error mapLeaves(Emission& e, const Instruction& i, Id id, Function function) {
  llvm::Expected<Value> a = e.value(id);
  if (!a) return a.takeError();
  Value result{i.type, {}};
  for (llvm::Value* leaf : a->leaves) result.leaves.push_back(function(leaf));
  e.setValue(i, std::move(result));
  return llvm::Error::success();
}

// result[k] = function(operand[k]).
template <typename Function>
llvm::Error mapUnary(Emission& e, const Instruction& i, Function function) {
  return mapLeaves(e, i, i.operands[0], function);
}

// result[k] = function(a[k], b[k]), both uniform or both varying.
template <typename Function>
llvm::Error mapBinary(Emission& e, const Instruction& i, Function function) {
  llvm::Expected<Value> a = e.value(i.operands[0]);
  if (!a) return a.takeError();
  llvm::Expected<Value> b = e.value(i.operands[1]);
  if (!b) return b.takeError();
  if (a->leaves.size() != b->leaves.size())
    return e.unsupportedAt(i, "operands of different types");
  Value result{i.type, {}};
  for (size_t k = 0; k < a->leaves.size(); ++k) {
    llvm::Value *x = a->leaves[k], *y = b->leaves[k];
    e.simt.unify(x, y);
    result.leaves.push_back(function(x, y));
  }
  e.setValue(i, std::move(result));
  return llvm::Error::success();
}

// A constant of the type of `like`, which may be a vector.
inline llvm::Constant* integerLike(const llvm::Value* like, uint64_t value) {
  llvm::Type* type = like->getType();
  return llvm::ConstantInt::get(type, integerBits(type->getScalarSizeInBits(), value));
}

// The integer type with the bits and number of elements of a leaf's type.
inline llvm::Type* integerTypeLike(const llvm::Value* like) {
  llvm::Type* type = like->getType();
  llvm::Type* scalar = llvm::Type::getIntNTy(type->getContext(), type->getScalarSizeInBits());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return llvm::FixedVectorType::get(scalar, vector->getNumElements());
  return scalar;
}

// `scalar`, or a vector of it with as many elements as `like` has.
inline llvm::Type* shapedLike(const llvm::Value* like, llvm::Type* scalar) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(like->getType()))
    return llvm::FixedVectorType::get(scalar, vector->getNumElements());
  return scalar;
}

// first, first + step, ...: for shuffles.
inline llvm::SmallVector<int, 128> sequence(uint32_t first, uint32_t count, uint32_t step) {
  llvm::SmallVector<int, 128> mask;
  for (uint32_t k = 0; k < count; ++k) mask.push_back(static_cast<int>(first + k * step));
  return mask;
}

// A power of two of vectors, one behind the other.
inline llvm::Value* joined(llvm::IRBuilder<>& ir, llvm::SmallVector<llvm::Value*, 16> parts) {
  while (parts.size() > 1) {
    llvm::SmallVector<llvm::Value*, 16> pairs;
    for (size_t k = 0; k + 1 < parts.size(); k += 2) {
      auto* type = llvm::cast<llvm::FixedVectorType>(parts[k]->getType());
      pairs.push_back(ir.CreateShuffleVector(parts[k], parts[k + 1],
                                             sequence(0, 2 * type->getNumElements(), 1)));
    }
    parts = std::move(pairs);
  }
  return parts[0];
}

}  // namespace jit::spirv

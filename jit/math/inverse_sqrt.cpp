// SPDX-License-Identifier: Apache-2.0

#include "jit/math/inverse_sqrt.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/ir/lanes.h"

namespace jit::math {
namespace {

constexpr uint32_t kLanes = 16;  // of a 512-bit register

// Of a scalar or a part of a register: the same estimate as in a row of lanes, so that results do
// not depend on what is uniform.
Term estimateInFirstLanes(Term x) {
  llvm::IRBuilderBase& builder = x.builder();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x.type());
  llvm::Value* row = nullptr;
  llvm::SmallVector<int, kLanes> mask;
  if (vector) {
    for (uint32_t l = 0; l < kLanes; ++l)
      mask.push_back(static_cast<int>(l % vector->getNumElements()));
    row = builder.CreateShuffleVector(x.value(), mask);
  } else {
    row = builder.CreateVectorSplat(kLanes, x.value());
  }
  llvm::Value* estimates = builder.CreateIntrinsic(
      llvm::Intrinsic::x86_avx512_rsqrt14_ps_512, {},
      {row, llvm::Constant::getNullValue(row->getType()), builder.getInt16(0xffff)});
  if (!vector) return x.with(builder.CreateExtractElement(estimates, uint64_t{0}));
  mask.resize(vector->getNumElements());
  return x.with(builder.CreateShuffleVector(estimates, mask));
}

// Relative error below 2^-14; exact for zeros and infinities, NaN below zero.
Term estimate(Term x) {
  llvm::IRBuilderBase& builder = x.builder();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x.type());
  if (!vector || vector->getNumElements() < kLanes) return estimateInFirstLanes(x);
  const uint32_t lanes = vector->getNumElements();
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (uint32_t first = 0; first < lanes; first += kLanes) {
    llvm::Value* part = lanes == kLanes ? x.value() : slice(builder, x, first, kLanes);
    parts.push_back(builder.CreateIntrinsic(
        llvm::Intrinsic::x86_avx512_rsqrt14_ps_512, {},
        {part, llvm::Constant::getNullValue(part->getType()), builder.getInt16(0xffff)}));
  }
  return x.with(llvm::concatenateVectors(builder, parts));
}

}  // namespace

Term inverseSqrt(const Target& target, Term x) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x.type());
  const uint32_t lanes = vector ? vector->getNumElements() : 1;
  const bool fits = lanes % kLanes == 0 || kLanes % lanes == 0;
  if (!fits || !target.features.avx512f || target.exact) return 1.0 / sqrt(x);
  auto multiplyAdd = [&](Term a, Term b, Term c) {
    return x.with(x.builder().CreateIntrinsic(llvm::Intrinsic::fma, {x.type()}, {a, b, c}));
  };
  Term y = estimate(x);
  Term error = multiplyAdd(-(x * y), y, x.number(1));
  Term refined = multiplyAdd(y * 0.5, error, y);
  return select(error.isNan(), y, refined);
}

}  // namespace jit::math

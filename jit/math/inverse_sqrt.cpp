#include "jit/math/inverse_sqrt.h"

#include <llvm/IR/IntrinsicsX86.h>

#include "jit/math/lanes.h"

namespace jit::math {
namespace {

constexpr uint32_t kLanes = 16;  // of a 512-bit register

// Relative error below 2^-14; exact for zeros and infinities, NaN below zero.
Term estimate(Term x) {
  llvm::IRBuilderBase& builder = x.builder();
  const uint32_t lanes = llvm::cast<llvm::FixedVectorType>(x.type())->getNumElements();
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (uint32_t first = 0; first < lanes; first += kLanes) {
    llvm::Value* part = lanes == kLanes ? x.value() : slice(builder, x, first, kLanes);
    parts.push_back(builder.CreateIntrinsic(
        llvm::Intrinsic::x86_avx512_rsqrt14_ps_512, {},
        {part, llvm::Constant::getNullValue(part->getType()), builder.getInt16(0xffff)}));
  }
  return x.with(concatenate(builder, parts));
}

}  // namespace

Term inverseSqrt(const Target& target, Term x) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x.type());
  if (!vector || vector->getNumElements() % kLanes != 0 || !target.features.avx512f || target.exact)
    return 1.0 / sqrt(x);
  auto multiplyAdd = [&](Term a, Term b, Term c) {
    return x.with(x.builder().CreateIntrinsic(llvm::Intrinsic::fma, {x.type()}, {a, b, c}));
  };
  Term y = estimate(x);
  Term error = multiplyAdd(-(x * y), y, x.number(1));
  Term refined = multiplyAdd(y * 0.5, error, y);
  return select(error.isNan(), y, refined);
}

}  // namespace jit::math

// SPDX-License-Identifier: Apache-2.0

// sin, cos, tan: x = n pi/2 + r with r in [-pi/4, pi/4], polynomials in r.
#include <llvm/IR/Module.h>

#include <cmath>

#include "jit/ir/vector_data.h"
#include "jit/math/function_body.h"
#include "jit/math/polynomials.h"

namespace jit::math {
namespace {

struct Reduced {
  Term r;         // float
  Term quadrant;  // i32: n, of which the low two bits are right
};

constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1, kHalfPi = 0x1.921fb54442d18p0;

// Up to here, n times the parts of pi/2 below is exact enough.
constexpr double kSmall = 0x1p17;

// Cody and Waite. With FMA the first step is exact and the others round what is left; the parts
// are rounded down, so that the sign of a zero survives. Without it, in binary64, where the product
// of n with the first part is exact.
Reduced reduceSmall(const Body& body, Term x) {
  if (!body.has_fma) {
    constexpr double kRounder = 0x1.8p52;
    Term wide = x.toDouble();
    Term shifted = wide * kTwoOverPi + kRounder;
    Term n = shifted - kRounder;
    Term r = wide - n * 0x1.921fb544p0 - n * 0x1.0b4611a626331p-34;
    llvm::Type* i32 = x.like(x.builder().getInt32Ty());
    return {r.toFloat(), x.with(x.builder().CreateTrunc(shifted.bits(), i32))};
  }
  constexpr double kRounder = 0x1.8p23;
  Term shifted = body.multiplyAdd(x, kTwoOverPi, x.number(kRounder));
  Term n = shifted - kRounder;
  Term r = body.multiplyAdd(n, -0x1.921fb4p0, x);
  r = body.multiplyAdd(n, -0x1.4442dp-24, r);
  r = body.multiplyAdd(n, -0x1.846988p-48, r);
  return {r, shifted.bits()};
}

// 2/pi, 320 bits behind the point.
constexpr uint64_t kTwoOverPiBits[] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                       0xfe5163abdebbc561, 0xb7246e3a424dd2e0};

// `count` bits (up to 64) from the one of weight 2^-(first + 1) on; those before the point are 0.
uint64_t bitsOfTwoOverPi(int first, int count) {
  uint64_t result = 0;
  for (int k = first; k < first + count; ++k) {
    const bool bit = k >= 0 && (kTwoOverPiBits[k / 64] >> (63 - k % 64) & 1) != 0;
    result = result << 1 | bit;
  }
  return result;
}

// For x = m 2^e with m of 24 bits, what of 2^e 2/pi counts modulo 4, in two parts: the first of 29
// bits, so that m times it is exact in binary64, and the 53 bits behind. For e = kFirst to kLast.
constexpr int kFirst = -6, kLast = 104;

llvm::GlobalVariable* reductionTable(const Body& body, bool second) {
  llvm::SmallVector<double, kLast - kFirst + 1> rows;
  for (int e = kFirst; e <= kLast; ++e) {
    // Bit k of 2/pi has the weight 2^(e - k - 1), and 2 is the highest that counts.
    const int first = e - 2;
    rows.push_back(second ? std::ldexp(double(bitsOfTwoOverPi(first + 29, 53)), 2 - 29 - 53)
                          : std::ldexp(double(bitsOfTwoOverPi(first, 29)), 2 - 29));
  }
  llvm::Constant* values = llvm::ConstantDataArray::get(body.module.getContext(), rows);
  const llvm::Align alignment(64);
  if (llvm::GlobalVariable* known = findConstantData(body.module, *values, alignment)) return known;
  auto* table = new llvm::GlobalVariable(body.module, values->getType(), true,
                                         llvm::GlobalValue::InternalLinkage, values,
                                         second ? "tessera.math.pi.low" : "tessera.math.pi.high");
  table->setAlignment(alignment);
  return table;
}

Term lookUp(llvm::GlobalVariable* table, Term index) {
  llvm::IRBuilderBase& builder = index.builder();
  llvm::Value* address = builder.CreateGEP(builder.getDoubleTy(), table, {index.value()});
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(index.type());
  if (!vector) return index.with(builder.CreateLoad(builder.getDoubleTy(), address));
  return index.with(builder.CreateMaskedGather(index.like(builder.getDoubleTy()), address,
                                               llvm::Align(sizeof(double))));
}

// Payne and Hanek: only the bits of 2/pi that matter are multiplied. The error of r is below 2^-54,
// and no float is nearer to a multiple of pi/2 than 2^-30.
Reduced reduceLarge(const Body& body, Term x) {
  constexpr double kRounder = 0x1.8p52;
  llvm::IRBuilderBase& builder = x.builder();
  Term bits = x.bits();
  Term exponent = bits.shiftRightLogical(23) & 0xff;
  // Lanes that are not large read some row; so do infinities and NaNs.
  Term row = exponent.minus(150 + kFirst);
  row = x.with(builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, row, row.integer(0)));
  row = x.with(
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, row, row.integer(kLast - kFirst)));
  row = x.with(builder.CreateZExt(row, x.like(builder.getInt64Ty())));
  Term mantissa = (bits & 0x7fffff) | bits.integer(0x800000);
  Term m = x.with(builder.CreateSIToFP(mantissa, x.like(builder.getDoubleTy())));
  Term high = m * lookUp(reductionTable(body, false), row);
  Term low = m * lookUp(reductionTable(body, true), row);
  Term shifted = (high + low) + kRounder;
  Term r = (((high - (shifted - kRounder)) + low) * kHalfPi).toFloat();
  Term n = x.with(builder.CreateTrunc(shifted.bits(), bits.type()));
  // That was |x|. Infinities and NaNs give NaN.
  r = copySign(x.number(1), x) * r + (x - x);
  return {r, select(bits.isNegative(), bits.integer(0).minus(n), n)};
}

// All take the path for large numbers when one element needs it.
Reduced reduce(const Body& body, Term x) {
  auto& builder = static_cast<llvm::IRBuilder<>&>(x.builder());
  Term large = abs(x) > kSmall;
  Reduced small = reduceSmall(body, x);
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::Function* function = before->getParent();
  auto* far = llvm::BasicBlock::Create(builder.getContext(), "large", function);
  auto* after = llvm::BasicBlock::Create(builder.getContext(), "reduced", function);
  builder.CreateCondBr(any(large), far, after);
  builder.SetInsertPoint(far);
  Reduced other = reduceLarge(body, x);
  other = {select(large, other.r, small.r), select(large, other.quadrant, small.quadrant)};
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  auto merge = [&](Term a, Term b) {
    llvm::PHINode* phi = builder.CreatePHI(a.type(), 2);
    phi->addIncoming(a, before);
    phi->addIncoming(b, far);
    return a.with(phi);
  };
  Term r = merge(small.r, other.r);
  return {r, merge(small.quadrant, other.quadrant)};
}

// sin(r + quadrant pi/2).
Term sinOfQuadrant(const Body& body, Term r, Term quadrant) {
  Term z = r * r;
  // Of the sign of r; the sum of zeros would lose it.
  Term sine = copySign(body.multiplyAdd(r * z, body.polynomial(z, kSin), r), r);
  Term cosine =
      body.multiplyAdd(z * z, body.polynomial(z, kCos), body.multiplyAdd(z, -0.5, r.number(1)));
  Term result = select((quadrant & 1).isNotZero(), cosine, sine);
  return (result.bits() ^ (quadrant & 2).shiftLeft(30)).asFloat();
}

}  // namespace

Term sin(const Body& body, Term x) {
  Reduced reduced = reduce(body, x);
  return sinOfQuadrant(body, reduced.r, reduced.quadrant);
}

Term cos(const Body& body, Term x) {
  Reduced reduced = reduce(body, x);
  return sinOfQuadrant(body, reduced.r, reduced.quadrant.plus(1));
}

Term tan(const Body& body, Term x) {
  Reduced reduced = reduce(body, x);
  Term r = reduced.r, z = r * r;
  Term tangent = body.multiplyAdd(r * z, body.polynomial(z, kTan), r);
  return select((reduced.quadrant & 1).isNotZero(), -1.0 / tangent, tangent);
}

}  // namespace jit::math

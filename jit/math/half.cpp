// SPDX-License-Identifier: Apache-2.0

#include "jit/math/half.h"

namespace jit::math {

// Both let the addition and multiplication of binary32 align and round. Nothing they compute on is
// subnormal for the sake of a subnormal half, as many machines are slow at that.

Term halfToFloat(Term half) {
  llvm::IRBuilderBase& builder = half.builder();
  Term bits = half.bits();
  Term word = bits.with(builder.CreateZExt(bits, half.like(builder.getInt32Ty())));
  Term sign = (word & 0x8000).shiftLeft(16);
  Term magnitude = word.shiftLeft(17);  // exponent and mantissa, from the top
  // The exponent's bits below 111 ones: too large by 112, and of infinity and NaN as it must be.
  Term normal = magnitude.shiftRightLogical(4).plus(0x70000000).asFloat() * 0x1p-112;
  Term subnormal = (magnitude.shiftRightLogical(17) | word.integer(0x3f000000)).asFloat() - 0.5;
  Term value = select(magnitude.shiftRightLogical(27).isZero(), subnormal, normal);
  return (value.bits() | sign).asFloat();
}

Term floatToHalf(Term x) {
  llvm::IRBuilderBase& builder = x.builder();
  Term magnitude = abs(x);
  // What is too large for a half becomes infinite.
  Term scaled = (magnitude * 0x1p112) * 0x1p-110;
  Term exponent = magnitude.bits() & 0x7f800000;
  Term least = exponent.integer(0x38800000);  // that of the least normal half
  exponent = select(exponent.with(builder.CreateICmpSGT(exponent, least)), exponent, least);
  // Adding a number 15 binary places above (2 of them from the scaling) rounds off the 13 bits that
  // a half lacks, or more for a subnormal one; a carry goes on into the exponent.
  Term rounded = (exponent.plus(0x07800000).asFloat() + scaled).bits();
  Term half = (rounded.shiftRightLogical(13) & 0x7c00).plus(rounded & 0xfff);
  half = select(x.isNan(), half.integer(0x7e00), half);
  half = half | (x.bits().shiftRightLogical(16) & 0x8000);
  llvm::Value* bits = builder.CreateTrunc(half, half.like(builder.getInt16Ty()));
  return x.with(builder.CreateBitCast(bits, x.like(builder.getHalfTy())));
}

}  // namespace jit::math

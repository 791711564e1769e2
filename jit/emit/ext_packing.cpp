// SPDX-License-Identifier: Apache-2.0

// GLSL.std.450: small numbers packed into integers.
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/ext_glsl450.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// Joins integers, the first lowest, into one of `bits` in all.
llvm::Value* join(Emission& e, llvm::ArrayRef<llvm::Value*> parts, uint32_t bits) {
  llvm::SmallVector<llvm::Value*, 4> leaves(parts.begin(), parts.end());
  bool varying = false;
  for (llvm::Value* leaf : leaves) varying |= e.simt.isVarying(leaf);
  llvm::Value* joined = nullptr;
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (varying) leaves[k] = e.simt.broadcast(leaves[k]);
    const uint32_t width = leaves[k]->getType()->getScalarSizeInBits();
    llvm::Value* part = e.ir.CreateZExt(leaves[k], shapedLike(leaves[k], e.ir.getIntNTy(bits)));
    part = e.ir.CreateShl(part, integerLike(part, k * width));
    joined = joined == nullptr ? part : e.ir.CreateOr(joined, part);
  }
  return joined;
}

llvm::SmallVector<llvm::Value*, 4> split(Emission& e, llvm::Value* whole, uint32_t count) {
  const uint32_t width = whole->getType()->getScalarSizeInBits() / count;
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (uint32_t k = 0; k < count; ++k)
    parts.push_back(e.ir.CreateTrunc(e.ir.CreateLShr(whole, integerLike(whole, k * width)),
                                     shapedLike(whole, e.ir.getIntNTy(width))));
  return parts;
}

// round(clamp(c, low, 1) * scale), `low` being -1 or 0.
template <bool Signed, uint32_t Width>
Error emitPackNorm(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = operand(e, i, 0);
  if (!v) return v.takeError();
  const double scale = (uint32_t{1} << (Signed ? Width - 1 : Width)) - 1;
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (llvm::Value* leaf : v->leaves) {
    llvm::Value* clamped =
        e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::minnum,
                                   e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, leaf,
                                                              floatLike(leaf, Signed ? -1.0 : 0.0)),
                                   floatLike(leaf, 1.0));
    llvm::Value* scaled =
        e.simt.call(llvm::Intrinsic::roundeven, {e.ir.CreateFMul(clamped, floatLike(leaf, scale))});
    llvm::Value* integer = e.ir.CreateFPToSI(scaled, shapedLike(leaf, e.ir.getInt32Ty()));
    parts.push_back(e.ir.CreateTrunc(integer, shapedLike(leaf, e.ir.getIntNTy(Width))));
  }
  e.setValue(i, Value{i.type, {join(e, parts, 32)}});
  return Error::success();
}

// clamp(c / scale, -1, 1).
template <bool Signed, uint32_t Width>
Error emitUnpackNorm(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = operand(e, i, 0);
  if (!v) return v.takeError();
  const double scale = (uint32_t{1} << (Signed ? Width - 1 : Width)) - 1;
  Value result{i.type, {}};
  for (llvm::Value* part : split(e, v->leaves[0], 32 / Width)) {
    llvm::Type* f32 = shapedLike(part, e.ir.getFloatTy());
    llvm::Value* f = Signed ? e.ir.CreateSIToFP(part, f32) : e.ir.CreateUIToFP(part, f32);
    f = e.ir.CreateFDiv(f, floatLike(f, scale));
    if (Signed) f = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, f, floatLike(f, -1.0));
    result.leaves.push_back(f);
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitPackHalf2x16(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = operand(e, i, 0);
  if (!v) return v.takeError();
  llvm::SmallVector<llvm::Value*, 2> parts;
  for (llvm::Value* leaf : v->leaves) {
    llvm::Value* half = e.ir.CreateFPTrunc(leaf, shapedLike(leaf, e.ir.getHalfTy()));
    parts.push_back(e.ir.CreateBitCast(half, shapedLike(leaf, e.ir.getInt16Ty())));
  }
  e.setValue(i, Value{i.type, {join(e, parts, 32)}});
  return Error::success();
}

Error emitUnpackHalf2x16(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = operand(e, i, 0);
  if (!v) return v.takeError();
  Value result{i.type, {}};
  for (llvm::Value* part : split(e, v->leaves[0], 2)) {
    llvm::Value* half = e.ir.CreateBitCast(part, shapedLike(part, e.ir.getHalfTy()));
    result.leaves.push_back(
        e.ir.CreateFPExt(e.floatResult(half), shapedLike(part, e.ir.getFloatTy())));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitPackDouble2x32(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = operand(e, i, 0);
  if (!v) return v.takeError();
  llvm::Value* joined = join(e, v->leaves, 64);
  e.setValue(i,
             Value{i.type, {e.ir.CreateBitCast(joined, shapedLike(joined, e.ir.getDoubleTy()))}});
  return Error::success();
}

Error emitUnpackDouble2x32(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = operand(e, i, 0);
  if (!v) return v.takeError();
  llvm::Value* bits = e.ir.CreateBitCast(v->leaves[0], shapedLike(v->leaves[0], e.ir.getInt64Ty()));
  e.setValue(i, Value{i.type, split(e, bits, 2)});
  return Error::success();
}

constexpr ExtendedRow kRows[] = {
    {GLSLstd450PackSnorm4x8, emitPackNorm<true, 8>},
    {GLSLstd450PackUnorm4x8, emitPackNorm<false, 8>},
    {GLSLstd450PackSnorm2x16, emitPackNorm<true, 16>},
    {GLSLstd450PackUnorm2x16, emitPackNorm<false, 16>},
    {GLSLstd450UnpackSnorm4x8, emitUnpackNorm<true, 8>},
    {GLSLstd450UnpackUnorm4x8, emitUnpackNorm<false, 8>},
    {GLSLstd450UnpackSnorm2x16, emitUnpackNorm<true, 16>},
    {GLSLstd450UnpackUnorm2x16, emitUnpackNorm<false, 16>},
    {GLSLstd450PackHalf2x16, emitPackHalf2x16},
    {GLSLstd450UnpackHalf2x16, emitUnpackHalf2x16},
    {GLSLstd450PackDouble2x32, emitPackDouble2x32},
    {GLSLstd450UnpackDouble2x32, emitUnpackDouble2x32},
};

}  // namespace

llvm::ArrayRef<ExtendedRow> packingInstructions() { return kRows; }

}  // namespace jit::spirv

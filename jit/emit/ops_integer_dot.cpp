// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.13 "Arithmetic Instructions", OpSDot to OpSUDotAccSat
// (SPV_KHR_integer_dot_product). Vectors of integers, or of four bytes packed into 32 bits.

#include <llvm/IR/Intrinsics.h>

#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/ir/byte_dots.h"

namespace jit::spirv {

namespace {

using llvm::Error;

struct Signedness {
  bool a, b;  // whether the components of the operands are signed
};

llvm::Value* extend(Emission& e, llvm::Value* v, llvm::Type* scalar, bool is_signed) {
  llvm::Type* type = shapedLike(v, scalar);
  return is_signed ? e.ir.CreateSExtOrTrunc(v, type) : e.ir.CreateZExtOrTrunc(v, type);
}

// Component k of four bytes in 32 bits, extended to 32 bits.
llvm::Value* byteOf(Emission& e, llvm::Value* packed, unsigned k, bool is_signed) {
  llvm::Value* top = e.ir.CreateShl(packed, integerLike(packed, 24 - 8 * k));
  llvm::Value* shift = integerLike(packed, 24);
  return is_signed ? e.ir.CreateAShr(top, shift) : e.ir.CreateLShr(top, shift);
}

// The dot product of packed bytes, in 32 bits.
llvm::Value* packedDot(Emission& e, llvm::Value* a, llvm::Value* b, Signedness is_signed) {
  e.simt.unify(a, b);
  if (e.simt.isVarying(a) && hasByteDots(e.target.features, e.width()))
    return emitByteDot(e.ir, {a, b, is_signed.a, is_signed.b});
  llvm::Value* sum = nullptr;
  for (unsigned k = 0; k < 4; ++k) {
    llvm::Value* product =
        e.ir.CreateMul(byteOf(e, a, k, is_signed.a), byteOf(e, b, k, is_signed.b));
    sum = sum ? e.ir.CreateAdd(sum, product) : product;
  }
  return sum;
}

// Four bytes as one integer, component 0 lowest.
llvm::Value* pack(Emission& e, llvm::ArrayRef<llvm::Value*> bytes) {
  llvm::Value* packed = nullptr;
  for (size_t k = 0; k < bytes.size(); ++k) {
    llvm::Value* byte = extend(e, bytes[k], e.ir.getInt32Ty(), false);
    byte = e.ir.CreateShl(byte, integerLike(byte, 8 * k));
    if (packed != nullptr) e.simt.unify(packed, byte);
    packed = packed ? e.ir.CreateOr(packed, byte) : byte;
  }
  return packed;
}

// The dot product in the result's width: components are extended to it first, and the sum wraps.
llvm::Expected<llvm::Value*> dot(Emission& e, const Instruction& i, size_t format_operand,
                                 Signedness is_signed) {
  llvm::Expected<Value> a = e.value(i.operands[0]);
  if (!a) return a.takeError();
  llvm::Expected<Value> b = e.value(i.operands[1]);
  if (!b) return b.takeError();
  if (a->leaves.empty() || a->leaves.size() != b->leaves.size() ||
      a->leaves[0]->getType()->getScalarType() != b->leaves[0]->getType()->getScalarType())
    return malformed(e.module.describe(i) + ": the vectors do not fit each other");
  llvm::Type* type = e.leafType(i.type);
  // Sums of four products of bytes fit into 18 bits.
  auto widened = [&](llvm::Value* sum) { return extend(e, sum, type, is_signed.a || is_signed.b); };
  if (a->type->kind == TypeKind::Int) {
    if (a->type->width != 32 || i.operands.size() <= format_operand ||
        i.operands[format_operand] !=
            static_cast<uint32_t>(spv::PackedVectorFormat::PackedVectorFormat4x8Bit))
      return e.unsupportedAt(i, "this format of packed vectors");
    return widened(packedDot(e, a->leaves[0], b->leaves[0], is_signed));
  }
  const bool bytes = a->leaves.size() == 4 && a->type->element->width == 8;
  const bool varying = llvm::any_of(llvm::concat<llvm::Value*>(a->leaves, b->leaves),
                                    [&](llvm::Value* v) { return e.simt.isVarying(v); });
  if (bytes && varying && hasByteDots(e.target.features, e.width()))
    return widened(packedDot(e, pack(e, a->leaves), pack(e, b->leaves), is_signed));
  llvm::Value* sum = nullptr;
  for (size_t k = 0; k < a->leaves.size(); ++k) {
    llvm::Value* x = extend(e, a->leaves[k], type, is_signed.a);
    llvm::Value* y = extend(e, b->leaves[k], type, is_signed.b);
    e.simt.unify(x, y);
    llvm::Value* product = e.ir.CreateMul(x, y);
    if (sum != nullptr) e.simt.unify(sum, product);
    sum = sum ? e.ir.CreateAdd(sum, product) : product;
  }
  return sum;
}

template <bool ASigned, bool BSigned>
Error emitDot(Emission& e, const Instruction& i) {
  llvm::Expected<llvm::Value*> sum = dot(e, i, 2, {ASigned, BSigned});
  if (!sum) return sum.takeError();
  e.setValue(i, Value{i.type, {*sum}});
  return Error::success();
}

// Only the addition of the accumulator saturates: what overflows before is undefined.
template <bool ASigned, bool BSigned>
Error emitDotAccumulate(Emission& e, const Instruction& i) {
  llvm::Expected<llvm::Value*> sum = dot(e, i, 3, {ASigned, BSigned});
  if (!sum) return sum.takeError();
  llvm::Expected<Value> accumulator = e.value(i.operands[2]);
  if (!accumulator) return accumulator.takeError();
  llvm::Value *x = *sum, *y = accumulator->leaves[0];
  e.simt.unify(x, y);
  llvm::Value* result = e.ir.CreateBinaryIntrinsic(
      ASigned || BSigned ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat, x, y);
  e.setValue(i, Value{i.type, {result}});
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpSDot, emitDot<true, true>},
    {spv::Op::OpUDot, emitDot<false, false>},
    {spv::Op::OpSUDot, emitDot<true, false>},
    {spv::Op::OpSDotAccSat, emitDotAccumulate<true, true>},
    {spv::Op::OpUDotAccSat, emitDotAccumulate<false, false>},
    {spv::Op::OpSUDotAccSat, emitDotAccumulate<true, false>},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> integerDotOps() { return kRows; }

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.14 "Bit Instructions".
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"

namespace jit::spirv {

namespace {

using llvm::Error;

template <llvm::Instruction::BinaryOps Op>
Error emitBinary(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* a, auto* b) { return e.ir.CreateBinOp(Op, a, b); });
}

// Shifting by the width or more is undefined; the low bits of the amount count, as on x86.
template <llvm::Instruction::BinaryOps Op>
Error emitShift(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* base, auto* amount) {
    const uint32_t bits = base->getType()->getScalarSizeInBits();
    llvm::Value* fitted = e.ir.CreateZExtOrTrunc(amount, base->getType());
    return e.ir.CreateBinOp(Op, base, e.ir.CreateAnd(fitted, integerLike(base, bits - 1)));
  });
}

Error emitNot(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) { return e.ir.CreateNot(a); });
}

// `count` low bits set, for counts up to and including the width.
llvm::Value* lowBits(Emission& e, llvm::Value* count) {
  const uint32_t bits = count->getType()->getScalarSizeInBits();
  llvm::Value* whole = e.ir.CreateICmpUGE(count, integerLike(count, bits));
  llvm::Value* amount = e.ir.CreateAnd(count, integerLike(count, bits - 1));
  llvm::Value* part =
      e.ir.CreateSub(e.ir.CreateShl(integerLike(count, 1), amount), integerLike(count, 1));
  return e.ir.CreateSelect(whole, integerLike(count, ~uint64_t{0}), part);
}

// Offset or Count of a bit field instruction, in the shape of `like`.
llvm::Expected<llvm::Value*> fieldOperand(Emission& e, Id id, llvm::Value* like) {
  llvm::Expected<Value> v = e.value(id);
  if (!v) return v.takeError();
  llvm::Value* leaf = v->leaves[0];
  leaf = e.ir.CreateZExtOrTrunc(leaf, shapedLike(leaf, like->getType()->getScalarType()));
  return leaf;
}

struct Field {
  llvm::Value *base, *offset, *count;
};

llvm::Expected<Field> field(Emission& e, llvm::Value* base, Id offset_id, Id count_id) {
  llvm::Expected<llvm::Value*> offset = fieldOperand(e, offset_id, base);
  if (!offset) return offset.takeError();
  llvm::Expected<llvm::Value*> count = fieldOperand(e, count_id, base);
  if (!count) return count.takeError();
  Field f{base, *offset, *count};
  e.simt.unify(f.base, f.offset);
  e.simt.unify(f.base, f.count);
  e.simt.unify(f.offset, f.count);
  f.offset =
      e.ir.CreateAnd(f.offset, integerLike(f.base, base->getType()->getScalarSizeInBits() - 1));
  return f;
}

Error emitBitFieldInsert(Emission& e, const Instruction& i) {
  llvm::Expected<Value> base = e.value(i.operands[0]);
  if (!base) return base.takeError();
  llvm::Expected<Value> insert = e.value(i.operands[1]);
  if (!insert) return insert.takeError();
  Value result{i.type, {}};
  for (size_t k = 0; k < base->leaves.size(); ++k) {
    llvm::Value *b = base->leaves[k], *n = insert->leaves[k];
    e.simt.unify(b, n);
    llvm::Expected<Field> f = field(e, b, i.operands[2], i.operands[3]);
    if (!f) return f.takeError();
    e.simt.unify(n, f->base);
    llvm::Value* mask = e.ir.CreateShl(lowBits(e, f->count), f->offset);
    llvm::Value* shifted = e.ir.CreateAnd(e.ir.CreateShl(n, f->offset), mask);
    result.leaves.push_back(e.ir.CreateOr(e.ir.CreateAnd(f->base, e.ir.CreateNot(mask)), shifted));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

template <bool Signed>
Error emitBitFieldExtract(Emission& e, const Instruction& i) {
  llvm::Expected<Value> base = e.value(i.operands[0]);
  if (!base) return base.takeError();
  Value result{i.type, {}};
  for (llvm::Value* leaf : base->leaves) {
    llvm::Expected<Field> f = field(e, leaf, i.operands[1], i.operands[2]);
    if (!f) return f.takeError();
    llvm::Value* bits = e.ir.CreateAnd(e.ir.CreateLShr(f->base, f->offset), lowBits(e, f->count));
    if (Signed) {
      // Copy the field's highest bit upwards: (x ^ sign) - sign.
      const uint32_t width = leaf->getType()->getScalarSizeInBits();
      llvm::Value* top = e.ir.CreateAnd(e.ir.CreateSub(f->count, integerLike(bits, 1)),
                                        integerLike(bits, width - 1));
      llvm::Value* sign = e.ir.CreateShl(integerLike(bits, 1), top);
      llvm::Value* extended = e.ir.CreateSub(e.ir.CreateXor(bits, sign), sign);
      llvm::Value* empty = e.ir.CreateICmpEQ(f->count, integerLike(bits, 0));
      bits = e.ir.CreateSelect(empty, integerLike(bits, 0), extended);
    }
    result.leaves.push_back(bits);
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitBitReverse(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) { return e.simt.call(llvm::Intrinsic::bitreverse, {a}); });
}

Error emitBitCount(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) {
    llvm::Value* count = e.simt.call(llvm::Intrinsic::ctpop, {a});
    return e.ir.CreateZExtOrTrunc(count, shapedLike(a, e.leafType(i.type->scalar())));
  });
}

using Binary = llvm::Instruction::BinaryOps;

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpShiftRightLogical, emitShift<Binary::LShr>},
    {spv::Op::OpShiftRightArithmetic, emitShift<Binary::AShr>},
    {spv::Op::OpShiftLeftLogical, emitShift<Binary::Shl>},
    {spv::Op::OpBitwiseOr, emitBinary<Binary::Or>},
    {spv::Op::OpBitwiseXor, emitBinary<Binary::Xor>},
    {spv::Op::OpBitwiseAnd, emitBinary<Binary::And>},
    {spv::Op::OpNot, emitNot},
    {spv::Op::OpBitFieldInsert, emitBitFieldInsert},
    {spv::Op::OpBitFieldSExtract, emitBitFieldExtract<true>},
    {spv::Op::OpBitFieldUExtract, emitBitFieldExtract<false>},
    {spv::Op::OpBitReverse, emitBitReverse},
    {spv::Op::OpBitCount, emitBitCount},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> bitOps() { return kRows; }

}  // namespace jit::spirv

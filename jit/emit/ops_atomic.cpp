// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.18 "Atomic Instructions"; Vulkan Specification, "Memory
// Model"; SPV_EXT_shader_atomic_float_add, SPV_EXT_shader_atomic_float_min_max,
// SPV_NV_shader_atomic_fp16_vector.
//
// The invocations of a stream act one after the other, in ascending order. Where all of them
// mean one address, what they do together is one operation on memory: integers are combined
// beforehand, floats are added in order while the old value is held in a register.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "jit/emit/atomic_access.h"
#include "jit/emit/opcode_rows.h"
#include "jit/simt/lane_scan.h"

namespace jit::spirv {

namespace {

using llvm::AtomicRMWInst;
using llvm::Error;
using BinOp = AtomicRMWInst::BinOp;

// What combines to nothing with any value.
llvm::Constant* identityOf(BinOp op, llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (op) {
    case BinOp::And:
    case BinOp::UMin:
      return llvm::Constant::getAllOnesValue(type);
    case BinOp::Max:
      return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
    case BinOp::Min:
      return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
    default:  // sums, Or, Xor, UMax
      return llvm::Constant::getNullValue(type);
  }
}

// What an integer operation with one operand for all invocations comes to: of `count` (scalar or
// vector, of the operand's width) times the same operand.
llvm::Value* repeated(Emission& e, BinOp op, llvm::Value* operand, llvm::Value* count) {
  auto& ir = e.ir;
  e.simt.unify(operand, count);
  llvm::Constant* zero = llvm::Constant::getNullValue(count->getType());
  switch (op) {
    case BinOp::Add:
      return ir.CreateMul(operand, count);
    case BinOp::Xor:
      return ir.CreateSelect(ir.CreateTrunc(count, shapedLike(count, ir.getInt1Ty())), operand,
                             zero);
    default:  // idempotent
      return ir.CreateSelect(
          ir.CreateICmpEQ(count, zero),
          llvm::ConstantInt::get(
              count->getType(),
              llvm::cast<llvm::ConstantInt>(identityOf(op, count->getType()->getScalarType()))
                  ->getValue()),
          operand);
  }
}

// How many live invocations there are (`lanes`: null: all), and before each.
simt::Scan countLive(Emission& e, llvm::Type* type, llvm::Value* lanes, bool before) {
  auto& ir = e.ir;
  if (lanes == nullptr) return {e.simt.laneIndices(type), llvm::ConstantInt::get(type, e.width())};
  llvm::Value* bits = e.simt.bits(lanes);
  llvm::Value* total = ir.CreateZExtOrTrunc(e.simt.call(llvm::Intrinsic::ctpop, {bits}), type);
  if (!before) return {nullptr, total};
  if (e.width() > simt::kMaskWordBits) {
    auto add = [&](llvm::Value* a, llvm::Value* b) { return ir.CreateAdd(a, b); };
    llvm::Value* ones = ir.CreateZExt(lanes, e.simt.vectorOf(ir.getInt16Ty()));
    llvm::Value* count = simt::scanBelow(e.simt, ones, ir.getInt16(0), add).before;
    return {ir.CreateZExtOrTrunc(count, e.simt.vectorOf(type)), total};
  }
  llvm::SmallVector<llvm::Constant*, 64> lower;
  for (uint32_t l = 0; l < e.width(); ++l)
    lower.push_back(ir.getIntN(e.width(), (uint64_t{1} << l) - 1));
  llvm::Value* mine = ir.CreateAnd(e.simt.broadcast(bits), llvm::ConstantVector::get(lower));
  return {ir.CreateZExtOrTrunc(e.simt.call(llvm::Intrinsic::ctpop, {mine}), e.simt.vectorOf(type)),
          total};
}

// Integers at one address: one access with what all invocations come to.
void modifyTogether(Emission& e, Atomic& atomic, BinOp op, llvm::Value* operand) {
  llvm::Type* type = operand->getType()->getScalarType();
  llvm::Value* lanes = e.simt.mask;  // where the address is out of bounds, it is so for all
  const bool used = atomic.isUsed();
  simt::Scan all{};
  if (!e.simt.isVarying(operand)) {
    simt::Scan count = countLive(e, type, lanes, used);
    all.total = repeated(e, op, operand, count.total);
    if (used) all.before = repeated(e, op, operand, count.before);
  } else {
    llvm::Constant* identity = identityOf(op, type);
    if (lanes != nullptr) operand = e.ir.CreateSelect(lanes, operand, e.simt.broadcast(identity));
    auto combine = [&](llvm::Value* a, llvm::Value* b) { return atomic.combine(op, a, b); };
    if (used)
      all = simt::scanBelow(e.simt, operand, identity, combine);
    else
      all.total = simt::reduceLanes(e.simt, operand, combine);
  }
  llvm::Value* old = atomic.once([&] { return atomic.modify(op, atomic.address(), all.total); });
  atomic.setResult(used ? atomic.combine(op, e.simt.broadcast(old), all.before) : nullptr);
}

// Floats at one address: added or compared in order, with one access.
void modifyInOrder(Emission& e, Atomic& atomic, BinOp op, llvm::Value* operand) {
  llvm::Type* type = operand->getType()->getScalarType();
  llvm::Value* results = atomic.once([&] {
    llvm::Value* result = nullptr;
    llvm::AllocaInst* running = e.laneSlot(type, 0);
    atomic.replace([&](llvm::Value* old) {
      e.writeSlot(running, old);
      result = atomic.forEach({operand}, [&](llvm::Value*, llvm::ArrayRef<llvm::Value*> own) {
        llvm::Value* before = e.readSlot(running);
        e.writeSlot(running, atomic.combine(op, before, own[0]));
        return before;
      });
      return e.readSlot(running);
    });
    return result;
  });
  atomic.setResult(results);
}

// How the operand of a row comes about.
enum class Operand { Given, Negated, One, MinusOne };

template <BinOp Op, Operand From = Operand::Given>
Error emitModify(Emission& e, const Instruction& i) {
  const bool constant = From == Operand::One || From == Operand::MinusOne;
  // The validator lets only halves be vectors here, two or four of them.
  const uint32_t halves = i.type->kind == TypeKind::Vector ? i.type->count : 0;
  if (halves != 0 && (i.type->scalar()->width != 16 || (halves != 2 && halves != 4)))
    return e.unsupportedAt(i, "an atomic operation on this type");
  llvm::Type* type = halves != 0 ? e.ir.getIntNTy(16 * halves) : e.leafType(i.type);
  llvm::Expected<Atomic> atomic = Atomic::make(e, i, type, 2, halves);
  if (!atomic) return atomic.takeError();
  llvm::Value* operand = nullptr;
  if (constant) {
    operand = llvm::ConstantInt::getSigned(type, From == Operand::One ? 1 : -1);
  } else {
    if (i.operands.size() < 4) return malformed(e.module.describe(i) + " lacks operands");
    llvm::Expected<Value> value = e.value(i.operands[3]);
    if (!value) return value.takeError();
    llvm::Type* leaf = halves != 0 ? e.ir.getHalfTy() : type;
    if (value->leaves.size() != std::max(halves, 1u) ||
        value->leaves[0]->getType()->getScalarType() != leaf)
      return malformed(e.module.describe(i) + ": the value has another type than the result");
    operand = atomic->joined(*value);
    if (From == Operand::Negated) operand = e.ir.CreateNeg(operand);
  }
  if (atomic->oneAddress() && Op != BinOp::Xchg) {
    if (type->isIntegerTy() && halves == 0)
      modifyTogether(e, *atomic, Op, operand);
    else
      modifyInOrder(e, *atomic, Op, operand);
    return Error::success();
  }
  atomic->setResult(
      atomic->forEach({operand}, [&](llvm::Value* at, llvm::ArrayRef<llvm::Value*> own) {
        return atomic->modify(Op, at, own[0]);
      }));
  return Error::success();
}

Error emitCompareExchange(Emission& e, const Instruction& i) {
  if (i.operands.size() < 6) return malformed(e.module.describe(i) + " lacks operands");
  llvm::Type* type = e.leafType(i.type);
  llvm::Expected<Atomic> atomic = Atomic::make(e, i, type, 2);
  if (!atomic) return atomic.takeError();
  llvm::Expected<MemorySemantics> unequal = memorySemantics(e, i, i.operands[3]);
  if (!unequal) return unequal.takeError();
  llvm::Expected<Value> value = e.value(i.operands[4]);
  if (!value) return value.takeError();
  llvm::Expected<Value> comparator = e.value(i.operands[5]);
  if (!comparator) return comparator.takeError();
  atomic->setResult(atomic->forEach({value->leaves[0], comparator->leaves[0]},
                                    [&](llvm::Value* at, llvm::ArrayRef<llvm::Value*> own) {
                                      return atomic->compareExchange(at, own[1], own[0],
                                                                     unequal->ordering);
                                    }));
  return Error::success();
}

Error emitAtomicLoad(Emission& e, const Instruction& i) {
  llvm::Expected<Atomic> atomic = Atomic::make(e, i, e.leafType(i.type), 2);
  if (!atomic) return atomic.takeError();
  if (atomic->oneAddress())
    atomic->setResult(atomic->once([&] { return atomic->load(atomic->address()); }));
  else
    atomic->setResult(atomic->forEach(
        {}, [&](llvm::Value* at, llvm::ArrayRef<llvm::Value*>) { return atomic->load(at); }));
  return Error::success();
}

Error emitAtomicStore(Emission& e, const Instruction& i) {
  if (i.operands.size() < 4) return malformed(e.module.describe(i) + " lacks operands");
  llvm::Expected<Value> value = e.value(i.operands[3]);
  if (!value) return value.takeError();
  llvm::Value* leaf = value->leaves[0];
  llvm::Expected<Atomic> atomic = Atomic::make(e, i, leaf->getType()->getScalarType(), 2);
  if (!atomic) return atomic.takeError();
  if (atomic->oneAddress()) {
    // One of the invocations is the last.
    atomic->once([&]() -> llvm::Value* {
      atomic->store(atomic->address(), e.simt.uniform(leaf));
      return nullptr;
    });
    return Error::success();
  }
  atomic->forEach({leaf}, [&](llvm::Value* at, llvm::ArrayRef<llvm::Value*> own) -> llvm::Value* {
    atomic->store(at, own[0]);
    return nullptr;
  });
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpAtomicLoad, emitAtomicLoad},
    {spv::Op::OpAtomicStore, emitAtomicStore},
    {spv::Op::OpAtomicExchange, emitModify<BinOp::Xchg>},
    {spv::Op::OpAtomicCompareExchange, emitCompareExchange},
    {spv::Op::OpAtomicIIncrement, emitModify<BinOp::Add, Operand::One>},
    {spv::Op::OpAtomicIDecrement, emitModify<BinOp::Add, Operand::MinusOne>},
    {spv::Op::OpAtomicIAdd, emitModify<BinOp::Add>},
    {spv::Op::OpAtomicISub, emitModify<BinOp::Add, Operand::Negated>},
    {spv::Op::OpAtomicSMin, emitModify<BinOp::Min>},
    {spv::Op::OpAtomicUMin, emitModify<BinOp::UMin>},
    {spv::Op::OpAtomicSMax, emitModify<BinOp::Max>},
    {spv::Op::OpAtomicUMax, emitModify<BinOp::UMax>},
    {spv::Op::OpAtomicAnd, emitModify<BinOp::And>},
    {spv::Op::OpAtomicOr, emitModify<BinOp::Or>},
    {spv::Op::OpAtomicXor, emitModify<BinOp::Xor>},
    {spv::Op::OpAtomicFAddEXT, emitModify<BinOp::FAdd>},
    {spv::Op::OpAtomicFMinEXT, emitModify<BinOp::FMin>},
    {spv::Op::OpAtomicFMaxEXT, emitModify<BinOp::FMax>},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> atomicOps() { return kRows; }

}  // namespace jit::spirv

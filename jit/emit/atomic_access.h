// SPDX-License-Identifier: Apache-2.0

// One atomic instruction: what it does to memory, and for whom. Source: SPIR-V Specification,
// 3.52.18 "Atomic Instructions"; Vulkan Specification, "Memory Model".
//
// Workgroup memory belongs to the one thread that runs the workgroup: nobody else can look, and
// ordinary loads and stores are atomic there.
//
// A vector of halves (SPV_NV_shader_atomic_fp16_vector) is atomic as a whole: in memory and between
// the invocations it is one integer, and a vector only where it is computed with.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/host_check.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/memory_check.h"
#include "jit/emit/memory_semantics.h"
#include "jit/emit/race_check.h"
#include "jit/simt/lane_loop.h"

namespace jit::spirv {

class Atomic {
 public:
  // Of values of `type`, an LLVM scalar, or, where `halves` is not 0, of vectors of so many halves.
  static llvm::Expected<Atomic> make(Emission& e, const Instruction& i, llvm::Type* type,
                                     size_t semantics_operand, uint32_t halves = 0) {
    if (i.operands.size() <= semantics_operand)
      return malformed(e.module.describe(i) + " lacks operands");
    llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
    if (!pointer) return pointer.takeError();
    if (pointer->interleaved || pointer->builtin_variable != 0)
      return e.unsupportedAt(i, "an atomic operation on memory that is not shared");
    llvm::Expected<MemorySemantics> semantics =
        memorySemantics(e, i, i.operands[semantics_operand]);
    if (!semantics) return semantics.takeError();
    return Atomic(e, i, type, std::move(*pointer), *semantics, halves);
  }

  bool oneAddress() const { return !e_.simt.isVarying(address_); }
  llvm::Value* address() const { return address_; }
  bool isUsed() const {
    return instruction_.result != 0 && e_.uniformity().isUsed(instruction_.result);
  }
  llvm::AtomicOrdering ordering() const { return semantics_.ordering; }

  // Live invocations whose access is inside of its buffer; null: all of the stream.
  llvm::Value* lanes() {
    if (inside_ == nullptr) return e_.simt.mask;
    return e_.ir.CreateAnd(e_.simt.fullMask(), e_.simt.broadcast(inside_));
  }

  // Emits `body` if the one address may be accessed. It gives a value, or null; where the body
  // does not run, the value is 0.
  llvm::Value* once(llvm::function_ref<llvm::Value*()> body) {
    if (inside_ == nullptr) return body();
    llvm::Value* result = nullptr;
    llvm::BasicBlock* outside = e_.ir.GetInsertBlock();
    llvm::BasicBlock* ran = nullptr;
    simt::ifHolds(e_.simt, e_.simt.uniform(inside_), [&] {
      result = body();
      ran = e_.ir.GetInsertBlock();
    });
    if (result == nullptr) return nullptr;
    auto* phi = e_.ir.CreatePHI(result->getType(), 2);
    phi->addIncoming(llvm::Constant::getNullValue(result->getType()), outside);
    phi->addIncoming(result, ran);
    return phi;
  }

  // Emits `body` for each invocation, with its address and its elements of `operands`; it gives
  // the invocation's result, or null. The results together, or null.
  llvm::Value* forEach(
      llvm::ArrayRef<llvm::Value*> operands,
      llvm::function_ref<llvm::Value*(llvm::Value*, llvm::ArrayRef<llvm::Value*>)> body) {
    llvm::SmallVector<llvm::AllocaInst*, 3> slots;
    unsigned next = 0;
    auto spill = [&](llvm::Value* v) -> llvm::AllocaInst* {
      if (!e_.simt.isVarying(v)) return nullptr;
      llvm::AllocaInst* slot = e_.laneSlot(v->getType(), next++);
      e_.writeSlot(slot, v);
      return slot;
    };
    llvm::AllocaInst* addresses = spill(address_);
    for (llvm::Value* v : operands) slots.push_back(spill(v));
    llvm::AllocaInst* results = nullptr;
    if (isUsed()) {
      llvm::Type* type = e_.simt.vectorOf(type_);
      results = e_.laneSlot(type, next++);
      e_.writeSlot(results, llvm::Constant::getNullValue(type));
    }
    llvm::Value* live = lanes();
    simt::forEachLane(e_.simt, live ? live : e_.simt.fullMask(), [&](llvm::Value* lane) {
      auto element = [&](llvm::AllocaInst* slot, llvm::Value* uniform) -> llvm::Value* {
        return slot == nullptr ? uniform : e_.readLane(slot, lane);
      };
      llvm::Value* at = element(addresses, address_);
      llvm::SmallVector<llvm::Value*, 3> own;
      for (size_t k = 0; k < operands.size(); ++k) own.push_back(element(slots[k], operands[k]));
      llvm::Value* result = body(at, own);
      if (results != nullptr && result != nullptr) e_.writeLane(results, lane, result);
    });
    return results == nullptr ? nullptr : e_.readSlot(results);
  }

  // One access of a scalar. `at` must be an address that may be accessed.
  llvm::Value* load(llvm::Value* at) {
    auto* load = e_.ir.CreateAlignedLoad(type_, at, alignment());
    load->setVolatile(semantics_.is_volatile);
    if (!plain()) load->setAtomic(loadOrdering(ordering()));
    return load;
  }
  void store(llvm::Value* at, llvm::Value* value) {
    auto* store = e_.ir.CreateAlignedStore(value, at, alignment());
    store->setVolatile(semantics_.is_volatile);
    if (!plain()) store->setAtomic(storeOrdering(ordering()));
  }
  // Gives the old value.
  llvm::Value* modify(llvm::AtomicRMWInst::BinOp op, llvm::Value* at, llvm::Value* value) {
    if (plain()) {
      llvm::Value* old = load(at);
      store(at, combine(op, old, value));
      return old;
    }
    if (op != llvm::AtomicRMWInst::BinOp::Xchg) value = computable(value);
    auto* modified = e_.ir.CreateAtomicRMW(op, at, value, alignment(), ordering());
    modified->setVolatile(semantics_.is_volatile);
    return e_.ir.CreateBitCast(modified, type_);
  }
  llvm::Value* compareExchange(llvm::Value* at, llvm::Value* comparator, llvm::Value* value,
                               llvm::AtomicOrdering unequal) {
    if (plain()) {
      llvm::Value* old = load(at);
      store(at, e_.ir.CreateSelect(e_.ir.CreateICmpEQ(old, comparator), value, old));
      return old;
    }
    auto* exchanged = e_.ir.CreateAtomicCmpXchg(at, comparator, value, alignment(), ordering(),
                                                loadOrdering(unequal));
    exchanged->setVolatile(semantics_.is_volatile);
    return e_.ir.CreateExtractValue(exchanged, 0);
  }
  // What all invocations do in one access of the one address: `change` emits what they make
  // of an old value, and may be run again when somebody else came in between.
  void replace(llvm::function_ref<llvm::Value*(llvm::Value* old)> change) {
    auto& ir = e_.ir;
    if (plain()) {
      store(address_, change(load(address_)));
      return;
    }
    llvm::Type* bits = ir.getIntNTy(type_->getScalarSizeInBits());
    auto* first = ir.CreateAlignedLoad(bits, address_, alignment());
    first->setAtomic(llvm::AtomicOrdering::Monotonic);
    first->setVolatile(semantics_.is_volatile);
    llvm::BasicBlock* before = ir.GetInsertBlock();
    auto* again =
        llvm::BasicBlock::Create(e_.context, "again", before->getParent(), before->getNextNode());
    ir.CreateBr(again);
    ir.SetInsertPoint(again);
    auto* expected = ir.CreatePHI(bits, 2);
    expected->addIncoming(first, before);
    llvm::Value* wanted = ir.CreateBitCast(change(ir.CreateBitCast(expected, type_)), bits);
    auto* exchanged = ir.CreateAtomicCmpXchg(address_, expected, wanted, alignment(), ordering(),
                                             llvm::AtomicOrdering::Monotonic);
    exchanged->setVolatile(semantics_.is_volatile);
    expected->addIncoming(ir.CreateExtractValue(exchanged, 0), ir.GetInsertBlock());
    auto* done = llvm::BasicBlock::Create(e_.context, "exchanged", before->getParent(),
                                          ir.GetInsertBlock()->getNextNode());
    ir.CreateCondBr(ir.CreateExtractValue(exchanged, 1), done, again);
    ir.SetInsertPoint(done);
  }

  // What an operation makes of two values: of one invocation each, or, unless they are vectors of
  // halves, of the whole stream.
  llvm::Value* combine(llvm::AtomicRMWInst::BinOp op, llvm::Value* a, llvm::Value* b) {
    if (halves_ == nullptr) return combined(op, a, b);
    return e_.ir.CreateBitCast(combined(op, computable(a), computable(b)), type_);
  }

  // The operand or comparator: leaves of a value that pass as one.
  llvm::Value* joined(const Value& value) {
    if (halves_ == nullptr) return value.leaves[0];
    auto& ir = e_.ir;
    llvm::Value* all = nullptr;
    for (unsigned k = 0; k < value.leaves.size(); ++k) {
      llvm::Value* half = value.leaves[k];
      half = ir.CreateZExt(ir.CreateBitCast(half, shapedLike(half, ir.getInt16Ty())),
                           shapedLike(half, type_));
      half = ir.CreateShl(half, 16 * k);
      if (all != nullptr) e_.simt.unify(all, half);
      all = all == nullptr ? half : ir.CreateOr(all, half);
    }
    return all;
  }

  void setResult(llvm::Value* value) {
    if (instruction_.result == 0) return;
    if (value == nullptr) value = llvm::Constant::getNullValue(type_);
    Value result{instruction_.type, {}};
    auto& ir = e_.ir;
    if (halves_ == nullptr) {
      result.leaves.push_back(value);
    } else {
      for (unsigned k = 0; k < halves_->getNumElements(); ++k) {
        llvm::Value* bits =
            ir.CreateTrunc(ir.CreateLShr(value, 16 * k), shapedLike(value, ir.getInt16Ty()));
        result.leaves.push_back(ir.CreateBitCast(bits, shapedLike(value, ir.getHalfTy())));
      }
    }
    e_.setValue(instruction_, std::move(result));
  }

 private:
  Atomic(Emission& e, const Instruction& i, llvm::Type* type, Pointer pointer,
         MemorySemantics semantics, uint32_t halves)
      : e_(e), instruction_(i), type_(type), semantics_(semantics) {
    if (halves != 0) halves_ = llvm::FixedVectorType::get(e.ir.getHalfTy(), halves);
    semantics_.is_volatile |= pointer.is_volatile;
    storage_ = pointer.storage;
    const uint64_t bytes = type->getScalarSizeInBits() / 8;
    pointer = MemoryCheck(e).access(pointer, bytes, rt::AccessKind::Atomic);
    RaceCheck(e).atomic(pointer, bytes);
    HostCheck(e).access(pointer, 0, bytes, rt::AccessKind::Atomic);
    address_ = e.leafAddress(pointer, 0, bytes);
    inside_ = e.accessMask(pointer, 0, bytes);
  }

  bool plain() const { return storage_ == spv::StorageClass::Workgroup; }
  llvm::Align alignment() const { return llvm::Align(type_->getScalarSizeInBits() / 8); }

  llvm::Value* computable(llvm::Value* value) {
    return halves_ == nullptr ? value : e_.ir.CreateBitCast(value, halves_);
  }
  llvm::Value* combined(llvm::AtomicRMWInst::BinOp op, llvm::Value* a, llvm::Value* b) {
    auto& ir = e_.ir;
    switch (op) {
      case llvm::AtomicRMWInst::BinOp::Xchg:
        return b;
      case llvm::AtomicRMWInst::BinOp::Add:
        return ir.CreateAdd(a, b);
      case llvm::AtomicRMWInst::BinOp::And:
        return ir.CreateAnd(a, b);
      case llvm::AtomicRMWInst::BinOp::Or:
        return ir.CreateOr(a, b);
      case llvm::AtomicRMWInst::BinOp::Xor:
        return ir.CreateXor(a, b);
      case llvm::AtomicRMWInst::BinOp::Max:
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
      case llvm::AtomicRMWInst::BinOp::Min:
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
      case llvm::AtomicRMWInst::BinOp::UMax:
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
      case llvm::AtomicRMWInst::BinOp::UMin:
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
      case llvm::AtomicRMWInst::BinOp::FAdd:
        return ir.CreateFAdd(a, b);
      case llvm::AtomicRMWInst::BinOp::FMax:
        return ir.CreateMaxNum(a, b);
      case llvm::AtomicRMWInst::BinOp::FMin:
        return ir.CreateMinNum(a, b);
      default:
        llvm_unreachable("an operation that no row of the table below has");
    }
  }

  Emission& e_;
  const Instruction& instruction_;
  llvm::Type* type_;                         // of one invocation's value
  llvm::FixedVectorType* halves_ = nullptr;  // what it stands for, if it is a vector of halves
  MemorySemantics semantics_;
  spv::StorageClass storage_;
  llvm::Value* address_;  // ptr, or a vector of them
  llvm::Value* inside_;   // i1 or a vector: the access is in bounds; null: always
};

}  // namespace jit::spirv

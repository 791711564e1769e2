// Source: SPIR-V Specification, 3.52.18 "Atomic Instructions"; Vulkan Specification, "Memory
// Model"; SPV_EXT_shader_atomic_float_add, SPV_EXT_shader_atomic_float_min_max.
//
// The invocations of a subgroup act one after the other, in ascending order. Where all of them
// mean one address, what they do together is one operation on memory: integers are combined
// beforehand, floats are added in order while the old value is held in a register.
//
// Workgroup memory belongs to the one thread that runs the workgroup: nobody else can look, and
// ordinary loads and stores are atomic there.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "jit/simt/lane_loop.h"
#include "jit/simt/lane_scan.h"
#include "jit/spirv/leafwise.h"
#include "jit/spirv/memory_semantics.h"

namespace jit::spirv {

namespace {

using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;
using llvm::Error;
using BinOp = AtomicRMWInst::BinOp;

// What one instruction does to memory, and for whom.
class Atomic {
 public:
  static llvm::Expected<Atomic> make(Emission& e, const Instruction& i, llvm::Type* type,
                                     size_t semantics_operand) {
    if (i.operands.size() <= semantics_operand)
      return malformed(e.module.describe(i) + " lacks operands");
    llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
    if (!pointer) return pointer.takeError();
    if (pointer->interleaved || pointer->builtin_variable != 0)
      return e.unsupportedAt(i, "an atomic operation on memory that is not shared");
    llvm::Expected<MemorySemantics> semantics =
        memorySemantics(e, i, i.operands[semantics_operand]);
    if (!semantics) return semantics.takeError();
    return Atomic(e, i, type, std::move(*pointer), *semantics);
  }

  bool oneAddress() const { return !e_.simt.isVarying(address_); }
  llvm::Value* address() const { return address_; }
  bool isUsed() const {
    return instruction_.result != 0 && e_.uniformity().isUsed(instruction_.result);
  }
  AtomicOrdering ordering() const { return semantics_.ordering; }

  // Live invocations whose access is inside of its buffer; null: all of the subgroup.
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
  llvm::Value* modify(BinOp op, llvm::Value* at, llvm::Value* value) {
    if (plain()) {
      llvm::Value* old = load(at);
      store(at, combine(op, old, value));
      return old;
    }
    auto* modified = e_.ir.CreateAtomicRMW(op, at, value, alignment(), ordering());
    modified->setVolatile(semantics_.is_volatile);
    return modified;
  }
  llvm::Value* compareExchange(llvm::Value* at, llvm::Value* comparator, llvm::Value* value,
                               AtomicOrdering unequal) {
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
  // The turn of all invocations in one access of the one address: `turns` emits what they make
  // of an old value, and may be run again when somebody else came in between.
  void replace(llvm::function_ref<llvm::Value*(llvm::Value* old)> turns) {
    auto& ir = e_.ir;
    if (plain()) {
      store(address_, turns(load(address_)));
      return;
    }
    llvm::Type* bits = ir.getIntNTy(type_->getScalarSizeInBits());
    auto* first = ir.CreateAlignedLoad(bits, address_, alignment());
    first->setAtomic(AtomicOrdering::Monotonic);
    first->setVolatile(semantics_.is_volatile);
    llvm::BasicBlock* before = ir.GetInsertBlock();
    auto* again =
        llvm::BasicBlock::Create(e_.context, "again", before->getParent(), before->getNextNode());
    ir.CreateBr(again);
    ir.SetInsertPoint(again);
    auto* expected = ir.CreatePHI(bits, 2);
    expected->addIncoming(first, before);
    llvm::Value* wanted = ir.CreateBitCast(turns(ir.CreateBitCast(expected, type_)), bits);
    auto* exchanged = ir.CreateAtomicCmpXchg(address_, expected, wanted, alignment(), ordering(),
                                             AtomicOrdering::Monotonic);
    exchanged->setVolatile(semantics_.is_volatile);
    expected->addIncoming(ir.CreateExtractValue(exchanged, 0), ir.GetInsertBlock());
    auto* done = llvm::BasicBlock::Create(e_.context, "exchanged", before->getParent(),
                                          ir.GetInsertBlock()->getNextNode());
    ir.CreateCondBr(ir.CreateExtractValue(exchanged, 1), done, again);
    ir.SetInsertPoint(done);
  }

  // What an operation makes of two values, scalars or vectors.
  llvm::Value* combine(BinOp op, llvm::Value* a, llvm::Value* b) {
    auto& ir = e_.ir;
    switch (op) {
      case BinOp::Xchg:
        return b;
      case BinOp::Add:
        return ir.CreateAdd(a, b);
      case BinOp::And:
        return ir.CreateAnd(a, b);
      case BinOp::Or:
        return ir.CreateOr(a, b);
      case BinOp::Xor:
        return ir.CreateXor(a, b);
      case BinOp::Max:
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
      case BinOp::Min:
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
      case BinOp::UMax:
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
      case BinOp::UMin:
        return ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
      case BinOp::FAdd:
        return ir.CreateFAdd(a, b);
      case BinOp::FMax:
        return ir.CreateMaxNum(a, b);
      case BinOp::FMin:
        return ir.CreateMinNum(a, b);
      default:
        llvm_unreachable("an operation that no row of the table below has");
    }
  }

  void setResult(llvm::Value* leaf) {
    if (instruction_.result == 0) return;
    if (leaf == nullptr) leaf = llvm::Constant::getNullValue(type_);
    e_.setValue(instruction_, Value{instruction_.type, {leaf}});
  }

 private:
  Atomic(Emission& e, const Instruction& i, llvm::Type* type, Pointer pointer,
         MemorySemantics semantics)
      : e_(e), instruction_(i), type_(type), semantics_(semantics) {
    semantics_.is_volatile |= pointer.is_volatile;
    storage_ = pointer.storage;
    const uint64_t bytes = type->getScalarSizeInBits() / 8;
    address_ = e.leafAddress(pointer, 0, bytes);
    inside_ = e.accessMask(pointer, 0, bytes);
  }

  bool plain() const { return storage_ == spv::StorageClass::Workgroup; }
  llvm::Align alignment() const { return llvm::Align(type_->getScalarSizeInBits() / 8); }

  Emission& e_;
  const Instruction& instruction_;
  llvm::Type* type_;  // of one invocation's value
  MemorySemantics semantics_;
  spv::StorageClass storage_;
  llvm::Value* address_;  // ptr, or a vector of them
  llvm::Value* inside_;   // i1 or a vector: the access is in bounds; null: always
};

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
  if (lanes == nullptr) return {e.simt.laneIndices(type), llvm::ConstantInt::get(type, e.width)};
  llvm::Value* bits = e.simt.bits(lanes);
  llvm::Value* total = ir.CreateZExtOrTrunc(e.simt.call(llvm::Intrinsic::ctpop, {bits}), type);
  if (!before) return {nullptr, total};
  llvm::SmallVector<llvm::Constant*, 64> lower;
  for (uint32_t l = 0; l < e.width; ++l)
    lower.push_back(ir.getIntN(e.width, (uint64_t{1} << l) - 1));
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
  llvm::Type* type = e.leafType(i.type);
  llvm::Expected<Atomic> atomic = Atomic::make(e, i, type, 2);
  if (!atomic) return atomic.takeError();
  llvm::Value* operand = nullptr;
  if (constant) {
    operand = llvm::ConstantInt::getSigned(type, From == Operand::One ? 1 : -1);
  } else {
    if (i.operands.size() < 4) return malformed(e.module.describe(i) + " lacks operands");
    llvm::Expected<Value> value = e.value(i.operands[3]);
    if (!value) return value.takeError();
    if (value->leaves.size() != 1 || value->leaves[0]->getType()->getScalarType() != type)
      return malformed(e.module.describe(i) + ": the value has another type than the result");
    operand = value->leaves[0];
    if (From == Operand::Negated) operand = e.ir.CreateNeg(operand);
  }
  if (atomic->oneAddress() && Op != BinOp::Xchg) {
    if (type->isIntegerTy())
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

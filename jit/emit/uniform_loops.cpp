// SPDX-License-Identifier: Apache-2.0

// Loops that wait (analysis/waiting_loop.h): rounds are counted in which nothing has changed for
// the invocations that are in the loop. As such kernels run their workgroups one after the other
// (rt::KernelImage::in_order), a loop in which nothing changes for long waits for a workgroup that
// has not begun; or for invocations that wait for the loop.
#include "jit/analysis/waiting_loop.h"
#include "jit/emit/check_site.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/uniform_check.h"
#include "jit/ir/symbols.h"

namespace jit::spirv {

namespace {

using simt::WaitingLoop;

// Slots of a loop, by number: what it keeps from one round to the next.
constexpr unsigned kFirstSlot = 100'000, kSlotsOfLoop = 256;
constexpr unsigned kCount = 0, kEntered = 1, kLive = 2, kState = 3, kReads = 128, kSums = 192;

class Rounds {
 public:
  Rounds(Emission& e, uint32_t header) : e_(e), first_(kFirstSlot + header * kSlotsOfLoop) {}

  // Zero at the start of the kernel.
  llvm::AllocaInst* slot(llvm::Type* type, unsigned number) {
    llvm::AllocaInst* slot = e_.laneSlot(type, first_ + number);
    if (slot->use_empty())
      llvm::IRBuilder<>(slot->getParent()->getTerminator())
          .CreateStore(llvm::Constant::getNullValue(type), slot);
    return slot;
  }
  llvm::Value* read(llvm::Type* type, unsigned number) {
    return e_.ir.CreateAlignedLoad(type, slot(type, number), llvm::Align(8));
  }
  void write(llvm::Value* value, unsigned number) {
    e_.ir.CreateAlignedStore(value, slot(value->getType(), number), llvm::Align(8));
  }
  llvm::Value* live() { return e_.simt.bits(e_.simt.fullMask()); }
  llvm::Value* count() { return read(e_.ir.getInt64Ty(), kCount); }

  // Whether the leaves of a value are other ones than the last time for any live invocation; null:
  // there are none. `number`: of the first one's slot, and then that of the next value's.
  llvm::Value* changes(const Value& value, unsigned& number) {
    auto& ir = e_.ir;
    llvm::Value* changes = nullptr;
    for (llvm::Value* leaf : value.leaves) {
      if (leaf->getType()->isPtrOrPtrVectorTy()) continue;
      llvm::Value* now = e_.simt.settled(leaf);
      if (!now->getType()->getScalarType()->isIntegerTy())
        now = ir.CreateBitCast(now, integerTypeLike(now));
      llvm::Value* differs = exchange(now, number++);
      changes = changes == nullptr ? differs : ir.CreateOr(changes, differs);
    }
    return changes;
  }

  // Of reads of inner loops, which are done several times in a round, a sum tells all of them from
  // those of another round: a slot with the sum, and one with that of the round before.
  void add(const Value& value, unsigned number) {
    auto& ir = e_.ir;
    llvm::Type* i64 = ir.getInt64Ty();
    constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
    auto mixed = [&](llvm::Value* v) {
      v = ir.CreateMul(v, llvm::ConstantInt::get(v->getType(), kOdd));
      return ir.CreateXor(v, ir.CreateLShr(v, 32));
    };
    llvm::Value* sum = read(i64, number);
    for (llvm::Value* leaf : value.leaves) {
      if (leaf->getType()->isPtrOrPtrVectorTy()) continue;
      llvm::Value* now = e_.simt.settled(leaf);
      if (!now->getType()->getScalarType()->isIntegerTy())
        now = ir.CreateBitCast(now, integerTypeLike(now));
      now = ir.CreateZExtOrTrunc(now, now->getType()->getWithNewType(i64));
      if (e_.simt.isVarying(now)) {
        now = mixed(ir.CreateAdd(mixed(now), e_.simt.laneIndices(i64)));
        now = ir.CreateAddReduce(
            ir.CreateSelect(e_.simt.fullMask(), now, llvm::Constant::getNullValue(now->getType())));
      }
      sum = mixed(ir.CreateAdd(ir.CreateAdd(sum, now), ir.getInt64(1)));
    }
    write(sum, number);
  }
  llvm::Value* changesOfSum(unsigned number) {
    llvm::Value* differs = exchange(read(e_.ir.getInt64Ty(), number), number + 1);
    write(e_.ir.getInt64(0), number);
    return differs;
  }

 private:
  // Whether it is another one than the last time for any live invocation.
  llvm::Value* exchange(llvm::Value* now, unsigned number) {
    llvm::Value* before = read(now->getType(), number);
    llvm::Value* differs = e_.ir.CreateICmpNE(now, before);
    if (!e_.simt.isVarying(differs)) {
      write(now, number);
      return differs;
    }
    write(e_.ir.CreateSelect(e_.simt.fullMask(), now, before), number);
    return e_.simt.any(e_.simt.amongLive(differs));
  }

  Emission& e_;
  const unsigned first_;
};

std::optional<WaitingLoop> loopAt(const Emission& e, uint32_t header) {
  if (!e.request.checks.has(rt::Check::Uniform)) return std::nullopt;
  std::optional<WaitingLoop> loop =
      simt::waitingLoop(e.module, e.linearization(), e.uniformity(), header);
  constexpr size_t kMost = 16;  // values; each has a few leaves
  if (loop && (loop->reads.size() > kMost || loop->state.size() > kMost)) return std::nullopt;
  auto isLarge = [](const Instruction* i) { return i->type->leaves() > 4; };
  if (loop && (llvm::any_of(loop->reads, isLarge) || llvm::any_of(loop->state, isLarge)))
    return std::nullopt;
  return loop;
}

bool isOfInnerLoop(const Emission& e, const Instruction& read, uint32_t header) {
  return e.linearization().nodes()[e.uniformity().definition(read.result)].loop != header;
}

}  // namespace

bool UniformCheck::waits() const {
  const auto& nodes = e_.linearization().nodes();
  for (uint32_t n = 0; n < nodes.size(); ++n)
    if (const auto loop = loopAt(e_, n); loop && !loop->is_workgroups) return true;
  return false;
}

void UniformCheck::enterLoop(uint32_t header, llvm::AllocaInst* loop_mask) const {
  if (!loopAt(e_, header)) return;
  Rounds rounds(e_, header);
  rounds.write(e_.ir.getInt64(0), kCount);
  rounds.write(loop_mask == nullptr ? rounds.live() : e_.simt.bits(e_.readSlot(loop_mask)),
               kEntered);
}

llvm::Value* UniformCheck::startRound(uint32_t header) const {
  const std::optional<WaitingLoop> loop = loopAt(e_, header);
  if (!loop) return nullptr;
  auto& ir = e_.ir;
  Rounds rounds(e_, header);
  llvm::Value* live = rounds.live();
  llvm::Value* changed = ir.CreateICmpNE(live, rounds.read(live->getType(), kLive));
  rounds.write(live, kLive);
  unsigned number = kState;
  for (const Instruction* phi : loop->state) {
    llvm::Expected<Value> value = e_.value(phi->result);
    if (!value) {
      llvm::consumeError(value.takeError());
      continue;
    }
    if (llvm::Value* other = rounds.changes(*value, number)) changed = ir.CreateOr(changed, other);
  }
  for (unsigned k = 0; k < loop->reads.size(); ++k)
    if (isOfInnerLoop(e_, *loop->reads[k], header))
      changed = ir.CreateOr(changed, rounds.changesOfSum(kSums + 2 * k));
  llvm::Value* count =
      ir.CreateSelect(changed, ir.getInt64(0), ir.CreateAdd(rounds.count(), ir.getInt64(1)));
  rounds.write(count, kCount);
  llvm::Value* few =
      ir.CreateICmpNE(ir.CreateAnd(count, ir.getInt64(rt::kSpinTries - 1)), ir.getInt64(0));
  few = ir.CreateOr(few, ir.CreateICmpEQ(count, ir.getInt64(0)));
  llvm::Value* over = nullptr;
  llvm::BasicBlock* asked = nullptr;
  llvm::BasicBlock* before = unlessGood(e_, few, [&] {
    // Who has left may have what the others want, if all want the same; who never came may still
    // bring it.
    llvm::Value* entered = rounds.read(live->getType(), kEntered);
    llvm::Value* for_lane = ir.getInt1(loop->is_workgroups);
    if (e_.uniformity().at(loop->first->operands[0], e_.node()) != simt::Uniformity::Varying)
      for_lane = ir.CreateOr(for_lane, ir.CreateICmpNE(live, entered));
    if (loop->is_written_beside) {
      llvm::Value* all =
          e_.existing() == nullptr
              ? static_cast<llvm::Value*>(llvm::Constant::getAllOnesValue(live->getType()))
              : e_.simt.bits(e_.existing());
      for_lane = ir.CreateOr(for_lane, ir.CreateICmpNE(entered, all));
    }
    llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
    llvm::Value* answer =
        ir.CreateCall(runtimeFunction(e_.output(), "tessera.check_spin", i32,
                                      {ptr, ptr, i32, i32, i32, i32, i32, i64},
                                      llvm::MemoryEffects::inaccessibleMemOnly()),
                      {e_.dispatch_args, checkSite(e_, *loop->first, loop->variable),
                       e_.workgroup_id[0], e_.workgroup_id[1], e_.workgroup_id[2],
                       checkedSubgroup(e_), ir.CreateZExt(for_lane, i32), count});
    over = ir.CreateICmpNE(answer, ir.getInt32(0));
    asked = ir.GetInsertBlock();
  });
  auto* phi = ir.CreatePHI(ir.getInt1Ty(), 2);
  phi->addIncoming(ir.getFalse(), before);
  phi->addIncoming(over, asked);
  return phi;
}

void UniformCheck::followed(const Instruction& i) const {
  if (!isOn() || !simt::accessesMemory(i)) return;
  const auto& nodes = e_.linearization().nodes();
  for (uint32_t header = nodes[e_.node()].loop; header != simt::kNoNode;
       header = nodes[header].outer_loop) {
    const std::optional<WaitingLoop> loop = loopAt(e_, header);
    if (!loop) continue;
    Rounds rounds(e_, header);
    if (llvm::is_contained(loop->writes, &i)) rounds.write(e_.ir.getInt64(0), kCount);
    unsigned number = kReads;
    for (unsigned k = 0; k < loop->reads.size(); ++k) {
      const Instruction* read = loop->reads[k];
      if (read != &i) {
        number += static_cast<unsigned>(read->type->leaves());
        continue;
      }
      llvm::Expected<Value> value = e_.value(i.result);
      if (!value) {
        llvm::consumeError(value.takeError());
      } else if (isOfInnerLoop(e_, i, header)) {
        rounds.add(*value, kSums + 2 * k);
      } else if (llvm::Value* changed = rounds.changes(*value, number)) {
        rounds.write(e_.ir.CreateSelect(changed, e_.ir.getInt64(0), rounds.count()), kCount);
      }
      break;
    }
  }
}

}  // namespace jit::spirv

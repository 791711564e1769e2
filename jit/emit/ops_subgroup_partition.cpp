// SPDX-License-Identifier: Apache-2.0

// Parts of a subgroup are taken one after the other, each led by the first live invocation that is
// left.
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/group_partition.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/spirv/group_instruction.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// Emits `body(members)` in a loop over the parts. `membersOf(leader, rest)`, bits of a subgroup, is
// the part of invocation `leader` (i32); only what is left (`rest`) of it counts.
template <typename Members, typename Body>
void forEachPart(Emission& e, Members membersOf, Body body) {
  auto& ir = e.ir;
  llvm::Function* function = ir.GetInsertBlock()->getParent();
  auto* loop = llvm::BasicBlock::Create(e.context, "part", function);
  auto* end = llvm::BasicBlock::Create(e.context, "parts_end", function);
  llvm::AllocaInst* rest_slot = e.allocate(ir.getIntNTy(e.width()), "rest");
  e.writeSlot(rest_slot, e.simt.bits(e.simt.fullMask()));
  ir.CreateBr(loop);

  ir.SetInsertPoint(loop);
  llvm::Value* rest = e.readSlot(rest_slot);
  llvm::Value* leader = e.simt.call(llvm::Intrinsic::cttz, {rest, ir.getTrue()});
  // The leader is a member in any case, so each iteration leaves fewer.
  llvm::Value* own = ir.CreateShl(integerLike(rest, 1), leader);
  llvm::Value* members = membersOf(ir.CreateZExtOrTrunc(leader, ir.getInt32Ty()));
  members = ir.CreateOr(ir.CreateAnd(members, rest), own);
  body(members);
  rest = ir.CreateAnd(rest, ir.CreateNot(members));
  e.writeSlot(rest_slot, rest);
  ir.CreateCondBr(ir.CreateICmpNE(rest, integerLike(rest, 0)), loop, end);
  ir.SetInsertPoint(end);
}

// Slots that the parts fill with what belongs to their members.
class PartResults {
 public:
  PartResults(Emission& e, llvm::ArrayRef<llvm::Type*> types) : e_(e) {
    for (llvm::Type* type : types) {
      slots_.push_back(e.allocate(e.simt.vectorOf(type), "parts"));
      e.writeSlot(slots_.back(), llvm::Constant::getNullValue(e.simt.vectorOf(type)));
    }
  }
  void set(size_t k, llvm::Value* members, llvm::Value* value) {
    llvm::Value* lanes = e_.simt.lanesOfBits(members);
    llvm::Value* others = e_.readSlot(slots_[k]);
    e_.writeSlot(slots_[k], e_.ir.CreateSelect(lanes, e_.simt.broadcast(value), others));
  }
  llvm::SmallVector<llvm::Value*, 4> read() {
    llvm::SmallVector<llvm::Value*, 4> values;
    for (llvm::AllocaInst* slot : slots_) values.push_back(e_.readSlot(slot));
    return values;
  }

 private:
  Emission& e_;
  llvm::SmallVector<llvm::AllocaInst*, 4> slots_;
};

// The bits of invocation `leader`'s ballot, which may be the same for all.
llvm::Value* ballotOf(Emission& e, const Value& ballot, llvm::Value* leader) {
  auto word = [&](size_t k) {
    llvm::Value* w = e.simt.lane(ballot.leaves[k], leader);
    return e.ir.CreateZExtOrTrunc(w, e.ir.getIntNTy(e.width()));
  };
  return e.width() <= 32 ? word(0) : e.ir.CreateOr(word(0), e.ir.CreateShl(word(1), 32));
}

// The ballot of those live invocations that bring an equal value. Floats are compared as numbers:
// a NaN is alone.
Error emitPartition(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  llvm::Expected<Value> value = e.value(groupInstruction(i)->value);
  if (!value) return value.takeError();
  for (llvm::Value*& leaf : value->leaves) leaf = e.simt.settled(leaf);
  PartResults words(e, {ir.getInt32Ty(), ir.getInt32Ty()});
  auto equals = [&](llvm::Value* leader) {
    llvm::Value* equal = e.simt.fullMask();
    for (llvm::Value* leaf : value->leaves) {
      if (!e.simt.isVarying(leaf)) continue;
      llvm::Value* first = e.simt.broadcast(e.simt.lane(leaf, leader));
      equal =
          ir.CreateAnd(equal, leaf->getType()->isFPOrFPVectorTy() ? ir.CreateFCmpOEQ(leaf, first)
                                                                  : ir.CreateICmpEQ(leaf, first));
    }
    return e.simt.bits(equal);
  };
  forEachPart(e, equals, [&](llvm::Value* members) {
    llvm::Value* bits = ir.CreateZExt(members, ir.getInt64Ty());
    words.set(0, members, ir.CreateTrunc(bits, ir.getInt32Ty()));
    words.set(1, members, ir.CreateTrunc(ir.CreateLShr(bits, 32), ir.getInt32Ty()));
  });
  Value result{i.type, words.read()};
  result.leaves.append(2, ir.getInt32(0));
  e.setValue(i, std::move(result));
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpGroupNonUniformPartitionEXT, emitPartition},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> subgroupPartitionOps() { return kRows; }

bool isPartitioned(spv::GroupOperation operation) {
  return operation == spv::GroupOperation::PartitionedReduceEXT ||
         operation == spv::GroupOperation::PartitionedInclusiveScanEXT ||
         operation == spv::GroupOperation::PartitionedExclusiveScanEXT;
}

Error emitPartitioned(Emission& e, const Instruction& i, GroupCombination combination) {
  const auto group = groupInstruction(i);
  llvm::Expected<Value> value = e.value(group->value);
  if (!value) return value.takeError();
  llvm::Expected<Value> ballot = e.value(group->partition);
  if (!ballot) return ballot.takeError();
  if (ballot->leaves.size() != 4) return malformed(e.module.describe(i) + " lacks its ballot");
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* leaf : value->leaves) types.push_back(e.simt.scalarOf(leaf));
  PartResults results(e, types);
  forEachPart(
      e, [&](llvm::Value* leader) { return ballotOf(e, *ballot, leader); },
      [&](llvm::Value* members) {
        combination.active = e.simt.lanesOfBits(members);
        for (size_t k = 0; k < value->leaves.size(); ++k)
          results.set(k, members, combineLanes(e, combination, value->leaves[k]));
      });
  e.setValue(i, Value{i.type, results.read()});
  return Error::success();
}

}  // namespace jit::spirv

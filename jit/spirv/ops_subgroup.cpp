// Source: SPIR-V Specification, 3.52.21 "Group and Subgroup Instructions", non-uniform ones.
// The scope is always Subgroup (Vulkan Specification, "Standalone SPIR-V Validation").
#include <llvm/IR/Intrinsics.h>

#include "jit/spirv/leafwise.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// True for the first live invocation.
Error emitElect(Emission& e, const Instruction& i) {
  llvm::Value* lanes = e.simt.laneIndices(e.ir.getInt32Ty());
  llvm::Value* first = e.simt.broadcast(e.simt.firstLive());
  e.setValue(i, Value{i.type, {e.ir.CreateICmpEQ(lanes, first)}});
  return Error::success();
}

// `predicate` for live invocations only, the others as `otherwise`.
llvm::Expected<llvm::Value*> livePredicate(Emission& e, Id id, bool otherwise) {
  llvm::Expected<Value> predicate = e.value(id);
  if (!predicate) return predicate.takeError();
  llvm::Value* lanes = e.simt.broadcast(predicate->leaves[0]);
  if (e.simt.mask == nullptr) return lanes;
  return otherwise ? e.ir.CreateOr(lanes, e.ir.CreateNot(e.simt.mask))
                   : e.ir.CreateAnd(lanes, e.simt.mask);
}

Error emitAny(Emission& e, const Instruction& i) {
  llvm::Expected<llvm::Value*> lanes = livePredicate(e, i.operands[1], false);
  if (!lanes) return lanes.takeError();
  e.setValue(i, Value{i.type, {e.simt.any(*lanes)}});
  return Error::success();
}

Error emitAll(Emission& e, const Instruction& i) {
  llvm::Expected<llvm::Value*> lanes = livePredicate(e, i.operands[1], true);
  if (!lanes) return lanes.takeError();
  e.setValue(i, Value{i.type, {e.ir.CreateNot(e.simt.any(e.ir.CreateNot(*lanes)))}});
  return Error::success();
}

Error emitBroadcastFirst(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = e.value(i.operands[1]);
  if (!v) return v.takeError();
  Value result{i.type, {}};
  for (llvm::Value* leaf : v->leaves) result.leaves.push_back(e.simt.uniform(leaf));
  e.setValue(i, std::move(result));
  return Error::success();
}

// Bits of the live invocations whose predicate holds, as a uvec4.
Error emitBallot(Emission& e, const Instruction& i) {
  llvm::Expected<llvm::Value*> lanes = livePredicate(e, i.operands[1], false);
  if (!lanes) return lanes.takeError();
  llvm::Value* bits = e.ir.CreateZExt(e.simt.bits(*lanes), e.ir.getInt64Ty());
  Value result{i.type, {}};
  result.leaves.push_back(e.ir.CreateTrunc(bits, e.ir.getInt32Ty()));
  result.leaves.push_back(e.ir.CreateTrunc(e.ir.CreateLShr(bits, 32), e.ir.getInt32Ty()));
  result.leaves.append(2, e.ir.getInt32(0));
  e.setValue(i, std::move(result));
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpGroupNonUniformElect, emitElect},
    {spv::Op::OpGroupNonUniformAll, emitAll},
    {spv::Op::OpGroupNonUniformAny, emitAny},
    {spv::Op::OpGroupNonUniformBroadcastFirst, emitBroadcastFirst},
    {spv::Op::OpGroupNonUniformBallot, emitBallot},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> subgroupOps() { return kRows; }

}  // namespace jit::spirv

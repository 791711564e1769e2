// SPDX-License-Identifier: Apache-2.0

// Elections and votes.
// Source: SPIR-V Specification, 3.52.24 "Non-Uniform Instructions"; SPV_KHR_subgroup_vote,
// SPV_KHR_quad_control.
#include "jit/emit/group_types.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/spirv/group_instruction.h"

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

Error emitAny(Emission& e, const Instruction& i) {
  return mapLeaves(e, i, groupInstruction(i)->value,
                   [&](auto* predicate) { return e.simt.any(e.simt.amongLive(predicate)); });
}

llvm::Value* all(Emission& e, llvm::Value* predicate) {
  return e.ir.CreateNot(e.simt.any(e.simt.amongLive(e.ir.CreateNot(predicate))));
}

Error emitAll(Emission& e, const Instruction& i) {
  return mapLeaves(e, i, groupInstruction(i)->value,
                   [&](auto* predicate) { return all(e, predicate); });
}

// Floats are compared as numbers: zeros of either sign are equal, a NaN is equal to nothing.
Error emitAllEqual(Emission& e, const Instruction& i) {
  llvm::Expected<Value> value = e.value(groupInstruction(i)->value);
  if (!value) return value.takeError();
  llvm::Value* equal = e.ir.getTrue();
  for (llvm::Value* leaf : value->leaves) {
    llvm::Value* first = e.simt.uniform(leaf);
    e.simt.unify(first, leaf);
    llvm::Value* same = leaf->getType()->isFPOrFPVectorTy() ? e.ir.CreateFCmpOEQ(leaf, first)
                                                            : e.ir.CreateICmpEQ(leaf, first);
    e.simt.unify(equal, same);
    equal = e.ir.CreateAnd(equal, same);
  }
  e.setValue(i, Value{i.type, {e.simt.isVarying(equal) ? all(e, equal) : equal}});
  return Error::success();
}

// In each lane of a quad: whether some bit of the quad is set.
llvm::Value* anyOfQuad(Emission& e, llvm::Value* lanes) {
  llvm::Value* bits = e.simt.bits(lanes);
  auto quads = [&](uint64_t in_each) {
    llvm::APInt pattern = llvm::APInt::getSplat(e.width(), llvm::APInt(4, in_each));
    return llvm::ConstantInt::get(bits->getType(), pattern);
  };
  llvm::Value* pairs = e.ir.CreateOr(bits, e.ir.CreateLShr(bits, 1));
  llvm::Value* first = e.ir.CreateAnd(e.ir.CreateOr(pairs, e.ir.CreateLShr(pairs, 2)), quads(1));
  llvm::Value* all = e.ir.CreateSub(e.ir.CreateShl(first, 4), first);  // 15 times the bit
  return e.simt.lanesOfBits(all);
}

template <bool All>
Error emitQuadVote(Emission& e, const Instruction& i) {
  return mapLeaves(e, i, groupInstruction(i)->value, [&](llvm::Value* predicate) {
    if (!e.simt.isVarying(predicate)) return predicate;
    llvm::Value* wanted = All ? e.ir.CreateNot(predicate) : predicate;
    llvm::Value* any = anyOfQuad(e, e.simt.amongLive(wanted));
    return All ? e.ir.CreateNot(any) : any;
  });
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpGroupNonUniformElect, emitElect},
    {spv::Op::OpGroupNonUniformAll, emitAll},
    {spv::Op::OpGroupNonUniformAny, emitAny},
    {spv::Op::OpGroupNonUniformAllEqual, emitAllEqual},
    {spv::Op::OpGroupNonUniformQuadAllKHR, emitQuadVote<true>},
    {spv::Op::OpGroupNonUniformQuadAnyKHR, emitQuadVote<false>},
    {spv::Op::OpSubgroupAllKHR, withCheckedTypes<emitAll>},
    {spv::Op::OpSubgroupAnyKHR, withCheckedTypes<emitAny>},
    {spv::Op::OpSubgroupAllEqualKHR, withCheckedTypes<emitAllEqual>},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> subgroupVoteOps() { return kRows; }

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// Ballots: a bit for each invocation, in a vector of four 32-bit words of which a subgroup of this
// driver needs two.
// Source: SPIR-V Specification, 3.52.24 "Non-Uniform Instructions"; SPV_KHR_shader_ballot.
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/group_types.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/uniform_check.h"
#include "jit/spirv/group_instruction.h"

namespace jit::spirv {

namespace {

using llvm::Error;

static_assert(kMaxSubgroupSize <= 64);

// Bits of the live invocations whose predicate holds.
Error emitBallot(Emission& e, const Instruction& i) {
  llvm::Expected<Value> predicate = e.value(groupInstruction(i)->value);
  if (!predicate) return predicate.takeError();
  llvm::Value* bits = e.simt.bits(e.simt.amongLive(predicate->leaves[0]));
  bits = e.ir.CreateZExt(bits, e.ir.getInt64Ty());
  Value result{i.type, {}};
  result.leaves.push_back(e.ir.CreateTrunc(bits, e.ir.getInt32Ty()));
  result.leaves.push_back(e.ir.CreateTrunc(e.ir.CreateLShr(bits, 32), e.ir.getInt32Ty()));
  result.leaves.append(2, e.ir.getInt32(0));
  e.setValue(i, std::move(result));
  return Error::success();
}

// The bits of a ballot that stand for invocations, as one integer: of 32 bits, of 64 for larger
// subgroups. What lies above them does not count.
llvm::Expected<llvm::Value*> ballotBits(Emission& e, Id id) {
  llvm::Expected<Value> ballot = e.value(id);
  if (!ballot) return ballot.takeError();
  if (ballot->leaves.size() != 4) return malformed(e.module.describe(id) + " is not a ballot");
  llvm::Value *low = ballot->leaves[0], *high = ballot->leaves[1];
  if (e.width() < 32) return e.ir.CreateAnd(low, integerLike(low, (1u << e.width()) - 1));
  if (e.width() == 32) return low;
  e.simt.unify(low, high);
  llvm::Type* wide = shapedLike(low, e.ir.getInt64Ty());
  high = e.ir.CreateShl(e.ir.CreateZExt(high, wide), 32);
  return e.ir.CreateOr(e.ir.CreateZExt(low, wide), high);
}

// All live invocations bring the same ballot.
Error emitInverseBallot(Emission& e, const Instruction& i) {
  llvm::Expected<llvm::Value*> ballot = ballotBits(e, groupInstruction(i)->value);
  if (!ballot) return ballot.takeError();
  if (Error error = UniformCheck(e).groupOperand(i)) return error;
  llvm::Value* bits = e.ir.CreateTrunc(e.simt.uniform(*ballot), e.ir.getIntNTy(e.width()));
  e.setValue(i, Value{i.type, {e.simt.lanesOfBits(bits)}});
  return Error::success();
}

Error emitBallotBitExtract(Emission& e, const Instruction& i) {
  const auto group = groupInstruction(i);
  llvm::Expected<llvm::Value*> ballot = ballotBits(e, group->value);
  if (!ballot) return ballot.takeError();
  return mapLeaves(e, i, group->selector, [&](llvm::Value* index) {
    llvm::Value* bits = *ballot;
    e.simt.unify(bits, index);
    // An index past the subgroup is undefined.
    index = e.ir.CreateZExtOrTrunc(index, bits->getType());
    index = e.ir.CreateAnd(index, integerLike(index, std::max(e.width(), 32u) - 1));
    return e.ir.CreateTrunc(e.ir.CreateLShr(bits, index), shapedLike(bits, e.ir.getInt1Ty()));
  });
}

// The number of set bits: of all, of those up to each invocation's, of those below it.
Error emitBallotBitCount(Emission& e, const Instruction& i) {
  const auto group = groupInstruction(i);
  llvm::Expected<llvm::Value*> ballot = ballotBits(e, group->value);
  if (!ballot) return ballot.takeError();
  llvm::Value* bits = *ballot;
  if (group->operation != spv::GroupOperation::Reduce) {
    const uint32_t own = group->operation == spv::GroupOperation::InclusiveScan ? 1 : 0;
    if (own == 0 && group->operation != spv::GroupOperation::ExclusiveScan)
      return e.unsupportedAt(i,
                             "this group operation; bits are counted by Reduce, InclusiveScan "
                             "and ExclusiveScan");
    llvm::SmallVector<llvm::Constant*, 64> below;
    for (uint32_t l = 0; l < e.width(); ++l)
      below.push_back(llvm::ConstantInt::get(
          bits->getType()->getScalarType(),
          llvm::APInt::getLowBitsSet(bits->getType()->getScalarSizeInBits(), l + own)));
    bits = e.ir.CreateAnd(e.simt.broadcast(bits), llvm::ConstantVector::get(below));
  }
  llvm::Value* count = e.simt.call(llvm::Intrinsic::ctpop, {bits});
  count = e.ir.CreateZExtOrTrunc(count, shapedLike(count, e.leafType(i.type)));
  e.setValue(i, Value{i.type, {count}});
  return Error::success();
}

// The number of the lowest or of the highest bit that is set. Without one, the result is undefined.
template <bool Highest>
Error emitBallotFind(Emission& e, const Instruction& i) {
  llvm::Expected<llvm::Value*> ballot = ballotBits(e, groupInstruction(i)->value);
  if (!ballot) return ballot.takeError();
  const auto id = Highest ? llvm::Intrinsic::ctlz : llvm::Intrinsic::cttz;
  llvm::Value* bit = e.simt.call(id, {*ballot, e.ir.getFalse()});
  if (Highest)
    bit = e.ir.CreateSub(integerLike(bit, bit->getType()->getScalarSizeInBits() - 1), bit);
  bit = e.ir.CreateZExtOrTrunc(bit, shapedLike(bit, e.leafType(i.type)));
  e.setValue(i, Value{i.type, {bit}});
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpGroupNonUniformBallot, emitBallot},
    {spv::Op::OpGroupNonUniformInverseBallot, emitInverseBallot},
    {spv::Op::OpGroupNonUniformBallotBitExtract, emitBallotBitExtract},
    {spv::Op::OpGroupNonUniformBallotBitCount, emitBallotBitCount},
    {spv::Op::OpGroupNonUniformBallotFindLSB, emitBallotFind<false>},
    {spv::Op::OpGroupNonUniformBallotFindMSB, emitBallotFind<true>},
    {spv::Op::OpSubgroupBallotKHR, withCheckedTypes<emitBallot>},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> subgroupBallotOps() { return kRows; }

}  // namespace jit::spirv

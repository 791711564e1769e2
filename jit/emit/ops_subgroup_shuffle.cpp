// SPDX-License-Identifier: Apache-2.0

// Values that invocations read from each other: broadcasts, shuffles, rotations, quads.
//
// A value that an invocation reads from one that is not live, or that does not exist, is undefined.
// Numbers of invocations are taken modulo the subgroup's size, so that reading stays defined.
//
// Source: SPIR-V Specification, 3.52.24 "Non-Uniform Instructions"; SPV_KHR_shader_ballot,
// SPV_KHR_subgroup_rotate.
#include "jit/emit/group_types.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/uniform_check.h"
#include "jit/simt/lane_permute.h"
#include "jit/spirv/group_instruction.h"

namespace jit::spirv {

namespace {

using llvm::Error;

Error emitBroadcastFirst(Emission& e, const Instruction& i) {
  return mapLeaves(e, i, groupInstruction(i)->value,
                   [&](auto* leaf) { return e.simt.uniform(leaf); });
}

// All live invocations name the same one.
Error emitBroadcast(Emission& e, const Instruction& i) {
  const auto group = groupInstruction(i);
  llvm::Expected<Value> id = e.value(group->selector);
  if (!id) return id.takeError();
  if (Error error = UniformCheck(e).groupOperand(i)) return error;
  llvm::Value* source = e.simt.uniform(id->leaves[0]);
  return mapLeaves(e, i, group->value,
                   [&](auto* leaf) { return e.simt.lane(e.simt.settled(leaf), source); });
}

// Each lane reads the lane `source(lanes, operand)`, where lanes and operand are both integers
// (the operand is a constant) or both IR values of i32.
template <typename Source>
Error emitMove(Emission& e, const Instruction& i, Source source) {
  const auto group = groupInstruction(i);
  llvm::Expected<Value> selector = e.value(group->selector);
  if (!selector) return selector.takeError();
  llvm::Value* operand = selector->leaves[0];
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand)) {
    const auto number = static_cast<uint32_t>(constant->getZExtValue());
    return mapLeaves(e, i, group->value, [&](llvm::Value* leaf) {
      if (!e.simt.isVarying(leaf)) return leaf;
      return simt::shuffleLanes(e.simt, e.simt.settled(leaf), [&](uint32_t lane) {
        return source.lane(lane, number) % e.width();
      });
    });
  }
  operand = e.ir.CreateZExtOrTrunc(operand, shapedLike(operand, e.ir.getInt32Ty()));
  llvm::Value* lanes = e.simt.laneIndices(e.ir.getInt32Ty());
  llvm::Value* index = source.lanes(e.ir, lanes, e.simt.broadcast(operand));
  return mapLeaves(e, i, group->value, [&](llvm::Value* leaf) {
    if (!e.simt.isVarying(leaf)) return leaf;
    return simt::permuteLanes(e.simt, e.target, e.simt.settled(leaf), index);
  });
}

// The index may be any live invocation's number, a different one for each.
Error emitShuffle(Emission& e, const Instruction& i) {
  llvm::Expected<Value> index = e.value(groupInstruction(i)->selector);
  if (!index) return index.takeError();
  if (!e.simt.isVarying(index->leaves[0])) return emitBroadcast(e, i);
  struct Source {
    static uint32_t lane(uint32_t, uint32_t index) { return index; }
    static llvm::Value* lanes(llvm::IRBuilderBase&, llvm::Value*, llvm::Value* index) {
      return index;
    }
  };
  return emitMove(e, i, Source{});
}

// A source that is the lane's number and the operand in one operation.
template <llvm::Instruction::BinaryOps Op>
struct Relative {
  static uint32_t lane(uint32_t lane, uint32_t operand) {
    return Op == llvm::Instruction::Xor   ? lane ^ operand
           : Op == llvm::Instruction::Sub ? lane - operand
                                          : lane + operand;
  }
  static llvm::Value* lanes(llvm::IRBuilderBase& ir, llvm::Value* lanes, llvm::Value* operand) {
    return ir.CreateBinOp(Op, lanes, operand);
  }
};

template <llvm::Instruction::BinaryOps Op>
Error emitRelative(Emission& e, const Instruction& i) {
  return emitMove(e, i, Relative<Op>{});
}

// Lanes of one cluster, a power of two of them, move in a circle or all read one of them.
struct Clustered {
  uint32_t cluster;
  bool circle;
  uint32_t lane(uint32_t lane, uint32_t operand) const {
    const uint32_t inside = circle ? lane + operand : operand;
    return (lane & ~(cluster - 1)) | (inside & (cluster - 1));
  }
  llvm::Value* lanes(llvm::IRBuilderBase& ir, llvm::Value* lanes, llvm::Value* operand) const {
    llvm::Value* inside = circle ? ir.CreateAdd(lanes, operand) : operand;
    return ir.CreateOr(ir.CreateAnd(lanes, integerLike(lanes, ~uint64_t{cluster - 1})),
                       ir.CreateAnd(inside, integerLike(lanes, cluster - 1)));
  }
};

Error emitRotate(Emission& e, const Instruction& i) {
  llvm::Expected<uint32_t> cluster = clusterSize(e.module, i, e.width());
  if (!cluster) return cluster.takeError();
  if (Error error = UniformCheck(e).groupOperand(i)) return error;
  return emitMove(e, i, Clustered{*cluster, true});
}

Error emitQuadBroadcast(Emission& e, const Instruction& i) {
  if (Error error = UniformCheck(e).groupOperand(i)) return error;
  return emitMove(e, i, Clustered{4, false});
}

// Direction 0 swaps horizontally, 1 vertically, 2 diagonally: lanes differ in bit 0, 1 or both.
Error emitQuadSwap(Emission& e, const Instruction& i) {
  struct Source {
    static uint32_t lane(uint32_t lane, uint32_t direction) { return lane ^ ((direction & 3) + 1); }
    static llvm::Value* lanes(llvm::IRBuilderBase& ir, llvm::Value* lanes, llvm::Value* direction) {
      llvm::Value* in_range = ir.CreateAnd(direction, integerLike(direction, 3));
      return ir.CreateXor(lanes, ir.CreateAdd(in_range, integerLike(direction, 1)));
    }
  };
  return emitMove(e, i, Source{});
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpGroupNonUniformBroadcast, emitBroadcast},
    {spv::Op::OpGroupNonUniformBroadcastFirst, emitBroadcastFirst},
    {spv::Op::OpGroupNonUniformShuffle, emitShuffle},
    {spv::Op::OpGroupNonUniformShuffleXor, emitRelative<llvm::Instruction::Xor>},
    {spv::Op::OpGroupNonUniformShuffleUp, emitRelative<llvm::Instruction::Sub>},
    {spv::Op::OpGroupNonUniformShuffleDown, emitRelative<llvm::Instruction::Add>},
    {spv::Op::OpGroupNonUniformRotateKHR, emitRotate},
    {spv::Op::OpGroupNonUniformQuadBroadcast, emitQuadBroadcast},
    {spv::Op::OpGroupNonUniformQuadSwap, emitQuadSwap},
    {spv::Op::OpSubgroupFirstInvocationKHR, withCheckedTypes<emitBroadcastFirst>},
    {spv::Op::OpSubgroupReadInvocationKHR, withCheckedTypes<emitBroadcast>},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> subgroupShuffleOps() { return kRows; }

}  // namespace jit::spirv

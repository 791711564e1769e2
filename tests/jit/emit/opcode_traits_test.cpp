// SPDX-License-Identifier: Apache-2.0

// The table of what is unusual about opcodes, held against the tables of emission.
#include "jit/spirv/opcode_traits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "jit/emit/opcode_rows.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/operands.h"

namespace jit::spirv {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// Past all of the driver's own.
constexpr uint32_t kEndOfOpcodes = kFirstInternalOp + 256;

std::vector<spv::Op> opcodesWithTraits() {
  std::vector<spv::Op> ops;
  for (uint32_t number = 0; number < kEndOfOpcodes; ++number)
    if (findTraits(static_cast<spv::Op>(number)) != nullptr)
      ops.push_back(static_cast<spv::Op>(number));
  return ops;
}

TEST(OpcodeTraits, EachEmittedOpcodeHasARow) {
  size_t emitted = 0;
  for (uint32_t number = 0; number < kEndOfOpcodes; ++number) {
    const auto op = static_cast<spv::Op>(number);
    if (findOpcode(op) == nullptr) continue;
    ++emitted;
    EXPECT_NE(findTraits(op), nullptr)
        << "opcode " << number << " is emitted, and has no row in jit/spirv/opcode_traits.def";
  }
  EXPECT_GT(emitted, 200u);
}

TEST(OpcodeTraits, WhatLooksAcrossInvocationsStaysWhereItIs) {
  for (spv::Op op : opcodesWithTraits()) {
    const OpcodeTraits& traits = traitsOf(op);
    const bool across = traits.tangled || traits.form >= OperandForm::GroupScoped;
    if (!across && traits.shared_by != SharedBy::Nobody) continue;
    EXPECT_EQ(traits.effect, Effect::Any) << static_cast<uint32_t>(op);
    EXPECT_EQ(traits.cost, OpcodeTraits::kNever) << static_cast<uint32_t>(op);
    EXPECT_FALSE(traits.by_lane) << static_cast<uint32_t>(op);
  }
}

TEST(OpcodeTraits, WhatIsDoneElsewhereHasNoEffect) {
  for (spv::Op op : opcodesWithTraits()) {
    const OpcodeTraits& traits = traitsOf(op);
    const bool costs = traits.cost != OpcodeTraits::kNever;
    EXPECT_TRUE(!costs || traits.effect != Effect::Any) << static_cast<uint32_t>(op);
    EXPECT_TRUE(costs || !traits.by_constant) << static_cast<uint32_t>(op);
    EXPECT_TRUE(traits.by_lane || !traits.in_first_lane) << static_cast<uint32_t>(op);
  }
}

// What only groups share is said of groups, and the other way round.
TEST(OpcodeTraits, GroupsAreSharedAsGroupsAre) {
  for (spv::Op op : opcodesWithTraits()) {
    const OpcodeTraits& traits = traitsOf(op);
    const bool group = traits.form >= OperandForm::GroupScoped;
    const bool of_groups = traits.shared_by >= SharedBy::Subgroup;
    EXPECT_TRUE(group || !of_groups) << static_cast<uint32_t>(op);
    EXPECT_TRUE(!group || of_groups || traits.shared_by == SharedBy::Nobody)
        << static_cast<uint32_t>(op);
  }
}

llvm::SmallVector<Id, 8> valuesOf(spv::Op op) {
  static std::array<uint32_t, 6> operands = {10, 11, 12, 13, 14, 15};
  Instruction i;
  i.op = op;
  i.operands = operands;
  return valueOperands(i);
}

TEST(OpcodeTraits, PointersFollowFromTheirFirstValue) {
  static std::array<uint32_t, 3> operands = {10, 11, 12};
  auto base = [](spv::Op op) {
    Instruction i;
    i.op = op;
    i.operands = operands;
    return baseOf(i);
  };
  EXPECT_EQ(base(spv::Op::OpLoad), 0u);
  EXPECT_EQ(base(spv::Op::OpCopyObject), 10u);
  EXPECT_EQ(base(spv::Op::OpAccessChain), 10u);
  EXPECT_EQ(base(spv::Op::OpUntypedAccessChainKHR), 11u);
  EXPECT_EQ(base(opcode(InternalOp::MatrixElementPointer)), 10u);
  for (spv::Op op : opcodesWithTraits())
    if (traitsOf(op).points_to != PointsTo::None) {
      EXPECT_EQ(base(op), valuesOf(op).front()) << static_cast<uint32_t>(op);
    }
}

// A variable's value follows from those that assign to it, so nothing else may happen to memory.
TEST(OpcodeTraits, AccessesOfObjectsTakePointers) {
  for (spv::Op op : opcodesWithTraits()) {
    const OpcodeTraits& traits = traitsOf(op);
    for (uint8_t operand : {traits.loads, traits.stores, traits.undefines})
      if (operand != OpcodeTraits::kNone) {
        EXPECT_THAT(valuesOf(op), Contains(10 + operand)) << static_cast<uint32_t>(op);
      }
    const bool writes =
        traits.stores != OpcodeTraits::kNone || traits.undefines != OpcodeTraits::kNone;
    EXPECT_TRUE(!writes || traits.effect == Effect::Any) << static_cast<uint32_t>(op);
    EXPECT_TRUE(!accessesObject(op) || traits.points_to == PointsTo::None)
        << static_cast<uint32_t>(op);
  }
  EXPECT_TRUE(accessesObject(spv::Op::OpCopyMemory));
  EXPECT_FALSE(accessesObject(spv::Op::OpCopyMemorySized));
  EXPECT_FALSE(accessesObject(spv::Op::OpAtomicStore));
}

TEST(OpcodeTraits, OpcodesWithoutARowMayDoAnything) {
  const auto op = static_cast<spv::Op>(kEndOfOpcodes);
  EXPECT_EQ(findTraits(op), nullptr);
  EXPECT_EQ(traitsOf(op).effect, Effect::Any);
  EXPECT_EQ(traitsOf(op).cost, OpcodeTraits::kNever);
}

TEST(OpcodeTraits, OperandsThatAreValues) {
  EXPECT_THAT(valuesOf(spv::Op::OpUndef), IsEmpty());
  EXPECT_THAT(valuesOf(spv::Op::OpIAdd), ElementsAre(10, 11, 12, 13, 14, 15));
  EXPECT_THAT(valuesOf(spv::Op::OpStore), ElementsAre(10, 11));
  EXPECT_THAT(valuesOf(spv::Op::OpPhi), ElementsAre(10, 12, 14));
  EXPECT_THAT(valuesOf(spv::Op::OpExtInst), ElementsAre(12, 13, 14, 15));
  EXPECT_THAT(valuesOf(spv::Op::OpUntypedArrayLengthKHR), ElementsAre(11));
  EXPECT_THAT(valuesOf(spv::Op::OpGroupNonUniformElect), IsEmpty());
  EXPECT_THAT(valuesOf(spv::Op::OpSubgroupAllKHR), ElementsAre(10, 11));
  EXPECT_THAT(valuesOf(spv::Op::OpGroupNonUniformShuffle), ElementsAre(11, 12, 13));
  EXPECT_THAT(valuesOf(spv::Op::OpGroupNonUniformIAdd), ElementsAre(12, 13));
  EXPECT_THAT(valuesOf(opcode(InternalOp::TensorElement)), ElementsAre(10, 13, 14, 15));
}

}  // namespace
}  // namespace jit::spirv

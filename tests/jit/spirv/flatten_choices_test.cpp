// SPDX-License-Identifier: Apache-2.0

// Selections that become choices between values, and those that stay.
#include "jit/spirv/flatten_choices.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/jit/spirv/assembled_module.h"
#include "tests/jit/spirv/inlined_module.h"

namespace jit::spirv {
namespace {

struct Flattened {
  std::unique_ptr<Module> module;
  unsigned count = 0;

  unsigned number(spv::Op op) const { return numberOf(*module, op); }
};

// A function with this code behind its first label. %x, %y are uints of a push constant, %less is
// whether x < y, %buffer a storage buffer of one uint and %shared a Workgroup variable.
Flattened flattened(const std::string& code) {
  Flattened result;
  result.module = readGood(shader(R"(
      %block = OpTypeStruct %uint %uint
      %to_block = OpTypePointer PushConstant %block
      %to_member = OpTypePointer PushConstant %uint
      %push = OpVariable %to_block PushConstant
      %to_shared = OpTypePointer Workgroup %uint
      %shared = OpVariable %to_shared Workgroup
      %u100 = OpConstant %uint 100
      %limited_type = OpTypeFunction %uint)",
                                  R"(
      %entry = OpLabel
      %x_at = OpAccessChain %to_member %push %u0
      %x = OpLoad %uint %x_at
      %y_at = OpAccessChain %to_member %push %u1
      %y = OpLoad %uint %y_at
      %less = OpULessThan %bool %x %y
)" + code + (code.ends_with("OpFunctionEnd") ? "\n" : "\nOpReturn\nOpFunctionEnd\n"),
                                  R"(
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpMemberDecorate %block 1 Offset 4)"));
  if (result.module == nullptr) throw std::runtime_error("not read");
  result.count = flattenChoices(*result.module);
  expectInlined(*result.module);
  return result;
}

// if (less) { `side` } with a phi of %value and %x behind it.
std::string triangle(std::string_view side, std::string_view control = "None") {
  return "OpSelectionMerge %merge " + std::string(control) + R"(
      OpBranchConditional %less %then %merge
      %then = OpLabel
      )" +
         std::string(side) +
         R"(
      OpBranch %merge
      %merge = OpLabel
      %chosen = OpPhi %uint %value %then %x %entry
      OpStore %shared %chosen)";
}

TEST(FlattenChoices, OneSideOfAFewOperations) {
  const Flattened m = flattened(triangle("%value = OpIAdd %uint %x %y"));
  EXPECT_EQ(m.count, 1u);
  EXPECT_EQ(m.module->entry.blocks.size(), 1u);
  EXPECT_EQ(m.number(spv::Op::OpPhi), 0u);
  EXPECT_EQ(m.number(spv::Op::OpSelect), 1u);
}

// LLVM's time grows with the square of the number of blocks in a row.
TEST(FlattenChoices, ALongRowIsOneBlock) {
  constexpr unsigned kCount = 400;
  std::string row, value = "%x", before = "%entry";
  for (unsigned k = 0; k < kCount; ++k) {
    const std::string n = std::to_string(k);
    row += "OpSelectionMerge %merge" + n + " None\nOpBranchConditional %less %then" + n +
           " %merge" + n + "\n%then" + n + " = OpLabel\n%sum" + n + " = OpIAdd %uint " + value +
           " %y\nOpBranch %merge" + n + "\n%merge" + n + " = OpLabel\n%chosen" + n +
           " = OpPhi %uint %sum" + n + " %then" + n + " " + value + " " + before + "\n";
    value = "%chosen" + n;
    before = "%merge" + n;
  }
  const Flattened m = flattened(row + "OpStore %shared " + value);
  EXPECT_EQ(m.count, kCount);
  EXPECT_EQ(m.module->entry.blocks.size(), 1u);
  EXPECT_EQ(m.number(spv::Op::OpSelect), kCount);
}

// (x < y && x < 100) || y < x
TEST(FlattenChoices, OneInTheOther) {
  const Flattened m = flattened(R"(
      OpSelectionMerge %merge1 None
      OpBranchConditional %less %then1 %merge1
      %then1 = OpLabel
      %below = OpULessThan %bool %x %u100
      OpBranch %merge1
      %merge1 = OpLabel
      %both = OpPhi %bool %less %entry %below %then1
      OpSelectionMerge %merge2 None
      OpBranchConditional %both %merge2 %else2
      %else2 = OpLabel
      %y_again = OpAccessChain %to_member %push %u1
      %y2 = OpLoad %uint %y_again
      %greater = OpUGreaterThan %bool %x %y2
      OpBranch %merge2
      %merge2 = OpLabel
      %either = OpPhi %bool %both %merge1 %greater %else2
      OpSelectionMerge %merge3 None
      OpBranchConditional %either %then3 %merge3
      %then3 = OpLabel
      OpStore %shared %x
      OpBranch %merge3
      %merge3 = OpLabel)");
  EXPECT_EQ(m.count, 2u);
  EXPECT_EQ(m.module->entry.blocks.size(), 3u) << "the store's stays";
  EXPECT_EQ(m.number(spv::Op::OpSelect), 2u);
}

TEST(FlattenChoices, BothSidesAndOneThatIsNotAssigned) {
  const Flattened m = flattened(R"(
      %none = OpUndef %uint
      OpSelectionMerge %merge None
      OpBranchConditional %less %then %else
      %then = OpLabel
      %sum = OpIAdd %uint %x %y
      OpBranch %merge
      %else = OpLabel
      %rest = OpUMod %uint %x %u100
      OpBranch %merge
      %merge = OpLabel
      %chosen = OpPhi %uint %rest %else %sum %then
      OpStore %shared %chosen)");
  EXPECT_EQ(m.count, 1u);
  for (const Instruction& i : m.module->entry.blocks[0].instructions) {
    if (i.op != spv::Op::OpSelect) continue;
    const auto& before = m.module->entry.blocks[0].instructions;
    const auto sum = std::find_if(before.begin(), before.end(),
                                  [](const Instruction& k) { return k.op == spv::Op::OpIAdd; });
    EXPECT_EQ(i.operands[1], sum->result) << "of the side where the condition holds";
  }
}

// if (x < y) return x; if (x < 100) return y; return 100;
TEST(FlattenChoices, ReturnsOfAnInlinedFunction) {
  const Flattened m = flattened(R"(
      %result = OpFunctionCall %uint %limited
      OpStore %shared %result
      OpReturn
      OpFunctionEnd
      %limited = OpFunction %uint None %limited_type
      %start = OpLabel
      %a_at = OpAccessChain %to_member %push %u0
      %a = OpLoad %uint %a_at
      %b_at = OpAccessChain %to_member %push %u1
      %b = OpLoad %uint %b_at
      %first = OpULessThan %bool %a %b
      OpSelectionMerge %second None
      OpBranchConditional %first %then %second
      %then = OpLabel
      OpReturnValue %a
      %second = OpLabel
      %below = OpULessThan %bool %a %u100
      OpSelectionMerge %third None
      OpBranchConditional %below %then2 %third
      %then2 = OpLabel
      OpReturnValue %b
      %third = OpLabel
      OpReturnValue %u100
      OpFunctionEnd)");
  EXPECT_EQ(m.count, 3u) << "two choices and the call";
  EXPECT_EQ(m.module->entry.blocks.size(), 1u);
  EXPECT_EQ(m.number(spv::Op::OpSelect), 2u);
}

TEST(FlattenChoices, WhatNotEveryInvocationMayDoStays) {
  for (const char* side :
       {"%value = OpLoad %uint %shared", "OpStore %shared %x\n%value = OpIAdd %uint %x %y",
        "%value = OpUDiv %uint %x %y", "%value = OpAtomicIAdd %uint %shared %u1 %u0 %u1"})
    EXPECT_EQ(flattened(triangle(side)).count, 0u) << side;
}

TEST(FlattenChoices, MuchStays) {
  std::string side = "%value0 = OpIAdd %uint %x %y\n";
  for (unsigned k = 0; k < kMaxFlattenedCost; ++k)
    side += "%value" + (k + 1 == kMaxFlattenedCost ? std::string() : std::to_string(k + 1)) +
            " = OpIMul %uint %value" + std::to_string(k) + " %x\n";
  EXPECT_EQ(flattened(triangle(side)).count, 0u);
}

TEST(FlattenChoices, WhatTheShaderWantsAsABranchStays) {
  EXPECT_EQ(flattened(triangle("%value = OpIAdd %uint %x %y", "DontFlatten")).count, 0u);
  EXPECT_EQ(flattened(triangle("%value = OpIAdd %uint %x %y", "Flatten")).count, 1u);
}

// The merge block of the choice is where the loop goes on.
TEST(FlattenChoices, ABlockThatALoopNamesKeepsItsLabel) {
  const Flattened m = flattened(R"(
      OpBranch %header
      %header = OpLabel
      %k = OpPhi %uint %u0 %entry %next %go_on
      OpLoopMerge %after %go_on None
      OpBranch %check
      %check = OpLabel
      OpSelectionMerge %joined None
      OpBranchConditional %less %then %joined
      %then = OpLabel
      %sum = OpIAdd %uint %k %y
      OpBranch %joined
      %joined = OpLabel
      %step = OpPhi %uint %sum %then %u1 %check
      OpBranch %go_on
      %go_on = OpLabel
      %next = OpIAdd %uint %k %step
      %again = OpULessThan %bool %next %u100
      OpBranchConditional %again %header %after
      %after = OpLabel)");
  EXPECT_EQ(m.count, 1u);
  EXPECT_EQ(m.number(spv::Op::OpPhi), 1u) << "the loop's own";
  EXPECT_EQ(m.number(spv::Op::OpSelect), 1u);
}

}  // namespace
}  // namespace jit::spirv

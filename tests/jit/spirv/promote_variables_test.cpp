// SPDX-License-Identifier: Apache-2.0

// Variables that become values: which do, and where phis come.
#include "jit/spirv/promote_variables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/jit/spirv/assembled_module.h"
#include "tests/jit/spirv/inlined_module.h"

namespace jit::spirv {
namespace {

struct Promoted {
  std::unique_ptr<Module> module;
  unsigned count = 0;

  std::vector<std::string> variables() const {
    std::vector<std::string> names;
    for (const auto* all : {&module->variables, &module->entry.variables})
      for (const Variable& v : *all)
        if (module->names.contains(v.id)) names.push_back(module->names.at(v.id));
    std::sort(names.begin(), names.end());
    return names;
  }
  unsigned phis() const {
    unsigned number = 0;
    for (const Block& block : module->entry.blocks)
      number += static_cast<unsigned>(
          std::count_if(block.instructions.begin(), block.instructions.end(),
                        [](const Instruction& i) { return i.op == spv::Op::OpPhi; }));
    return number;
  }
  const Instruction& defining(std::string_view name) const {
    const Id id = named(*module, name);
    for (const Block& block : module->entry.blocks)
      for (const Instruction& i : block.instructions)
        if (i.result == id) return i;
    throw std::runtime_error("no instruction " + std::string(name));
  }
  // What a copy is of, by number where it is a constant.
  uint64_t constantOf(std::string_view name) const {
    const Instruction& i = defining(name);
    const Constant* constant = module->constant(i.operands[0]);
    return constant == nullptr ? ~uint64_t{0} : constant->leaves.empty() ? 0 : constant->leaves[0];
  }
};

// Of a function with this code, the variables %a and %b of uint, %v of uvec4, %n of an array of
// three, %s of a structure of uint and uvec4, %m of 17 uints, and %p, a Private uint that holds 3.
Promoted promoted(std::string_view code, std::string_view names = "", bool by_value = true) {
  std::string all =
      "OpName %a \"a\"\nOpName %b \"b\"\nOpName %v \"v\"\nOpName %n \"n\"\n"
      "OpName %s \"s\"\nOpName %m \"m\"\nOpName %p \"p\"\n";
  for (size_t at = 0; at < names.size();) {
    const size_t end = std::min(names.find(' ', at), names.size());
    const std::string name(names.substr(at, end - at));
    all += "OpName %" + name + " \"" + name + "\"\n";
    at = end + 1;
  }
  Promoted result;
  result.module =
      readGood(shader(R"(
      %uint4 = OpTypeVector %uint 4
      %array = OpTypeArray %uint %u3
      %u17 = OpConstant %uint 17
      %many = OpTypeArray %uint %u17
      %struct = OpTypeStruct %uint %uint4
      %global_uint = OpTypePointer Private %uint
      %to_uint = OpTypePointer Function %uint
      %to_vector = OpTypePointer Function %uint4
      %to_array = OpTypePointer Function %array
      %to_many = OpTypePointer Function %many
      %to_struct = OpTypePointer Function %struct
      %condition = OpConstantTrue %bool
      %vector = OpConstantComposite %uint4 %u0 %u1 %u2 %u3
      %p = OpVariable %global_uint Private %u3)",
                      "%entry = OpLabel\n%a = OpVariable %to_uint Function\n"
                      "%b = OpVariable %to_uint Function\n"
                      "%v = OpVariable %to_vector Function\n%n = OpVariable %to_array Function\n"
                      "%s = OpVariable %to_struct Function\n%m = OpVariable %to_many Function\n" +
                          std::string(code) + "\nOpReturn\nOpFunctionEnd\n",
                      all));
  if (result.module == nullptr) throw std::runtime_error("not read");
  result.count = promoteVariables(*result.module, by_value);
  expectInlined(*result.module);
  return result;
}

TEST(PromoteVariables, LoadsBecomeCopiesOfWhatWasStored) {
  const Promoted m = promoted(R"(
      OpStore %a %u1
      %x = OpLoad %uint %a
      OpStore %a %u2
      %y = OpLoad %uint %a
      %z = OpLoad %uint %p)",
                              "x y z");
  EXPECT_EQ(m.constantOf("x"), 1u);
  EXPECT_EQ(m.constantOf("y"), 2u);
  EXPECT_EQ(m.constantOf("z"), 3u);
  EXPECT_EQ(m.phis(), 0u);
  EXPECT_EQ(m.variables(), (std::vector<std::string>{"m"}));
}

TEST(PromoteVariables, PartsAreTakenOutAndPutIn) {
  const Promoted m = promoted(R"(
      %v1 = OpAccessChain %to_uint %v %u1
      %s1 = OpAccessChain %to_vector %s %u1
      %s12 = OpAccessChain %to_uint %s1 %u2
      OpStore %v %vector
      OpStore %v1 %u4
      %x = OpLoad %uint4 %v
      OpStore %s1 %x
      OpStore %s12 %u1
      %y = OpLoad %uint %s12)",
                              "x y");
  EXPECT_EQ(m.defining("y").op, spv::Op::OpCompositeExtract);
  EXPECT_EQ(m.defining("y").operands.size(), 3u);
  EXPECT_EQ(m.variables(), (std::vector<std::string>{"m"}));
}

TEST(PromoteVariables, WhatIsUsedOtherwiseStays) {
  const Promoted m = promoted(R"(
      OpStore %a %u1
      %i = OpLoad %uint %a Volatile
      OpStore %b %u1
      %k = OpLoad %uint %b
      %nk = OpAccessChain %to_uint %n %k
      OpStore %nk %u1
      %sk = OpAccessChain %to_vector %s %u1
      %skk = OpAccessChain %to_uint %sk %k
      OpStore %skk %u1
      %past = OpAccessChain %to_uint %n %u3
      OpStore %past %u1
      OpCopyMemory %s %s
      %m1 = OpAccessChain %to_uint %m %u1
      OpStore %m1 %u1)");
  EXPECT_EQ(m.variables(), (std::vector<std::string>{"a", "m", "n", "s"}));
}

constexpr std::string_view kComponentByValue = R"(
      OpStore %a %u1
      %k = OpLoad %uint %a
      OpStore %v %vector
      %vk = OpAccessChain %to_uint %v %k
      OpStore %vk %u4
      %x = OpLoad %uint %vk)";

TEST(PromoteVariables, ComponentsOfVectorsAreChosenByValues) {
  const Promoted m = promoted(kComponentByValue, "x");
  const Instruction& x = m.defining("x");
  EXPECT_EQ(x.op, spv::Op::OpVectorExtractDynamic);
  const auto& instructions = m.module->entry.blocks.back().instructions;
  const auto insert =
      std::ranges::find(instructions, spv::Op::OpVectorInsertDynamic, &Instruction::op);
  ASSERT_NE(insert, instructions.end());
  EXPECT_EQ(x.operands[0], insert->result);
  EXPECT_EQ(x.operands[1], insert->operands[2]);
  EXPECT_EQ(m.module->constant(insert->operands[1])->leaves[0], 4u);
  EXPECT_EQ(m.variables(), (std::vector<std::string>{"m"}));
}

TEST(PromoteVariables, WhereAccessesAreLookedAtComponentsStayInMemory) {
  const Promoted m = promoted(kComponentByValue, "x", false);
  EXPECT_EQ(m.variables(), (std::vector<std::string>{"m", "v"}));
}

TEST(PromoteVariables, PhisComeWhereAssignmentsMeetAndAreRead) {
  const Promoted m = promoted(R"(
      OpStore %a %u1
      OpStore %b %u1
      OpSelectionMerge %merge None
      OpBranchConditional %condition %then %merge
      %then = OpLabel
      OpStore %a %u2
      OpStore %b %u2
      OpBranch %merge
      %merge = OpLabel
      %x = OpLoad %uint %a)",
                              "x");
  EXPECT_EQ(m.phis(), 1u);
  const Instruction& phi = m.module->entry.blocks.back().instructions.front();
  EXPECT_EQ(phi.op, spv::Op::OpPhi);
  EXPECT_EQ(m.defining("x").operands[0], phi.result);
  EXPECT_EQ(m.module->names.at(phi.result), "a");
}

TEST(PromoteVariables, LoopsCarryWhatTheyChange) {
  const Promoted m = promoted(R"(
      OpStore %a %u0
      OpStore %b %u4
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %after %continue None
      OpBranch %check
      %check = OpLabel
      %i = OpLoad %uint %a
      %limit = OpLoad %uint %b
      %less = OpULessThan %bool %i %limit
      OpBranchConditional %less %body %after
      %body = OpLabel
      OpBranch %continue
      %continue = OpLabel
      %j = OpLoad %uint %a
      %next = OpIAdd %uint %j %u1
      OpStore %a %next
      OpBranch %header
      %after = OpLabel
      %x = OpLoad %uint %a)",
                              "i limit x next");
  EXPECT_EQ(m.phis(), 1u);
  EXPECT_EQ(m.constantOf("limit"), 4u);
  const Instruction& phi = m.module->entry.blocks[1].instructions.front();
  EXPECT_EQ(m.defining("i").operands[0], phi.result);
  EXPECT_EQ(m.defining("x").operands[0], phi.result);
}

}  // namespace
}  // namespace jit::spirv

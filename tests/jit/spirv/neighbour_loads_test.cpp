// SPDX-License-Identifier: Apache-2.0

// Which loads are of elements that lie side by side, however their indices are spelt.
#include "jit/spirv/neighbour_loads.h"

#include <gtest/gtest.h>

#include "jit/spirv/promote_variables.h"
#include "jit/spirv/share_values.h"
#include "tests/jit/spirv/assembled_module.h"
#include "tests/jit/spirv/inlined_module.h"

namespace jit::spirv {
namespace {

// The groups of a function that loads from %buffer at these indices, as names of loads: "x0 x1".
// %i and %j are numbers, %other another row of the buffer. `code` goes in front of the loads.
std::vector<std::string> groups(const std::string& code, const std::vector<std::string>& indices,
                                uint64_t most = 8, const std::string& annotations = "") {
  std::string loads, names;
  for (size_t k = 0; k < indices.size(); ++k) {
    const std::string n = std::to_string(k), &index = indices[k];
    names += "OpName %x" + n + " \"x" + n + "\"\n";
    if (index.starts_with("Op")) {
      loads += index + "\n%x" + n + " = OpUndef %uint\n";
      continue;
    }
    const bool is_other = index.starts_with("other ");
    loads += "%at" + n + " = OpAccessChain %to_number %buffer %u0 " + (is_other ? "%j" : "%i") +
             " " + (is_other ? index.substr(6) : index) + "\n%x" + n + " = OpLoad %uint %at" + n +
             "\n";
  }
  auto module = readGood(shader(R"(
      %u64 = OpConstant %uint 64
      %row = OpTypeArray %uint %u64
      %rows = OpTypeRuntimeArray %row
      %block = OpTypeStruct %rows
      %to_block = OpTypePointer Uniform %block
      %to_number = OpTypePointer Uniform %uint
      %buffer = OpVariable %to_block Uniform
      %release = OpConstant %uint 72)",
                                "%entry = OpLabel\n"
                                "%i_at = OpAccessChain %to_number %buffer %u0 %u0 %u0\n"
                                "%i = OpLoad %uint %i_at\n"
                                "%j_at = OpAccessChain %to_number %buffer %u0 %u0 %u2\n"
                                "%j = OpLoad %uint %j_at\n" +
                                    code + "\n" + loads + "\nOpReturn\nOpFunctionEnd\n",
                                names + R"(
      OpDecorate %row ArrayStride 4
      OpDecorate %rows ArrayStride 256
      OpDecorate %block BufferBlock
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 0
      )" + annotations));
  if (module == nullptr) throw std::runtime_error("not read");
  promoteVariables(*module);
  shareValues(*module);
  const NeighbourLoads neighbours(*module, most);
  std::vector<std::string> found;
  for (const Block& block : module->entry.blocks)
    for (const Instruction& i : block.instructions) {
      const LoadGroup* group = neighbours.beginningWith(i.result);
      if (group == nullptr || group->loads.size() < 2) continue;
      EXPECT_EQ(group->loads[0], i.result);
      std::string text;
      for (Id load : group->loads) {
        const auto name = module->names.find(load);
        if (name == module->names.end()) continue;
        text += (text.empty() ? "" : " ") + name->second;
      }
      if (!text.empty()) found.push_back(text);
    }
  return found;
}

using Groups = std::vector<std::string>;

TEST(NeighbourLoads, IndicesThatDifferByConstants) {
  EXPECT_EQ(groups("%a = OpIAdd %uint %j %u1\n%b = OpIAdd %uint %u2 %j\n%c = OpISub %uint %b %u1\n"
                   "%d = OpIAdd %uint %a %u2",
                   {"%j", "%a", "%b", "%d"}),
            Groups{"x0 x1 x2 x3"});
}

TEST(NeighbourLoads, MultiplesOfSumsAreSumsOfMultiples) {
  EXPECT_EQ(groups("%twice = OpIMul %uint %j %u2\n%odd = OpIAdd %uint %twice %u1\n"
                   "%a = OpIMul %uint %twice %u2\n%b = OpIAdd %uint %a %u1\n"
                   "%c = OpShiftLeftLogical %uint %odd %u1\n%d = OpIAdd %uint %u1 %c",
                   {"%a", "%b", "%c", "%d"}),
            Groups{"x0 x1 x2 x3"});
}

TEST(NeighbourLoads, TheFirstOfTheCodeBeginsAGroup) {
  EXPECT_EQ(groups("%a = OpIAdd %uint %j %u1\n%b = OpIAdd %uint %j %u2", {"%a", "%j", "%b"}),
            Groups{"x0 x2"});
}

TEST(NeighbourLoads, ConstantsAreIndicesToo) {
  EXPECT_EQ(groups("", {"%u3", "%u4"}), Groups{"x0 x1"});
}

TEST(NeighbourLoads, GroupsHaveSoManyScalars) {
  EXPECT_EQ(groups("%a = OpIAdd %uint %j %u1\n%b = OpIAdd %uint %j %u2\n%c = OpIAdd %uint %b %u1",
                   {"%j", "%a", "%b", "%c"}, 2),
            (Groups{"x0 x1", "x2 x3"}));
}

TEST(NeighbourLoads, OtherRowsOtherFactorsAndGapsAreNone) {
  EXPECT_EQ(groups("%a = OpIAdd %uint %j %u1\n%twice = OpIMul %uint %j %u2\n"
                   "%b = OpIAdd %uint %twice %u1\n%c = OpIAdd %uint %j %u3",
                   {"%j", "other %a", "%b", "%c"}),
            Groups{});
}

TEST(NeighbourLoads, NothingIsLoadedAheadOfWritesAndBarriers) {
  const std::string a = "%a = OpIAdd %uint %j %u1";
  EXPECT_EQ(groups(a, {"%j", "OpStore %i_at %u1", "%a"}), Groups{});
  EXPECT_EQ(groups(a, {"%j", "OpControlBarrier %u2 %u2 %release", "%a"}), Groups{});
}

TEST(NeighbourLoads, VolatileMemoryIsLeftAlone) {
  EXPECT_EQ(groups("%a = OpIAdd %uint %j %u1", {"%j", "%a"}, 8, "OpDecorate %buffer Volatile\n"),
            Groups{});
}

}  // namespace
}  // namespace jit::spirv

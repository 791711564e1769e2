// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/constant_tables.h"

#include <gtest/gtest.h>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

// Whether the array %t of three uints, which has the type's storage class Function, is a table
// where the function has this code; and that stores to it are left only if it is none.
bool isTable(const std::string& code, const std::string& initializer = "",
             const std::string& annotations = "") {
  const auto module = readGood(std::string(kVersion16) +
                               shader(R"(
      %array = OpTypeArray %uint %u3
      %to_array = OpTypePointer Function %array
      %to_uint = OpTypePointer Function %uint
      %one = OpConstantComposite %array %u0 %u1 %u2
      %same = OpConstantComposite %array %u0 %u1 %u2
      %other = OpConstantComposite %array %u0 %u1 %u3
      %condition = OpConstantTrue %bool)",
                                      "%entry = OpLabel\n%t = OpVariable %to_array Function " +
                                          initializer + "\n%v = OpVariable %to_array Function\n" +
                                          code + "\nOpReturn\nOpFunctionEnd\n",
                                      "OpName %t \"t\"\n" + annotations));
  if (module == nullptr) return false;
  const Id id = named(*module, "t");
  bool table = false;
  for (const Variable& v : module->entry.variables)
    if (v.id == id) table = isConstantTable(*module, v);
  bool stored = false;
  for (const Block& block : module->entry.blocks)
    for (const Instruction& i : block.instructions)
      stored |= i.op == spv::Op::OpStore && i.operands[0] == id;
  EXPECT_FALSE(table && stored);
  return table;
}

constexpr const char* kRead = "\n%at = OpAccessChain %to_uint %t %u1\n%x = OpLoad %uint %at";

TEST(ConstantTables, AreFilledWithOneConstant) {
  EXPECT_TRUE(isTable("OpStore %t %one" + std::string(kRead)));
  EXPECT_TRUE(isTable(kRead, "%one"));
  EXPECT_TRUE(isTable("OpStore %t %one\nOpStore %t %same" + std::string(kRead)));
  EXPECT_TRUE(isTable("OpStore %t %same" + std::string(kRead), "%one"));
  EXPECT_TRUE(isTable("OpStore %t %one\n%all = OpLoad %array %t\nOpStore %v %all"));
}

TEST(ConstantTables, OthersAreVariables) {
  EXPECT_FALSE(isTable(kRead));
  EXPECT_FALSE(isTable("OpStore %t %one\nOpStore %t %other" + std::string(kRead)));
  EXPECT_FALSE(isTable("OpStore %t %other" + std::string(kRead), "%one"));
  EXPECT_FALSE(isTable("%all = OpLoad %array %v\nOpStore %t %all" + std::string(kRead)));
  EXPECT_FALSE(isTable("OpStore %t %one" + std::string(kRead) + "\nOpStore %at %u4"));
  EXPECT_FALSE(isTable("OpStore %t %one\nOpCopyMemory %t %v" + std::string(kRead)));
}

// What a client says of its variable does not make its stores go away.
TEST(ConstantTables, AreNotBelievedToBe) {
  EXPECT_FALSE(
      isTable("OpStore %t %other" + std::string(kRead), "%one", "OpDecorate %t NonWritable\n"));
}

}  // namespace
}  // namespace jit::spirv

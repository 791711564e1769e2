// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/unassigned.h"

#include <gmock/gmock.h>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

// Names of the variables that may be read before they are written, of a function with this code and
// the variables %a, a uint, %v, a uvec4, and %n, an array of three. %p is a Private uint.
std::vector<std::string> found(std::string_view code, std::string_view functions = "") {
  const auto module = readGood(
      shader(R"(
      %uint4 = OpTypeVector %uint 4
      %array = OpTypeArray %uint %u3
      %global_uint = OpTypePointer Private %uint
      %to_uint = OpTypePointer Function %uint
      %to_vector = OpTypePointer Function %uint4
      %to_array = OpTypePointer Function %array
      %get_type = OpTypeFunction %uint
      %condition = OpConstantTrue %bool
      %vector = OpConstantComposite %uint4 %u0 %u1 %u2 %u3
      %p = OpVariable %global_uint Private
      %set = OpVariable %global_uint Private %u1)",
             "%entry = OpLabel\n%a = OpVariable %to_uint Function\n"
             "%v = OpVariable %to_vector Function\n"
             "%n = OpVariable %to_array Function\n"
             "%i = OpLoad %uint %set\n" +
                 std::string(code) + "\nOpReturn\nOpFunctionEnd\n" + std::string(functions),
             std::string(functions.empty() ? "" : "OpName %own \"own\"\n") +
                 "OpName %a \"a\"\nOpName %v \"v\"\nOpName %n \"n\"\nOpName %p \"p\"\n"
                 "OpName %set \"set\"\n"));
  std::vector<std::string> names;
  if (module == nullptr) return names;
  // They are marked when a module is read.
  auto collect = [&](const std::vector<Variable>& variables) {
    for (const Variable& v : variables)
      if (const Constant* constant = module->constant(v.initializer); constant && constant->undef)
        names.push_back(module->names.at(v.id));
  };
  collect(module->variables);
  collect(module->entry.variables);
  return names;
}

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(Unassigned, WhatIsWrittenFirstHasAValue) {
  EXPECT_THAT(found("OpStore %a %u1\n %x = OpLoad %uint %a"), IsEmpty());
  EXPECT_THAT(found("%x = OpLoad %uint %set"), IsEmpty());
  EXPECT_THAT(found("%x = OpLoad %uint %a\nOpStore %a %u1\n%y = OpLoad %uint %p"),
              UnorderedElementsAre("a", "p"));
}

TEST(Unassigned, PartsAreToldApart) {
  EXPECT_THAT(found(R"(
      %p1 = OpAccessChain %to_uint %v %u1
      OpStore %p1 %u2
      %q1 = OpInBoundsAccessChain %to_uint %v %u1
      %x = OpLoad %uint %q1)"),
              IsEmpty());
  EXPECT_THAT(found(R"(
      %p1 = OpAccessChain %to_uint %v %u1
      OpStore %p1 %u2
      %p2 = OpAccessChain %to_uint %v %u2
      %x = OpLoad %uint %p2)"),
              ElementsAre("v"));
  EXPECT_THAT(found(R"(
      OpStore %v %vector
      %p2 = OpAccessChain %to_uint %v %i
      OpStore %p2 %u2
      %x = OpLoad %uint4 %v)"),
              IsEmpty());
}

TEST(Unassigned, AnElementChosenAtRunTimeMayBeAnother) {
  EXPECT_THAT(found(R"(
      %p1 = OpAccessChain %to_uint %n %i
      OpStore %p1 %u2
      %x = OpLoad %uint %p1)"),
              ElementsAre("n"));
  // Past the end, too.
  EXPECT_THAT(found(R"(
      %p1 = OpAccessChain %to_uint %n %u4
      OpStore %p1 %u2
      %p2 = OpAccessChain %to_uint %n %u0
      %x = OpLoad %uint %p2)"),
              ElementsAre("n"));
}

TEST(Unassigned, EveryWayHasToWrite) {
  const std::string branch = R"(
      %c = OpIEqual %bool %i %u0
      OpSelectionMerge %end None
      OpBranchConditional %c %yes %no
      %yes = OpLabel
      OpStore %a %u1
      OpBranch %end
      %no = OpLabel
      )";
  const std::string end = R"(
      OpBranch %end
      %end = OpLabel
      %x = OpLoad %uint %a)";
  EXPECT_THAT(found(branch + end), ElementsAre("a"));
  EXPECT_THAT(found(branch + "OpStore %a %u2" + end), IsEmpty());
}

TEST(Unassigned, LoopsKeepWhatEarlierTurnsWrote) {
  auto loop = [](const std::string& before, const std::string& body) {
    return before + R"(
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %end %next None
      OpBranch %body
      %body = OpLabel
      )" + body +
           R"(
      OpBranch %next
      %next = OpLabel
      %c = OpIEqual %bool %i %u0
      OpBranchConditional %c %header %end
      %end = OpLabel)";
  };
  EXPECT_THAT(found(loop("OpStore %a %u1", "%x = OpLoad %uint %a")), IsEmpty());
  EXPECT_THAT(found(loop("", "%x = OpLoad %uint %a\nOpStore %a %u1")), ElementsAre("a"));
  EXPECT_THAT(found(loop("", "OpStore %a %u1\n%x = OpLoad %uint %a")), IsEmpty());
}

// The second call sees nothing of what the first one left.
TEST(Unassigned, CallsBeginAnew) {
  const std::string calls = "%x = OpFunctionCall %uint %get\n%y = OpFunctionCall %uint %get";
  auto function = [](const std::string& code) {
    return "%get = OpFunction %uint None %get_type\n%begin = OpLabel\n"
           "%own = OpVariable %to_uint Function\n" +
           code + "\nOpReturnValue %r\nOpFunctionEnd";
  };
  EXPECT_THAT(found(calls, function("OpStore %own %u1\n%r = OpLoad %uint %own")), IsEmpty());
  EXPECT_THAT(found(calls, function("%r = OpLoad %uint %own\nOpStore %own %u1")),
              ElementsAre("own", "own"));
}

}  // namespace
}  // namespace jit::spirv

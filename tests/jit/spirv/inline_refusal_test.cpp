// SPDX-License-Identifier: Apache-2.0

// Calls that cannot be inlined.
#include <gmock/gmock.h>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

constexpr char kUnary[] = "%unary = OpTypeFunction %uint %uint";

TEST(InlineRefusal, Recursion) {
  const std::string text = shader(kUnary, R"(
      %entry = OpLabel
      %y = OpFunctionCall %uint %f %u3
      OpReturn
      OpFunctionEnd
      %f = OpFunction %uint None %unary
      %a = OpFunctionParameter %uint
      %first = OpLabel
      %b = OpFunctionCall %uint %g %a
      OpReturnValue %b
      OpFunctionEnd
      %g = OpFunction %uint None %unary
      %c = OpFunctionParameter %uint
      %second = OpLabel
      %d = OpFunctionCall %uint %f %c
      OpReturnValue %d
      OpFunctionEnd)");
  EXPECT_FALSE(readBad(text, CompileError::Kind::Malformed).empty());
}

TEST(InlineRefusal, ExponentialTrees) {
  std::string code = R"(
      %entry = OpLabel
      %y = OpFunctionCall %uint %f39 %u3
      OpReturn
      OpFunctionEnd)";
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i), callee = "%f" + std::to_string(i - 1);
    code += "\n%f" + n + " = OpFunction %uint None %unary\n%p" + n +
            " = OpFunctionParameter %uint\n%l" + n + " = OpLabel\n";
    if (i == 0) {
      code += "OpReturnValue %p0\nOpFunctionEnd\n";
      continue;
    }
    code += "%x" + n + " = OpFunctionCall %uint " + callee + " %p" + n + "\n%y" + n +
            " = OpFunctionCall %uint " + callee + " %x" + n + "\nOpReturnValue %y" + n +
            "\nOpFunctionEnd\n";
  }
  EXPECT_THAT(readBad(shader(kUnary, code), CompileError::Kind::Unsupported),
              ::testing::HasSubstr("with all its calls"));
}

}  // namespace
}  // namespace jit::spirv

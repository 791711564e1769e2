// SPDX-License-Identifier: Apache-2.0

// How much code checks of shaders (TESSERA_CHECK) add to each instruction. What follows a test that
// fails is code too, which is compiled whether it ever runs or not.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "jit/compiler.h"
#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

// Bytes of code of a chain of additions of floats by a whole subgroup of 64.
uint64_t codeBytes(uint32_t additions, std::optional<rt::Check> check) {
  std::string code = R"(
      %entry = OpLabel
      %lane = OpLoad %uint %index
      %groups = OpLoad %vector %workgroup
      %group = OpCompositeExtract %uint %groups 0
      %number = OpIAdd %uint %lane %group
      %sum_0 = OpConvertUToF %float %number
  )";
  for (uint32_t k = 1; k <= additions; ++k)
    code += "%sum_" + std::to_string(k) + " = OpFAdd %float %sum_" + std::to_string(k - 1) +
            " %third\n";
  code += R"(
      %word = OpAccessChain %float_pointer %buffer %u0 %lane
      OpStore %word %sum_)" +
          std::to_string(additions) + R"(
      OpReturn
      OpFunctionEnd)";
  std::string text = shader(R"(
      %third = OpConstant %float 0.3
      %words = OpTypeRuntimeArray %float
      %block = OpTypeStruct %words
      %block_pointer = OpTypePointer StorageBuffer %block
      %float_pointer = OpTypePointer StorageBuffer %float
      %buffer = OpVariable %block_pointer StorageBuffer
      %input_uint = OpTypePointer Input %uint
      %index = OpVariable %input_uint Input
      %vector = OpTypeVector %uint 3
      %input_vector = OpTypePointer Input %vector
      %workgroup = OpVariable %input_vector Input)",
                            code, R"(
      OpDecorate %index BuiltIn LocalInvocationIndex
      OpDecorate %workgroup BuiltIn WorkgroupId
      OpDecorate %words ArrayStride 4
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 0)");
  text.replace(text.find("\"main\""), 6, "\"main\" %index %workgroup");
  text.replace(text.find("LocalSize 1"), 11, "LocalSize 64");
  const std::vector<uint32_t> words = assemble(text);
  const BindingLayout bindings[] = {{0, 0, DescriptorKind::StorageBuffer, 1, 0, -1}};
  KernelRequest request;
  request.spirv = words;
  request.entry_point = "main";
  request.bindings = bindings;
  request.subgroup_size = 64;
  if (check) request.checks.add(*check);
  auto compiler = Compiler::create({.isa = rt::Isa::Avx2});
  if (const auto* error = std::get_if<CompileError>(&compiler)) {
    ADD_FAILURE() << error->message;
    return 0;
  }
  auto kernel = std::get<0>(compiler)->compile(request);
  if (const auto* error = std::get_if<CompileError>(&kernel)) {
    ADD_FAILURE() << error->message;
    return 0;
  }
  return std::get<0>(kernel)->code_bytes;
}

TEST(CheckSize, ACheckedAdditionHasLittleCode) {
  if (rt::hostIsa() < rt::Isa::Avx2) GTEST_SKIP() << "this machine has no AVX2";
  constexpr uint32_t kMore = 40;
  auto bytesOfOne = [](std::optional<rt::Check> check) {
    return (codeBytes(8 + kMore, check) - codeBytes(8, check)) / kMore;
  };
  // A tenth more than there are: eight vectors are tested, and stored with what they came of. What
  // the runtime is told of the lanes besides is not written anew for each.
  EXPECT_LT(bytesOfOne(rt::Check::Float) - bytesOfOne({}), 780u);
}

}  // namespace
}  // namespace jit::spirv

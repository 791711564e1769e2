// SPDX-License-Identifier: Apache-2.0

// Values that are computed or loaded once for several, and those that are not.
#include "jit/spirv/share_values.h"

#include <gtest/gtest.h>

#include "tests/jit/spirv/assembled_module.h"
#include "tests/jit/spirv/inlined_module.h"

namespace jit::spirv {
namespace {

struct Shared {
  std::unique_ptr<Module> module;
  unsigned count = 0;

  unsigned number(spv::Op op) const { return numberOf(*module, op); }
};

// A function with this code behind its first label. %buffer holds numbers, %first is the first one,
// of the pointer %first_at, and %less whether it is less than 2; %next_at leads to the one behind.
Shared shared(const std::string& code, const std::string& annotations = "",
              const std::string& members = "") {
  Shared result;
  result.module = readGood(shader(R"(
      %numbers = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %numbers
      %to_block = OpTypePointer Uniform %block
      %to_number = OpTypePointer Uniform %uint
      %buffer = OpVariable %to_block Uniform
      %uint2 = OpTypeVector %uint 2
      %release = OpConstant %uint 72)",
                                  R"(
      %entry = OpLabel
      %first_at = OpAccessChain %to_number %buffer %u0 %u0
      %first = OpLoad %uint %first_at
      %less = OpULessThan %bool %first %u2
      %next_at = OpAccessChain %to_number %buffer %u0 %u1
)" + code + "\nOpReturn\nOpFunctionEnd\n",
                                  R"(
      OpDecorate %numbers ArrayStride 4
      OpDecorate %block BufferBlock
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 0
      )" + members + annotations));
  if (result.module == nullptr) throw std::runtime_error("not read");
  result.count = shareValues(*result.module);
  expectInlined(*result.module);
  return result;
}

// `if (first < 2) next = first + first`, all read anew; `before` comes first in the side.
std::string side(const std::string& before, const std::string& operands = "") {
  return R"(
      OpSelectionMerge %merge None
      OpBranchConditional %less %then %merge
      %then = OpLabel
      )" +
         before + R"(
      %again_at = OpAccessChain %to_number %buffer %u0 %u0
      %again = OpLoad %uint %again_at )" +
         operands + R"(
      %twice = OpIAdd %uint %first %again
      OpStore %next_at %twice
      OpBranch %merge
      %merge = OpLabel)";
}

TEST(ShareValues, LoadsOnce) {
  const Shared s = shared(side(""));
  EXPECT_EQ(s.count, 2u);  // the pointer and what is there
  EXPECT_EQ(s.number(spv::Op::OpLoad), 1u);
  EXPECT_EQ(s.number(spv::Op::OpCopyObject), 1u);
  EXPECT_EQ(s.number(spv::Op::OpAccessChain), 2u);
}

TEST(ShareValues, LoadsAgainAfterWhatMayWrite) {
  EXPECT_EQ(shared(side("OpStore %next_at %u3")).number(spv::Op::OpLoad), 2u);
  EXPECT_EQ(shared(side("OpControlBarrier %u2 %u2 %u0")).number(spv::Op::OpLoad), 2u);
  EXPECT_EQ(shared(side("OpMemoryBarrier %u1 %release")).number(spv::Op::OpLoad), 2u);
  EXPECT_EQ(shared(side("%old = OpAtomicIAdd %uint %next_at %u1 %u0 %u1")).number(spv::Op::OpLoad),
            2u);
}

TEST(ShareValues, LoadsAgainWhatIsVolatile) {
  EXPECT_EQ(shared(side("", "Volatile")).number(spv::Op::OpLoad), 2u);
  EXPECT_EQ(shared(side(""), "OpDecorate %buffer Volatile\n").number(spv::Op::OpLoad), 2u);
  EXPECT_EQ(shared(side(""), "OpDecorate %buffer Coherent\n").number(spv::Op::OpLoad), 2u);
  EXPECT_EQ(shared(side(""), "", "OpMemberDecorate %block 0 Volatile\n").number(spv::Op::OpLoad),
            2u);
}

// What the one side has loaded the other has not, nor what comes behind both.
TEST(ShareValues, LoadsAgainWhereOthersCome) {
  EXPECT_EQ(shared(R"(
      OpSelectionMerge %merge None
      OpBranchConditional %less %then %otherwise
      %then = OpLabel
      %a = OpLoad %uint %next_at
      OpBranch %merge
      %otherwise = OpLabel
      %b = OpLoad %uint %next_at
      OpBranch %merge
      %merge = OpLabel
      %c = OpLoad %uint %next_at
      %d = OpIAdd %uint %c %c
      OpStore %first_at %d)")
                .number(spv::Op::OpLoad),
            4u);
}

TEST(ShareValues, ComputesAgainBehindLoops) {
  const Shared s = shared(R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      %scaled = OpIMul %uint %i %u3
      %goes_on = OpULessThan %bool %scaled %first
      OpLoopMerge %after %next None
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      %same = OpIMul %uint %i %u3
      OpStore %next_at %same
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      %behind = OpIMul %uint %i %u3
      OpStore %next_at %behind)");
  EXPECT_EQ(s.number(spv::Op::OpIMul), 2u);
}

TEST(ShareValues, ComputesOnce) {
  const Shared s = shared(R"(
      %pair = OpCompositeConstruct %uint2 %first %u3
      %x = OpCompositeExtract %uint %pair 0
      %y = OpCompositeExtract %uint %pair 1
      %x2 = OpCompositeExtract %uint %pair 0
      %sum = OpIAdd %uint %x %y
      %sum2 = OpIAdd %uint %x2 %y
      %all = OpIMul %uint %sum %sum2
      OpStore %next_at %all)");
  EXPECT_EQ(s.count, 2u);
  EXPECT_EQ(s.number(spv::Op::OpCompositeExtract), 2u);
  EXPECT_EQ(s.number(spv::Op::OpIAdd), 1u);
}

TEST(ShareValues, KeepsWhatIsDecorated) {
  const std::string code = R"(
      %f = OpConvertUToF %float %first
      %a = OpFAdd %float %f %f
      %b = OpFAdd %float %f %f
      %c = OpFMul %float %a %b
      %n = OpConvertFToU %uint %c
      OpStore %next_at %n)";
  EXPECT_EQ(shared(code).number(spv::Op::OpFAdd), 1u);
  EXPECT_EQ(shared(code, "OpDecorate %b NoContraction\n").number(spv::Op::OpFAdd), 2u);
}

}  // namespace
}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// VK_KHR_shader_abort and VK_KHR_shader_constant_data, and DebugBreak of NonSemantic.DebugBreak.
#include <gmock/gmock.h>

#include <string>

#include "tests/api/check_fixture.h"

namespace api_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

// Invocation 5 of 8 aborts in a function, with "sum:" and its number times 3; all store their
// number behind that, plus 1.
constexpr const char* kAbortingShader = R"(
               OpCapability Shader
               OpCapability Int8
               OpCapability AbortKHR
               OpCapability ConstantDataKHR
               OpExtension "SPV_KHR_abort"
               OpExtension "SPV_KHR_constant_data"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %id %results
               OpExecutionMode %main LocalSize 8 1 1
       %file = OpString "abort.comp"
               OpName %test "test"
               OpDecorate %id BuiltIn LocalInvocationIndex
               OpDecorate %array ArrayStride 4
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %block Block
               OpDecorate %results DescriptorSet 0
               OpDecorate %results Binding 0
               OpDecorate %text SpecId 1
               OpDecorate %chars_x ArrayStride 1
               OpMemberDecorate %message_x 0 Offset 0
               OpMemberDecorate %message_x 1 Offset 4
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %bool = OpTypeBool
       %char = OpTypeInt 8 0
       %uint = OpTypeInt 32 0
    %test_fn = OpTypeFunction %void %uint
     %ptr_in = OpTypePointer Input %uint
      %array = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %array
  %ptr_block = OpTypePointer StorageBuffer %block
   %ptr_uint = OpTypePointer StorageBuffer %uint
     %uint_0 = OpConstant %uint 0
     %uint_1 = OpConstant %uint 1
     %uint_3 = OpConstant %uint 3
     %uint_4 = OpConstant %uint 4
     %uint_5 = OpConstant %uint 5
      %chars = OpTypeArray %char %uint_4
    %chars_x = OpTypeArray %char %uint_4
    %message = OpTypeStruct %chars %uint
  %message_x = OpTypeStruct %chars_x %uint
       %text = OpSpecConstantDataKHR %chars 0x3a6d7573
         %id = OpVariable %ptr_in Input
    %results = OpVariable %ptr_block StorageBuffer
       %test = OpFunction %void None %test_fn
          %v = OpFunctionParameter %uint
     %test_0 = OpLabel
       %isit = OpIEqual %bool %v %uint_5
               OpSelectionMerge %fine None
               OpBranchConditional %isit %bad %fine
        %bad = OpLabel
        %sum = OpIMul %uint %v %uint_3
      %whole = OpCompositeConstruct %message %text %sum
               OpLine %file 12 7
               OpAbortKHR %message_x %whole
       %fine = OpLabel
               OpReturn
               OpFunctionEnd
       %main = OpFunction %void None %fn
      %entry = OpLabel
          %i = OpLoad %uint %id
       %done = OpFunctionCall %void %test %i
        %out = OpAccessChain %ptr_uint %results %uint_0 %i
          %y = OpIAdd %uint %i %uint_1
               OpStore %out %y
               OpReturn
               OpFunctionEnd
)";

class ShaderAbortTest : public CheckTest {
 protected:
  ShaderAbortTest() {
    useCheck("");
    device_extensions = {VK_KHR_DEVICE_FAULT_EXTENSION_NAME, VK_EXT_DEVICE_FAULT_EXTENSION_NAME,
                         VK_KHR_SHADER_CONSTANT_DATA_EXTENSION_NAME,
                         VK_KHR_SHADER_ABORT_EXTENSION_NAME};
    device_features = &fault_;
  }

  VkComputePipelineCreateInfo infoOfText(const char* spirv) {
    VkComputePipelineCreateInfo info = infoOf(kStoringShader);
    info.stage.module = makeModule(host::assembleSpirv(spirv, "abort.spvasm"));
    return info;
  }

  // As vkGetDeviceFaultDebugInfoKHR gives it.
  std::vector<uint8_t> message() {
    VkDeviceFaultShaderAbortMessageInfoKHR abort{
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR};
    VkDeviceFaultDebugInfoKHR info{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
                                   .pNext = &abort};
    EXPECT_EQ(vk.vkGetDeviceFaultDebugInfoKHR(device, &info), VK_SUCCESS);
    std::vector<uint8_t> data(abort.messageDataSize);
    abort.pMessageData = data.data();
    EXPECT_EQ(vk.vkGetDeviceFaultDebugInfoKHR(device, &info), VK_SUCCESS);
    if (data.size() > 1) {
      abort.messageDataSize = data.size() - 1;
      EXPECT_EQ(vk.vkGetDeviceFaultDebugInfoKHR(device, &info), VK_INCOMPLETE);
    }
    return data;
  }

 private:
  VkPhysicalDeviceShaderAbortFeaturesKHR abort_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR};
  VkPhysicalDeviceShaderConstantDataFeaturesKHR constants_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CONSTANT_DATA_FEATURES_KHR,
      .pNext = &abort_};
  VkPhysicalDeviceFaultFeaturesEXT fault_ext_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT, .pNext = &constants_};
  VkPhysicalDeviceFaultFeaturesKHR fault_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR, .pNext = &fault_ext_};
};

TEST_F(ShaderAbortTest, MessagesMayHave64KiB) {
  const auto properties = propertiesOf<VkPhysicalDeviceShaderAbortPropertiesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_PROPERTIES_KHR);
  EXPECT_GE(properties.maxShaderAbortMessageSize, 65536u);
}

TEST_F(ShaderAbortTest, TheDeviceIsLostWithTheMessage) {
  const VkPipeline pipeline = pipelineOf(infoOfText(kAbortingShader));
  const WordBuffer results = makeBuffer(8);
  EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(results.words[5], 0u);  // it went no further
  EXPECT_THAT(message(),
              testing::ElementsAre(8, 0, 0, 0, 0, 0, 0, 0, 's', 'u', 'm', ':', 15, 0, 0, 0));
  VkDeviceFaultCountsEXT counts{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
  VkDeviceFaultInfoEXT info{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT};
  EXPECT_EQ(vk.vkGetDeviceFaultInfoEXT(device, &counts, &info), VK_SUCCESS);
  EXPECT_THAT(info.description,
              AllOf(HasSubstr("a shader aborted: 'sum:' and more, 8 bytes: 0f 00 00 00"),
                    HasSubstr("at abort.comp:12:7, in test"),
                    HasSubstr("workgroup (0, 0, 0), subgroup 0, invocation (5, 0, 0) of it")));
  EXPECT_TRUE(wasTold("device lost: a shader aborted: 'sum:'"));
}

TEST_F(ShaderAbortTest, ConstantDataAreSpecialized) {
  constexpr char kText[] = {'n', 'o', '?', ' '};
  const VkSpecializationMapEntry entry{.constantID = 1, .offset = 0, .size = sizeof kText};
  const VkSpecializationInfo specialization{
      .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof kText, .pData = kText};
  VkComputePipelineCreateInfo info = infoOfText(kAbortingShader);
  info.stage.pSpecializationInfo = &specialization;
  const VkPipeline pipeline = pipelineOf(info);
  EXPECT_EQ(dispatch(pipeline, setOf(makeBuffer(8).buffer), 0), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(message().at(8), 'n');
}

// What nobody comes to does nothing.
TEST_F(ShaderAbortTest, OthersRunToTheirEnd) {
  std::string shader = kAbortingShader;
  shader.replace(shader.find("OpConstant %uint 5"), 18, "OpConstant %uint 9");
  const VkPipeline pipeline = pipelineOf(infoOfText(shader.c_str()));
  const WordBuffer results = makeBuffer(8);
  EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_SUCCESS);
  EXPECT_THAT(results.words, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

std::string breakingShader() {
  std::string shader = kAbortingShader;
  auto replace = [&](const std::string& from, const std::string& to) {
    shader.replace(shader.find(from), from.size(), to);
  };
  replace("OpExtension \"SPV_KHR_constant_data\"",
          "OpExtension \"SPV_KHR_constant_data\"\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
          "%break = OpExtInstImport \"NonSemantic.DebugBreak\"");
  replace("OpAbortKHR %message_x %whole", "%stop = OpExtInst %void %break 1\nOpBranch %fine");
  return shader;
}

TEST_F(ShaderAbortTest, ADebugBreakIsNothingUnlessItIsChecked) {
  const VkPipeline pipeline = pipelineOf(infoOfText(breakingShader().c_str()));
  const WordBuffer results = makeBuffer(8);
  EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_SUCCESS);
  EXPECT_TRUE(findings().empty());
  EXPECT_EQ(results.words[5], 6u);
}

TEST_F(ShaderAbortTest, ADebugBreakLosesTheDevice) {
  useCheck("assert");
  restart();
  const VkPipeline pipeline = pipelineOf(infoOfText(breakingShader().c_str()));
  EXPECT_EQ(dispatch(pipeline, setOf(makeBuffer(8).buffer), 0), VK_ERROR_DEVICE_LOST);
  EXPECT_THAT(
      finding().text,
      AllOf(HasSubstr("assert: debug-break: the shader has come to a DebugBreak"),
            ContainsRegex("\n  at abort.comp:12:7, in test: OpExtInst\n  called at|in test"),
            HasSubstr("invocation (5, 0, 0) of it")));
  VkDeviceFaultCountsEXT counts{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
  VkDeviceFaultInfoEXT info{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT};
  EXPECT_EQ(vk.vkGetDeviceFaultInfoEXT(device, &counts, &info), VK_SUCCESS);
  EXPECT_THAT(info.description, HasSubstr("DebugBreak, at abort.comp:12"));
}

TEST_F(ShaderAbortTest, ADebugBreakMayBeReportedAlone) {
  useCheck("assert", "report");
  restart();
  const VkPipeline pipeline = pipelineOf(infoOfText(breakingShader().c_str()));
  const WordBuffer results = makeBuffer(8);
  EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_SUCCESS);
  finding();
  EXPECT_EQ(results.words[5], 6u);
}

}  // namespace
}  // namespace api_test

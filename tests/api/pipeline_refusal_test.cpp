// SPDX-License-Identifier: Apache-2.0

// That bad shaders are refused while the process lives, and nothing is compiled where that is
// forbidden.
#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

constexpr const char* kGoodShader = "#version 450\nvoid main() {}";

class RefusalTest : public PipelineTest {
 protected:
  // Expects that no pipeline is made of the module, and that the message has the text.
  void expectRefusal(std::span<const uint32_t> spirv, const char* entry_point,
                     const std::string& text, std::span<const VkDescriptorSetLayout> sets = {}) {
    VkPipelineLayout layout = makePipelineLayout(sets, 0);
    VkPipeline pipeline = reinterpret_cast<VkPipeline>(uintptr_t{1});
    VkResult result = tryPipeline(layout, makeModule(spirv), entry_point, &pipeline);
    EXPECT_EQ(result, VK_ERROR_INVALID_SHADER_NV);
    EXPECT_EQ(pipeline, VkPipeline{VK_NULL_HANDLE});
    std::string told;
    for (const std::string& message : messages()) told += message + "\n";
    EXPECT_NE(told.find(text), std::string::npos) << told;
  }
};

TEST_F(RefusalTest, WordsThatAreNoModule) {
  MISUSE_FROM_HERE();
  const uint32_t nonsense[] = {1, 2, 3, 4, 5, 6, 7, 8};
  expectRefusal(nonsense, "main", "vkCreateComputePipelines");
}

TEST_F(RefusalTest, ModuleThatEndsInTheMiddle) {
  MISUSE_FROM_HERE();
  std::vector<uint32_t> spirv = host::compileGlsl(kGoodShader, "store.comp", {});
  spirv.resize(spirv.size() / 2);
  expectRefusal(spirv, "main", "vkCreateComputePipelines");
}

TEST_F(RefusalTest, MissingEntryPoint) {
  MISUSE_FROM_HERE();
  std::vector<uint32_t> spirv = host::compileGlsl(kGoodShader, "store.comp", {});
  expectRefusal(spirv, "nowhere", "nowhere");
}

// It says what there is instead.
TEST_F(RefusalTest, ModuleForAnotherStage) {
  MISUSE_FROM_HERE();
  const std::string head = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n";
  const std::string body =
      "OpExecutionMode %f OriginUpperLeft\n"
      "%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
      "%f = OpFunction %void None %type\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n";
  expectRefusal(
      host::assembleSpirv(head + "OpEntryPoint Fragment %f \"main\"\n" + body, "paint.spvasm"),
      "main",
      "the module has no compute entry point \"main\"; it has entry points of other execution "
      "models "
      "only (Fragment \"main\"), and this device runs GLCompute");
}

// What an application calls its module is part of messages, and does nothing to terminals there,
// nor does it look like a message of its own.
TEST_F(RefusalTest, ModulesWithControlBytesInTheirNames) {
  MISUSE_FROM_HERE();
  VkShaderModule module = makeModule(host::compileGlsl(kGoodShader, "store.comp", {}));
  const VkDebugUtilsObjectNameInfoEXT name{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = VK_OBJECT_TYPE_SHADER_MODULE,
      .objectHandle = reinterpret_cast<uint64_t>(module),
      .pObjectName = "a\x1b[2Jname\ntessera: error: forged"};
  ASSERT_EQ(vk.vkSetDebugUtilsObjectNameEXT(device, &name), VK_SUCCESS);
  VkPipeline pipeline = VK_NULL_HANDLE;
  testing::internal::CaptureStderr();
  EXPECT_EQ(tryPipeline(makePipelineLayout({}, 0), module, "nowhere\x1b[1m", &pipeline),
            VK_ERROR_INVALID_SHADER_NV);
  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_NE(written.find("a\\x1b[2Jname\\ntessera: error: forged: "), std::string::npos) << written;
  for (const std::string& text : {written, messages().at(0)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    EXPECT_EQ(text.find("\ntessera: error: forged"), std::string::npos) << text;
  }
}

// A binding of no descriptors is reserved, and shaders may not use it (specification,
// VkDescriptorSetLayoutBinding).
TEST_F(RefusalTest, ReservedBinding) {
  const VkDescriptorSetLayoutBinding binding{.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                             .descriptorCount = 0,
                                             .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  const VkDescriptorSetLayout set_layout = makeSetLayout({&binding, 1});
  expectRefusal(host::compileGlsl("#version 450\n"
                                  "layout(binding = 0) buffer Data { uint word; };\n"
                                  "void main() { word = 1; }",
                                  "store.comp", {}),
                "main", "the pipeline layout has no binding 0 in set 0", {&set_layout, 1});
}

TEST_F(RefusalTest, OneBadPipelineDoesNotSpoilTheOthers) {
  MISUSE_FROM_HERE();
  VkDescriptorSetLayout set_layout = makeSetLayout();
  VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 4);
  VkComputePipelineCreateInfo good{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = makeModule(host::compileGlsl(kGoodShader, "store.comp", {})),
                .pName = "main"},
      .layout = layout};
  VkComputePipelineCreateInfo bad = good;
  bad.stage.pName = "nowhere";
  const VkComputePipelineCreateInfo infos[] = {good, bad, good};
  VkPipeline pipelines[3];
  EXPECT_EQ(vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 3, infos, nullptr, pipelines),
            VK_ERROR_INVALID_SHADER_NV);
  EXPECT_NE(pipelines[0], VkPipeline{VK_NULL_HANDLE});
  EXPECT_EQ(pipelines[1], VkPipeline{VK_NULL_HANDLE});
  EXPECT_NE(pipelines[2], VkPipeline{VK_NULL_HANDLE});
  for (VkPipeline pipeline : pipelines) vk.vkDestroyPipeline(device, pipeline, nullptr);
}

TEST_F(RefusalTest, CompilingCanBeForbidden) {
  const ScopedVariable no_cache("TESSERA_CACHE", "off");
  VkPipelineCreationFeedback feedback{}, stage_feedback{};
  VkPipelineCreationFeedbackCreateInfo feedback_info{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
      .pPipelineCreationFeedback = &feedback,
      .pipelineStageCreationFeedbackCount = 1,
      .pPipelineStageCreationFeedbacks = &stage_feedback};
  VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .pNext = &feedback_info,
      .flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = makeModule(host::compileGlsl(kGoodShader, "store.comp", {})),
                .pName = "main"},
      .layout = makePipelineLayout({}, 4)};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(pipeline, VkPipeline{VK_NULL_HANDLE});
  EXPECT_TRUE(feedback.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
}

}  // namespace
}  // namespace api_test

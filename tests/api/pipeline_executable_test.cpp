// SPDX-License-Identifier: Apache-2.0

// VK_KHR_pipeline_executable_properties.
#include <map>
#include <string>

#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class PipelineExecutableTest : public PipelineTest {
 protected:
  PipelineExecutableTest() {
    device_extensions = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME};
    device_features = &features_;
  }

  VkPipeline create(VkPipelineCreateFlags flags) {
    VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = makeModule(host::compileGlsl(
                      "#version 450\n"
                      "layout(local_size_x = 40, local_size_y = 2) in;\n"
                      "layout(push_constant) uniform Push { uint limit; };\n"
                      "shared uint words[100];\n"
                      "void main() {\n"
                      "  words[gl_LocalInvocationIndex] = limit;\n"
                      "  barrier();\n"
                      "  if (words[99 - gl_LocalInvocationIndex] > limit) words[0] = 1;\n"
                      "}",
                      "test.comp", {})),
                  .pName = "main"},
        .layout = makePipelineLayout({}, 4)};
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
              VK_SUCCESS);
    atEnd([=, this] { vk.vkDestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }

  static VkPipelineExecutableInfoKHR executableOf(VkPipeline pipeline) {
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
            .pipeline = pipeline,
            .executableIndex = 0};
  }

  std::vector<VkPipelineExecutableInternalRepresentationKHR> representationsOf(
      VkPipeline pipeline) {
    const VkPipelineExecutableInfoKHR info = executableOf(pipeline);
    uint32_t count = 0;
    EXPECT_EQ(vk.vkGetPipelineExecutableInternalRepresentationsKHR(device, &info, &count, nullptr),
              VK_SUCCESS);
    std::vector<VkPipelineExecutableInternalRepresentationKHR> result(
        count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR});
    EXPECT_EQ(
        vk.vkGetPipelineExecutableInternalRepresentationsKHR(device, &info, &count, result.data()),
        VK_SUCCESS);
    return result;
  }

 private:
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR features_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
      .pipelineExecutableInfo = VK_TRUE};
};

TEST_F(PipelineExecutableTest, APipelineIsOneExecutable) {
  VkPipelineInfoKHR info{.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = create(0)};
  uint32_t count = 0;
  ASSERT_EQ(vk.vkGetPipelineExecutablePropertiesKHR(device, &info, &count, nullptr), VK_SUCCESS);
  ASSERT_EQ(count, 1u);
  VkPipelineExecutablePropertiesKHR properties{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
  ASSERT_EQ(vk.vkGetPipelineExecutablePropertiesKHR(device, &info, &count, &properties),
            VK_SUCCESS);
  EXPECT_EQ(properties.stages, VkShaderStageFlags{VK_SHADER_STAGE_COMPUTE_BIT});
  EXPECT_EQ(properties.subgroupSize, 32u);
  EXPECT_STREQ(properties.name, "compute");
  EXPECT_STREQ(properties.description, "workgroups of 40 x 2 x 1 invocations");
  count = 0;
  EXPECT_EQ(vk.vkGetPipelineExecutablePropertiesKHR(device, &info, &count, &properties),
            VK_INCOMPLETE);
}

TEST_F(PipelineExecutableTest, StatisticsAreThoseOfTheKernel) {
  const VkPipelineExecutableInfoKHR info =
      executableOf(create(VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR));
  uint32_t count = 0;
  ASSERT_EQ(vk.vkGetPipelineExecutableStatisticsKHR(device, &info, &count, nullptr), VK_SUCCESS);
  std::vector<VkPipelineExecutableStatisticKHR> statistics(
      count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
  ASSERT_EQ(vk.vkGetPipelineExecutableStatisticsKHR(device, &info, &count, statistics.data()),
            VK_SUCCESS);
  std::map<std::string, uint64_t> values;
  for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
    EXPECT_EQ(statistic.format, VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR);
    EXPECT_NE(std::string(statistic.description), "");
    values[statistic.name] = statistic.value.u64;
  }
  EXPECT_EQ(values.size(), count) << "a name occurs twice";
  EXPECT_EQ(values["Shared memory"], 400u);
  EXPECT_EQ(values["Subgroups"], 3u);
  EXPECT_GT(values["Code"], 30u);
  EXPECT_LT(values["Code"], 100'000u);
  EXPECT_TRUE(values.contains("Scratch"));
  EXPECT_TRUE(values.contains("gather"));
}

// Also of kernels that a cache has.
TEST_F(PipelineExecutableTest, RepresentationsAreThereWhenAskedFor) {
  VkPipeline pipeline = create(VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
  auto representations = representationsOf(pipeline);
  std::map<std::string, std::string> texts;
  std::vector<std::vector<char>> memory;
  for (auto& representation : representations) {
    EXPECT_TRUE(representation.isText);
    ASSERT_GT(representation.dataSize, 1u) << representation.name;
    representation.pData = memory.emplace_back(representation.dataSize).data();
  }
  const VkPipelineExecutableInfoKHR info = executableOf(pipeline);
  auto count = static_cast<uint32_t>(representations.size());
  ASSERT_EQ(vk.vkGetPipelineExecutableInternalRepresentationsKHR(device, &info, &count,
                                                                 representations.data()),
            VK_SUCCESS);
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(memory[i].back(), '\0');
    texts[representations[i].name] = memory[i].data();
  }
  EXPECT_NE(texts["spirv"].find("OpEntryPoint GLCompute"), std::string::npos);
  EXPECT_NE(texts["final"].find("define"), std::string::npos);
  EXPECT_NE(texts["assembly"].find("ret"), std::string::npos);

  // Less room than there is text.
  representations[0].dataSize = 5;
  memory[0][5] = '!';
  EXPECT_EQ(vk.vkGetPipelineExecutableInternalRepresentationsKHR(device, &info, &count,
                                                                 representations.data()),
            VK_INCOMPLETE);
  EXPECT_EQ(representations[0].dataSize, 5u);
  EXPECT_EQ(memory[0][5], '!');

  MISUSE_FROM_HERE();
  EXPECT_TRUE(representationsOf(create(0)).empty());
}

}  // namespace
}  // namespace api_test

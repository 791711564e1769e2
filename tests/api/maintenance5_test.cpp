// SPDX-License-Identifier: Apache-2.0

// VK_KHR_maintenance5, as far as it is about compute.
#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class Maintenance5Test : public PipelineTest {
 protected:
  Maintenance5Test() {
    device_extensions = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME};
    device_features = &features_;
  }

  // Of a stage that has no module.
  VkResult create(const void* stage_chain, VkPipeline* pipeline, const void* chain = nullptr,
                  VkPipelineCreateFlags flags = 0) {
    set_layout = makeSetLayout();
    layout = makePipelineLayout({&set_layout, 1}, 0);
    VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = chain,
        .flags = flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = stage_chain,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = layout};
    const VkResult result =
        vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, pipeline);
    if (result == VK_SUCCESS) {
      atEnd([this, made = *pipeline] { vk.vkDestroyPipeline(device, made, nullptr); });
    }
    return result;
  }

  static VkShaderModuleCreateInfo moduleOf(std::span<const uint32_t> words) {
    return {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
            .codeSize = words.size_bytes(),
            .pCode = words.data()};
  }

  const std::vector<uint32_t> words = host::compileGlsl(
      "#version 450\n"
      "layout(binding = 0) buffer B { uint word; };\n"
      "void main() { word = 4711; }",
      "test.comp", {});
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;

 private:
  VkPhysicalDeviceMaintenance5Features features_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .maintenance5 = VK_TRUE};
};

TEST_F(Maintenance5Test, AStageBringsItsCodeAlong) {
  const VkShaderModuleCreateInfo code = moduleOf(words);
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(create(&code, &pipeline), VK_SUCCESS);
  WordBuffer buffer = makeBuffer(1);
  VkDescriptorSet set = makeSet(set_layout);
  VkDescriptorBufferInfo range{.buffer = buffer.buffer, .range = VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                             .dstSet = set,
                             .descriptorCount = 1,
                             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                             .pBufferInfo = &range};
  vk.vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  run([&](VkCommandBuffer commands) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                               nullptr);
    vk.vkCmdDispatch(commands, 1, 1, 1);
  });
  EXPECT_EQ(buffer.words[0], 4711u);
}

TEST_F(Maintenance5Test, AStageWithoutCodeIsRefused) {
  MISUSE_FROM_HERE();
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(create(nullptr, &pipeline), VK_ERROR_INVALID_SHADER_NV);
  const VkShaderModuleCreateInfo cut = moduleOf(std::span(words).first(4));
  EXPECT_EQ(create(&cut, &pipeline), VK_ERROR_INVALID_SHADER_NV);
}

TEST_F(Maintenance5Test, LongFlagsReplaceTheOthers) {
  ScopedVariable no_cache("TESSERA_CACHE", "off");
  TearDown();
  SetUp();
  const VkShaderModuleCreateInfo code = moduleOf(words);
  VkPipelineCreateFlags2CreateInfo flags{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
      .flags = VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(create(&code, &pipeline, &flags), VK_PIPELINE_COMPILE_REQUIRED);
  flags.flags = 0;
  EXPECT_EQ(
      create(&code, &pipeline, &flags, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT),
      VK_SUCCESS);
}

TEST_F(Maintenance5Test, ImagesHaveNoLayoutAndAreasNoPreference) {
  MISUSE_FROM_HERE();
  VkImageCreateInfo image{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  VkImageSubresource2 subresource{.sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2};
  VkDeviceImageSubresourceInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_SUBRESOURCE_INFO,
                                    .pCreateInfo = &image,
                                    .pSubresource = &subresource};
  VkSubresourceLayout2 image_layout{.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2,
                                    .subresourceLayout = {.size = 5}};
  vk.vkGetDeviceImageSubresourceLayoutKHR(device, &info, &image_layout);
  EXPECT_EQ(image_layout.subresourceLayout.size, 0u);
  VkRenderingAreaInfo area{.sType = VK_STRUCTURE_TYPE_RENDERING_AREA_INFO};
  VkExtent2D granularity{};
  vk.vkGetRenderingAreaGranularityKHR(device, &area, &granularity);
  EXPECT_EQ(granularity.width * granularity.height, 1u);
}

// To an application that asked for 1.2.
TEST_F(Maintenance5Test, CommandsOfLaterVersionsAreNotThere) {
  SKIP_UNDER_VALIDATION("the layer has the commands of all versions");
  VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                .apiVersion = VK_MAKE_API_VERSION(0, 1, 2, 7)};
  VkInstanceCreateInfo instance_info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &application};
  VkInstance older = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateInstance(&instance_info, nullptr, &older), VK_SUCCESS);
  Functions functions;
  functions.loadInstance(older);
  uint32_t count = 1;
  VkPhysicalDevice found = VK_NULL_HANDLE;
  functions.vkEnumeratePhysicalDevices(older, &count, &found);
  for (bool limited : {true, false}) {
    VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                            .pNext = limited ? device_features : nullptr};
    VkDevice made = VK_NULL_HANDLE;
    ASSERT_EQ(functions.vkCreateDevice(found, &info, nullptr, &made), VK_SUCCESS);
    auto has = [&](const char* name) { return vk.vkGetDeviceProcAddr(made, name) != nullptr; };
    EXPECT_TRUE(has("vkCmdDispatch"));
    EXPECT_TRUE(has("vkGetBufferDeviceAddress"));
    EXPECT_EQ(has("vkQueueSubmit2"), !limited);
    EXPECT_EQ(has("vkCmdPipelineBarrier2"), !limited);
    functions.loadDevice(made);
    functions.vkDestroyDevice(made, nullptr);
  }
  functions.vkDestroyInstance(older, nullptr);
}

}  // namespace
}  // namespace api_test

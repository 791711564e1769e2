// SPDX-License-Identifier: Apache-2.0

// For tests of VK_KHR_pipeline_binary: a shader, and binaries of it as an application keeps them.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {

inline constexpr const char* kBinaryShader = R"(#version 450
layout(local_size_x = 1) in;
layout(constant_id = 3) const uint kBase = 5;
layout(push_constant) uniform Push { uint value; };
layout(set = 0, binding = 0) buffer Output { uint words[]; };
void main() { words[gl_WorkGroupID.x] = kBase * value + gl_WorkGroupID.x; })";

// A key and its data, as an application stores them.
struct Stored {
  VkPipelineBinaryKeyKHR key{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
  std::vector<std::byte> data;
};

inline std::vector<uint8_t> bytesOf(const VkPipelineBinaryKeyKHR& key) {
  return {key.key, key.key + key.keySize};
}

class PipelineBinaryTest : public PipelineTest {
 protected:
  // The cache on disk, as far as a test has one, is in a folder of its own.
  void SetUp() override {
    start();
    if (HasFatalFailure()) return;
    set = makeSet(set_layout);
    output = makeBuffer(4);
    writeStorageBuffer(set, output.buffer);
  }

  void start() {
    device_extensions = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
                         VK_KHR_PIPELINE_BINARY_EXTENSION_NAME};
    device_features = &binaries_;
    PipelineTest::SetUp();
    if (HasFatalFailure()) return;
    set_layout = makeSetLayout();
    layout = makePipelineLayout({&set_layout, 1}, 4);
    info = infoOf(makeModule(host::compileGlsl(kBinaryShader, "test.comp", {})), nullptr);
  }

  VkPhysicalDevicePipelineBinaryPropertiesKHR binaryProperties() const {
    return propertiesOf<VkPhysicalDevicePipelineBinaryPropertiesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_PROPERTIES_KHR);
  }

  VkComputePipelineCreateInfo infoOf(VkShaderModule module, const void* chain) {
    return {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .pNext = chain,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = module,
                      .pName = "main"},
            .layout = layout};
  }

  VkResult create(const VkComputePipelineCreateInfo& with, VkPipeline* pipeline) {
    const VkResult result =
        vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &with, nullptr, pipeline);
    atEnd([this, made = *pipeline] { vk.vkDestroyPipeline(device, made, nullptr); });
    return result;
  }
  VkPipeline capture() {
    VkComputePipelineCreateInfo captured = info;
    captured.pNext = &capturing;
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(create(captured, &pipeline), VK_SUCCESS);
    return pipeline;
  }
  // Without a shader.
  VkResult createFrom(VkPipelineBinaryKHR binary, VkPipeline* pipeline,
                      const void* chain = nullptr) {
    const VkPipelineBinaryInfoKHR binaries{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                           .pNext = chain,
                                           .binaryCount = 1,
                                           .pPipelineBinaries = &binary};
    return create(infoOf(VK_NULL_HANDLE, &binaries), pipeline);
  }

  VkResult createBinaries(const VkPipelineBinaryCreateInfoKHR& from,
                          VkPipelineBinaryHandlesInfoKHR& handles) {
    const VkResult result = vk.vkCreatePipelineBinariesKHR(device, &from, nullptr, &handles);
    if (handles.pPipelineBinaries == nullptr) return result;
    for (VkPipelineBinaryKHR made : std::span(handles.pPipelineBinaries, made_at_most))
      atEnd([=, this] { vk.vkDestroyPipelineBinaryKHR(device, made, nullptr); });
    return result;
  }
  VkPipelineBinaryKHR binaryOf(const VkPipelineBinaryCreateInfoKHR& from,
                               VkResult expected = VK_SUCCESS) {
    VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
    VkPipelineBinaryHandlesInfoKHR handles{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR,
        .pipelineBinaryCount = 1,
        .pPipelineBinaries = &binary};
    made_at_most = 1;
    EXPECT_EQ(createBinaries(from, handles), expected);
    EXPECT_EQ(handles.pipelineBinaryCount, expected == VK_SUCCESS ? 1u : 0u);
    return binary;
  }
  VkPipelineBinaryKHR binaryOf(VkPipeline pipeline) {
    return binaryOf(
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline});
  }
  VkPipelineBinaryKHR binaryOf(Stored& stored, VkResult expected = VK_SUCCESS) {
    VkPipelineBinaryDataKHR data{stored.data.size(), stored.data.data()};
    const VkPipelineBinaryKeysAndDataKHR both{1, &stored.key, &data};
    return binaryOf(
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pKeysAndDataInfo = &both},
        expected);
  }
  // From the driver's own cache.
  VkPipelineBinaryKHR binaryOf(const VkComputePipelineCreateInfo& of, VkResult expected) {
    const VkPipelineCreateInfoKHR wrapped = wrap(of);
    return binaryOf({.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                     .pPipelineCreateInfo = &wrapped},
                    expected);
  }
  static VkPipelineCreateInfoKHR wrap(const VkComputePipelineCreateInfo& of) {
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
            .pNext = const_cast<VkComputePipelineCreateInfo*>(&of)};
  }

  Stored store(VkPipelineBinaryKHR binary) {
    Stored stored;
    const VkPipelineBinaryDataInfoKHR from{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR,
                                           .pipelineBinary = binary};
    size_t bytes = 0;
    EXPECT_EQ(vk.vkGetPipelineBinaryDataKHR(device, &from, &stored.key, &bytes, nullptr),
              VK_SUCCESS);
    stored.data.resize(bytes);
    EXPECT_EQ(vk.vkGetPipelineBinaryDataKHR(device, &from, &stored.key, &bytes, stored.data.data()),
              VK_SUCCESS);
    EXPECT_EQ(bytes, stored.data.size());
    return stored;
  }

  std::vector<uint8_t> keyOf(const VkComputePipelineCreateInfo* of) {
    const VkPipelineCreateInfoKHR wrapped = of != nullptr ? wrap(*of) : VkPipelineCreateInfoKHR{};
    VkPipelineBinaryKeyKHR key{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
    EXPECT_EQ(vk.vkGetPipelineKeyKHR(device, of != nullptr ? &wrapped : nullptr, &key), VK_SUCCESS);
    EXPECT_GT(key.keySize, 0u);
    EXPECT_LE(key.keySize, uint32_t{VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR});
    return bytesOf(key);
  }

  void expectToWork(VkPipeline pipeline, uint32_t base = 5) {
    const uint32_t value = ++pushed_;
    run([&](VkCommandBuffer commands) {
      vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
      vk.vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &value);
      vk.vkCmdDispatch(commands, 4, 1, 1);
    });
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(output.words[i], base * value + i);
  }

  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkComputePipelineCreateInfo info{};
  WordBuffer output{};
  size_t made_at_most = 0;
  VkDevicePipelineBinaryInternalCacheControlKHR cache_control{
      .sType = VK_STRUCTURE_TYPE_DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR};

  const VkPipelineCreateFlags2CreateInfo capturing{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
      .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};

 private:
  VkPhysicalDeviceMaintenance5Features maintenance5_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
      .pNext = &cache_control,
      .maintenance5 = VK_TRUE};
  VkPhysicalDevicePipelineBinaryFeaturesKHR binaries_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR,
      .pNext = &maintenance5_,
      .pipelineBinaries = VK_TRUE};
  uint32_t pushed_ = 0;
};

}  // namespace api_test

// SPDX-License-Identifier: Apache-2.0

// Pipelines of one shader, made with caches, and what is said of them.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {

inline constexpr const char* kCachedShader = R"(#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint kValue = 1;
layout(set = 0, binding = 0) buffer Output { uint words[]; };
void main() { words[gl_WorkGroupID.x] = kValue * 5u + gl_WorkGroupID.x; })";

using Bytes = std::vector<uint8_t>;

class PipelineCacheTest : public PipelineTest {
 protected:
  void SetUp() override {
    PipelineTest::SetUp();
    if (HasFatalFailure()) return;
    listenToInfos();
    set_layout = makeSetLayout();
    layout = makePipelineLayout({&set_layout, 1}, 0);
    module = makeModule(host::compileGlsl(kCachedShader, "cached.comp", {}));
    set = makeSet(set_layout);
    output = makeBuffer(4);
    writeStorageBuffer(set, output.buffer);
  }

  VkPhysicalDeviceProperties coreProperties() const {
    VkPhysicalDeviceProperties properties;
    vk.vkGetPhysicalDeviceProperties(physical_device, &properties);
    return properties;
  }

  // What the driver has said at this level since the last call.
  std::vector<std::string> infos() { return std::exchange(infos_, {}); }

  VkPipelineCache makeCache(std::span<const uint8_t> data = {}) {
    const VkPipelineCacheCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                         .initialDataSize = data.size(),
                                         .pInitialData = data.data()};
    VkPipelineCache cache = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreatePipelineCache(device, &info, nullptr, &cache), VK_SUCCESS);
    atEnd([this, cache] { vk.vkDestroyPipelineCache(device, cache, nullptr); });
    return cache;
  }

  Bytes dataOf(VkPipelineCache cache) {
    size_t size = 0;
    EXPECT_EQ(vk.vkGetPipelineCacheData(device, cache, &size, nullptr), VK_SUCCESS);
    Bytes data(size);
    EXPECT_EQ(vk.vkGetPipelineCacheData(device, cache, &size, data.data()), VK_SUCCESS);
    EXPECT_EQ(size, data.size());
    return data;
  }

  struct Made {
    VkResult result;
    VkPipelineCreationFeedbackFlags feedback;
  };
  // Makes the pipeline of kValue = value; what was made has run and was right.
  Made make(VkPipelineCache cache, uint32_t value, VkPipelineCreateFlags flags = 0) {
    VkPipelineCreationFeedback feedback{}, stage_feedback{};
    const VkPipelineCreationFeedbackCreateInfo feedback_info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pPipelineCreationFeedback = &feedback,
        .pipelineStageCreationFeedbackCount = 1,
        .pPipelineStageCreationFeedbacks = &stage_feedback};
    VkComputePipelineCreateInfo info = infoOf(value, flags);
    info.pNext = &feedback_info;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result =
        vk.vkCreateComputePipelines(device, cache, 1, &info, nullptr, &pipeline);
    EXPECT_EQ(result == VK_SUCCESS, pipeline != VK_NULL_HANDLE);
    EXPECT_EQ(feedback.flags, stage_feedback.flags);
    if (pipeline != VK_NULL_HANDLE) {
      expectRight(pipeline, value);
      vk.vkDestroyPipeline(device, pipeline, nullptr);
    }
    return {result, feedback.flags};
  }

  VkComputePipelineCreateInfo infoOf(uint32_t value, VkPipelineCreateFlags flags) {
    static constexpr VkSpecializationMapEntry kEntry{0, 0, 4};
    values_.push_back(std::make_unique<uint32_t>(value));
    specializations_.push_back(std::make_unique<VkSpecializationInfo>(
        VkSpecializationInfo{1, &kEntry, 4, values_.back().get()}));
    return {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .flags = flags,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = module,
                      .pName = "main",
                      .pSpecializationInfo = specializations_.back().get()},
            .layout = layout};
  }

  void expectRight(VkPipeline pipeline, uint32_t value) {
    std::ranges::fill(output.words, 0);
    run([&](VkCommandBuffer commands) {
      vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
      vk.vkCmdDispatch(commands, 4, 1, 1);
    });
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(output.words[i], value * 5 + i);
  }

  // Of the pipelines 1 to `count`, how many `cache` has.
  int hits(VkPipelineCache cache, uint32_t count) {
    int result = 0;
    for (uint32_t value = 1; value <= count; ++value)
      result += make(cache, value, kFromCache).result == VK_SUCCESS;
    return result;
  }

  static constexpr VkPipelineCreateFlags kFromCache =
      VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  static constexpr VkPipelineCreationFeedbackFlags kHit =
      VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT |
      VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;

  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkShaderModule module;
  VkDescriptorSet set;
  WordBuffer output;

 private:
  void listenToInfos() {
    const VkDebugUtilsMessengerCreateInfoEXT info{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback =
            [](VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
               const VkDebugUtilsMessengerCallbackDataEXT* data, void* test) -> VkBool32 {
          const std::string name = data->pMessageIdName != nullptr ? data->pMessageIdName : "";
          auto* self = static_cast<PipelineCacheTest*>(test);
          if (name == "Tessera") self->infos_.push_back(data->pMessage);
          return VK_FALSE;
        },
        .pUserData = this};
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkCreateDebugUtilsMessengerEXT(instance, &info, nullptr, &messenger), VK_SUCCESS);
    atEnd([this, messenger] { vk.vkDestroyDebugUtilsMessengerEXT(instance, messenger, nullptr); });
  }

  std::vector<std::string> infos_;
  std::vector<std::unique_ptr<uint32_t>> values_;
  std::vector<std::unique_ptr<VkSpecializationInfo>> specializations_;
};

}  // namespace api_test

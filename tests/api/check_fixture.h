// SPDX-License-Identifier: Apache-2.0

// For tests of what TESSERA_CHECK finds: a device without robust access that is made with the
// check, and a messenger that hears of findings.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/finding.h"
#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {

// Stores 7 to eight words from `first` on; line 5 does.
inline constexpr const char* kStoringShader = R"(#version 450
layout(local_size_x = 8) in;
layout(push_constant) uniform Push { uint first; };
layout(set = 0, binding = 0) buffer Results { uint words[]; };
void main() { words[first + gl_LocalInvocationIndex] = 7; })";

class CheckTest : public PipelineTest {
 protected:
  // What a messenger was told.
  struct Told {
    VkDebugUtilsMessageSeverityFlagBitsEXT severity;
    VkDebugUtilsMessageTypeFlagsEXT types;
    std::string id, text;
  };

  CheckTest() {
    choose_features = [](VkPhysicalDeviceFeatures2& all) {
      all.features.robustBufferAccess = VK_FALSE;
    };
    useCheck("memory");
  }

  void SetUp() override {
    PipelineTest::SetUp();
    if (HasFatalFailure()) return;
    listen();
  }

  // For devices that are made from now on.
  void useCheck(const char* checks, const char* action = "") {
    check_.reset();
    action_.reset();
    check_.emplace("TESSERA_CHECK", checks);
    action_.emplace("TESSERA_CHECK_ACTION", action);
  }
  void restart() {
    TearDown();
    SetUp();
  }

  // Since the last call.
  std::vector<Told> findings() {
    std::lock_guard lock(told_mutex_);
    return std::exchange(told_, {});
  }
  // The only one; an empty one, and a failure, where there is not one.
  Told finding() {
    const std::vector<Told> all = findings();
    EXPECT_EQ(all.size(), 1u);
    for (size_t k = 1; k < all.size(); ++k) ADD_FAILURE() << all[k].text;
    return all.empty() ? Told{} : all[0];
  }

  using DeviceTest::name;
  void name(VkBuffer buffer, const char* text) {
    name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<uint64_t>(buffer), text);
  }

  VkShaderModule moduleOf(const char* glsl) {
    return makeModule(host::compileGlsl(glsl, "test.comp", {.debug_lines = true}));
  }
  // With one storage buffer, and what is pushed.
  VkComputePipelineCreateInfo infoOf(const char* glsl) {
    set_layout = makeSetLayout();
    layout = makePipelineLayout({&set_layout, 1}, kPushBytes);
    return {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = moduleOf(glsl),
                      .pName = "main"},
            .layout = layout};
  }
  VkPipeline pipelineOf(const VkComputePipelineCreateInfo& info,
                        VkPipelineCache cache = VK_NULL_HANDLE) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreateComputePipelines(device, cache, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    atEnd([=, this] { vk.vkDestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  VkDescriptorSet setOf(VkBuffer buffer) {
    const VkDescriptorSet set = makeSet(set_layout);
    writeStorageBuffer(set, buffer);
    return set;
  }

  // One workgroup of the pipeline that infoOf() has described. What the queue says in the end.
  VkResult dispatch(VkPipeline pipeline, VkDescriptorSet set, uint64_t pushed) {
    const VkCommandBuffer commands = recordCommands([&](VkCommandBuffer to) {
      vk.vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
      vk.vkCmdPushConstants(to, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes, &pushed);
      vk.vkCmdDispatch(to, 1, 1, 1);
    });
    const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &commands};
    // Which may see already that the device is lost.
    const VkResult submitted = vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE);
    const VkResult ended = vk.vkQueueWaitIdle(queue);
    return submitted != VK_SUCCESS ? submitted : ended;
  }

  VkDeviceAddress addressOf(VkBuffer buffer) const {
    const VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                         .buffer = buffer};
    return vk.vkGetBufferDeviceAddress(device, &info);
  }

  static constexpr uint32_t kPushBytes = 8;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;

 private:
  void listen() {
    const VkDebugUtilsMessengerCreateInfoEXT info{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = [](VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                              VkDebugUtilsMessageTypeFlagsEXT types,
                              const VkDebugUtilsMessengerCallbackDataEXT* data,
                              void* test) -> VkBool32 {
          auto* self = static_cast<CheckTest*>(test);
          if (!host::parseFinding(data->pMessage)) return VK_FALSE;
          std::lock_guard lock(self->told_mutex_);
          self->told_.push_back({severity, types,
                                 data->pMessageIdName != nullptr ? data->pMessageIdName : "",
                                 data->pMessage});
          return VK_FALSE;
        },
        .pUserData = this};
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkCreateDebugUtilsMessengerEXT(instance, &info, nullptr, &messenger), VK_SUCCESS);
    atEnd([this, messenger] { vk.vkDestroyDebugUtilsMessengerEXT(instance, messenger, nullptr); });
  }

  std::optional<ScopedVariable> check_, action_;
  std::mutex told_mutex_;
  std::vector<Told> told_;
};

}  // namespace api_test

// SPDX-License-Identifier: Apache-2.0

// Fixtures for tests of the API: an instance with a debug-utils messenger, a device with all its
// features, and the few objects that most tests need. Everything goes through the system's loader.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <gtest/gtest.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/support/validation.h"

namespace api_test {

// Every command that the driver says it has, as far as the loader knows it; null otherwise.
struct Functions {
#define ENTRY(level, name, gate) PFN_##name name = nullptr;
#define ALIAS(level, name, target, gate)
#define STUB(level, name, gate)
#include "icd/entrypoints.def"

  void loadGlobal();
  void loadInstance(VkInstance instance);
  void loadDevice(VkDevice device);
};

PFN_vkGetInstanceProcAddr loaderGetInstanceProcAddr();

// A structure of a device's properties, with its sType.
template <typename Properties>
Properties propertiesOf(const Functions& vk, VkPhysicalDevice device, VkStructureType type) {
  Properties result{};
  result.sType = type;
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &result};
  vk.vkGetPhysicalDeviceProperties2(device, &properties);
  return result;
}

// What comes of making a device with one queue and these features, which is destroyed at once.
// `chain`: of the create info.
inline VkResult tryDevice(const Functions& vk, VkPhysicalDevice physical_device,
                          const void* chain = nullptr,
                          const VkPhysicalDeviceFeatures* core = nullptr) {
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                .pNext = chain,
                                .queueCreateInfoCount = 1,
                                .pQueueCreateInfos = &queue,
                                .pEnabledFeatures = core};
  VkDevice device = VK_NULL_HANDLE;
  const VkResult result = vk.vkCreateDevice(physical_device, &info, nullptr, &device);
  if (result != VK_SUCCESS) return result;
  Functions own = vk;
  own.loadDevice(device);
  own.vkDestroyDevice(device, nullptr);
  return result;
}

// Sets a variable of the environment as long as it lives. Instances read it when they are made.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value);
  ~ScopedVariable();

 private:
  const char* name_;
  std::optional<std::string> previous_;
};

// An instance, the Tessera device in it, and what the messenger was told.
class InstanceTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::vector<std::string> messages();  // since the last call
  // Whether one of them contains the text; all are forgotten.
  bool wasTold(const std::string& text);

  // A structure of the device's properties, with its sType.
  template <typename Properties>
  Properties propertiesOf(VkStructureType type) const {
    return api_test::propertiesOf<Properties>(vk, physical_device, type);
  }

  Functions vk;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;

 private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT types,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                void* test);

  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

// A buffer of 32-bit words in memory of its own, mapped. Destroyed with the test.
struct WordBuffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  std::span<uint32_t> words;
};

class DeviceTest : public InstanceTest {
 protected:
  void SetUp() override;
  void TearDown() override;

  WordBuffer makeBuffer(size_t word_count);
  VkCommandBuffer allocateCommands(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  // Begins, calls `record`, ends.
  VkCommandBuffer recordCommands(const std::function<void(VkCommandBuffer)>& record);
  // Records, submits, and waits for the end.
  void run(const std::function<void(VkCommandBuffer)>& record);
  // Whatever the commands after it do comes after what those before it did.
  void barrier(VkCommandBuffer commands);
  // Fills all of the memory's bytes with the word, by vkCmdFillBuffer. `handles`: the types of
  // external handles that the memory is exported to or imported from.
  void fill(VkDeviceMemory memory, VkDeviceSize bytes, uint32_t value,
            VkExternalMemoryHandleTypeFlags handles = 0);
  VkFence makeFence(VkFenceCreateFlags flags = 0);
  VkSemaphore makeSemaphore();
  VkSemaphore makeTimeline(uint64_t value);
  // vkSetDebugUtilsObjectNameEXT.
  void name(VkObjectType type, uint64_t object, const char* text) {
    const VkDebugUtilsObjectNameInfoEXT info{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = object,
        .pObjectName = text};
    EXPECT_EQ(vk.vkSetDebugUtilsObjectNameEXT(device, &info), VK_SUCCESS);
  }
  // Has the object destroyed at the end of the test, in reverse order.
  void atEnd(std::function<void()> destroy) { at_end_.push_back(std::move(destroy)); }

  // To enable beside the features of the versions; set before SetUp.
  std::vector<const char*> device_extensions;
  void* device_features = nullptr;  // a chain
  // Takes features away that the device has; set before SetUp.
  std::function<void(VkPhysicalDeviceFeatures2&)> choose_features;
  VkDeviceQueueCreateFlags queue_flags = 0;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool command_pool = VK_NULL_HANDLE;

 private:
  std::vector<std::function<void()>> at_end_;
};

// For a pipeline: all bindings of set 0, and a range of push constants.
class PipelineTest : public DeviceTest {
 protected:
  VkDescriptorSetLayout makeSetLayout(std::span<const VkDescriptorSetLayoutBinding> bindings);
  VkDescriptorSetLayout makeSetLayout();  // of one storage buffer, at binding 0
  VkPipelineLayout makePipelineLayout(std::span<const VkDescriptorSetLayout> sets,
                                      uint32_t push_bytes);
  VkShaderModule makeModule(std::span<const uint32_t> spirv);
  // Fails the test unless it is made.
  VkPipeline makePipeline(VkPipelineLayout layout, const std::string& glsl,
                          const VkSpecializationInfo* specialization = nullptr,
                          VkPipelineCreateFlags flags = 0);
  // `subgroup_size`: that is required; 0: none.
  VkResult tryPipeline(VkPipelineLayout layout, VkShaderModule module, const char* entry_point,
                       VkPipeline* pipeline, uint32_t subgroup_size = 0) {
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = subgroup_size};
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = subgroup_size != 0 ? &required : nullptr,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = entry_point},
        .layout = layout};
    return vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, pipeline);
  }
  VkDescriptorPool makeDescriptorPool(uint32_t sets, std::span<const VkDescriptorPoolSize> sizes,
                                      VkDescriptorPoolCreateFlags flags = 0);
  VkDescriptorSet makeSet(VkDescriptorSetLayout layout);
  // Makes the whole buffer the set's storage buffer at binding 0.
  void writeStorageBuffer(VkDescriptorSet set, VkBuffer buffer);
};

}  // namespace api_test

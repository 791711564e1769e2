// SPDX-License-Identifier: Apache-2.0

// A Vulkan compute program in one file, to copy: y = a x + y, and a product of matrices of halves with
// VK_KHR_cooperative_matrix, each checked on the processor. Runs on any driver that has a compute
// queue and memory that the processor sees; says so where one lacks matrices.
#include <vulkan/vulkan.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "matmul.h"
#include "saxpy.h"

#ifndef VK_KHR_cooperative_matrix  // headers before 1.3.255
#define VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME "VK_KHR_cooperative_matrix"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR \
  VkStructureType(1000506000)
struct VkPhysicalDeviceCooperativeMatrixFeaturesKHR {
  VkStructureType sType;
  void* pNext;
  VkBool32 cooperativeMatrix, cooperativeMatrixRobustBufferAccess;
};
#endif

namespace {

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS)
    throw std::runtime_error(std::string(what) + " gives VkResult " + std::to_string(result));
}
#define CHECK(call) check(call, #call)

// The first device that has a compute queue, with everything that the shaders use.
class Device {
 public:
  Device() {
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo instance{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    instance.pApplicationInfo = &application;
    CHECK(vkCreateInstance(&instance, nullptr, &instance_));
    uint32_t count = 1;
    const VkResult found = vkEnumeratePhysicalDevices(instance_, &count, &physical_);
    if (found < 0 || count == 0) throw std::runtime_error("no Vulkan device");
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical_, &properties);
    std::printf("%s\n", properties.deviceName);
    vkGetPhysicalDeviceMemoryProperties(physical_, &memory_);

    VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
    VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    v12.pNext = &matrices;
    v11.pNext = &v12;
    features.pNext = &v11;
    vkGetPhysicalDeviceFeatures2(physical_, &features);
    has_matrices = matrices.cooperativeMatrix && v12.shaderFloat16 && v12.vulkanMemoryModel &&
                   v11.storageBuffer16BitAccess;

    std::vector<VkQueueFamilyProperties> families(16);
    count = uint32_t(families.size());
    vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
    while (family_ < count && !(families[family_].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family_;
    if (family_ == count) throw std::runtime_error("no compute queue");

    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    const char* extension = VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME;
    VkDeviceCreateInfo device{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    device.pNext = has_matrices ? &features : nullptr;
    device.queueCreateInfoCount = 1;
    device.pQueueCreateInfos = &queue;
    device.enabledExtensionCount = has_matrices ? 1 : 0;
    device.ppEnabledExtensionNames = &extension;
    CHECK(vkCreateDevice(physical_, &device, nullptr, &device_));
    vkGetDeviceQueue(device_, family_, 0, &queue_);
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.queueFamilyIndex = family_;
    CHECK(vkCreateCommandPool(device_, &pool, nullptr, &pool_));
  }

  struct Buffer {
    VkBuffer handle;
    void* data;  // stays mapped; the memory is coherent
  };

  Buffer buffer(size_t bytes) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    Buffer buffer{};
    CHECK(vkCreateBuffer(device_, &info, nullptr, &buffer.handle));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device_, buffer.handle, &needs);
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = needs.size;
    for (uint32_t type = 0;; ++type) {
      if (type == memory_.memoryTypeCount) throw std::runtime_error("no memory to share");
      if (!(needs.memoryTypeBits >> type & 1) ||
          (memory_.memoryTypes[type].propertyFlags & wanted) != wanted)
        continue;
      allocate.memoryTypeIndex = type;
      break;
    }
    VkDeviceMemory memory;
    CHECK(vkAllocateMemory(device_, &allocate, nullptr, &memory));
    CHECK(vkBindBufferMemory(device_, buffer.handle, memory, 0));
    CHECK(vkMapMemory(device_, memory, 0, VK_WHOLE_SIZE, 0, &buffer.data));
    return buffer;
  }

  // Runs `x` times `y` workgroups of the shader with these buffers as bindings 0, 1, ... and waits.
  // Returns seconds.
  template <size_t kWords, class Arguments>
  double run(const uint32_t (&words)[kWords], const std::vector<Buffer>& buffers,
             const Arguments& arguments, uint32_t x, uint32_t y) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t k = 0; k < buffers.size(); ++k)
      bindings.push_back({k, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set_info.bindingCount = uint32_t(bindings.size());
    set_info.pBindings = bindings.data();
    VkDescriptorSetLayout set_layout;
    CHECK(vkCreateDescriptorSetLayout(device_, &set_info, nullptr, &set_layout));
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof arguments};
    VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout_info.setLayoutCount = 1;
    layout_info.pSetLayouts = &set_layout;
    layout_info.pushConstantRangeCount = 1;
    layout_info.pPushConstantRanges = &range;
    VkPipelineLayout layout;
    CHECK(vkCreatePipelineLayout(device_, &layout_info, nullptr, &layout));

    VkShaderModuleCreateInfo module{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    module.codeSize = sizeof words;
    module.pCode = words;
    VkComputePipelineCreateInfo pipeline_info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    pipeline_info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    pipeline_info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    pipeline_info.stage.pName = "main";
    CHECK(vkCreateShaderModule(device_, &module, nullptr, &pipeline_info.stage.module));
    pipeline_info.layout = layout;
    VkPipeline pipeline;
    CHECK(vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &pipeline_info, nullptr, &pipeline));

    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, uint32_t(buffers.size())};
    VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool_info.maxSets = 1;
    pool_info.poolSizeCount = 1;
    pool_info.pPoolSizes = &size;
    VkDescriptorPool descriptors;
    CHECK(vkCreateDescriptorPool(device_, &pool_info, nullptr, &descriptors));
    VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = descriptors;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &set_layout;
    VkDescriptorSet set;
    CHECK(vkAllocateDescriptorSets(device_, &allocate, &set));
    for (uint32_t k = 0; k < buffers.size(); ++k) {
      const VkDescriptorBufferInfo buffer{buffers[k].handle, 0, VK_WHOLE_SIZE};
      VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
      write.dstSet = set;
      write.dstBinding = k;
      write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      write.pBufferInfo = &buffer;
      vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
    }

    VkCommandBufferAllocateInfo commands_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    commands_info.commandPool = pool_;
    commands_info.commandBufferCount = 1;
    VkCommandBuffer commands;
    CHECK(vkAllocateCommandBuffers(device_, &commands_info, &commands));
    const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof arguments, &arguments);
    vkCmdDispatch(commands, x, y, 1);
    VkMemoryBarrier results{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    results.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    results.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &results, 0, nullptr, 0, nullptr);
    CHECK(vkEndCommandBuffer(commands));

    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    const auto start = std::chrono::steady_clock::now();
    CHECK(vkQueueSubmit(queue_, 1, &submit, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue_));
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    vkDestroyDescriptorPool(device_, descriptors, nullptr);
    vkDestroyPipeline(device_, pipeline, nullptr);
    vkDestroyShaderModule(device_, pipeline_info.stage.module, nullptr);
    vkDestroyPipelineLayout(device_, layout, nullptr);
    vkDestroyDescriptorSetLayout(device_, set_layout, nullptr);
    return time.count();
  }

  bool has_matrices = false;

 private:
  // The process ends with the device: what it holds goes with it.
  VkInstance instance_{};
  VkPhysicalDevice physical_{};
  VkPhysicalDeviceMemoryProperties memory_{};
  uint32_t family_ = 0;
  VkDevice device_{};
  VkQueue queue_{};
  VkCommandPool pool_{};
};

// A half that is exact for the small whole numbers of this program: 0, or 1 to 2047.
uint16_t half(uint32_t value) {
  if (value == 0) return 0;
  uint32_t exponent = 0;
  while (value >> (exponent + 1)) ++exponent;
  return uint16_t((exponent + 15) << 10 | ((value << 10 >> exponent) & 0x3ff));
}

bool saxpy(Device& device) {
  const uint32_t n = 1 << 20;
  const Device::Buffer x = device.buffer(4 * n), y = device.buffer(4 * n);
  auto* xs = static_cast<float*>(x.data);
  auto* ys = static_cast<float*>(y.data);
  for (uint32_t i = 0; i < n; ++i) xs[i] = float(i % 1000), ys[i] = 1;
  const struct {
    float a;
    uint32_t n;
  } arguments{3, n};
  device.run(saxpy_words, {x, y}, arguments, (n + 255) / 256, 1);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < n; ++i) wrong += ys[i] != 3 * float(i % 1000) + 1;
  std::printf("saxpy of %u elements: %u wrong\n", n, wrong);
  return wrong == 0;
}

bool matmul(Device& device) {
  const uint32_t n = 256;
  const Device::Buffer a = device.buffer(2 * n * n), b = device.buffer(2 * n * n), c = device.buffer(4 * n * n);
  auto* as = static_cast<uint16_t*>(a.data);
  auto* bs = static_cast<uint16_t*>(b.data);
  auto left = [](uint32_t i, uint32_t k) { return (i * 7 + k) % 5; };
  auto right = [](uint32_t k, uint32_t j) { return (k + j * 3) % 4; };
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n; ++j) as[i * n + j] = half(left(i, j)), bs[i * n + j] = half(right(i, j));
  const double seconds = device.run(matmul_words, {a, b, c}, n, n / 32, n / 32);
  const auto* cs = static_cast<const float*>(c.data);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n; ++j) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < n; ++k) sum += left(i, k) * right(k, j);
      wrong += cs[i * n + j] != float(sum);  // whole numbers below 2^24: exact
    }
  std::printf("product of %u x %u halves: %u wrong, %.1f GFLOP/s\n", n, n, wrong,
              2e-9 * n * n * n / seconds);
  return wrong == 0;
}

}  // namespace

int main() try {
  Device device;
  bool right = saxpy(device);
  if (device.has_matrices) {
    right &= matmul(device);
  } else {
    std::printf("no VK_KHR_cooperative_matrix here\n");
  }
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

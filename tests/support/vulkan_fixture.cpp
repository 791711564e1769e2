// SPDX-License-Identifier: Apache-2.0

#include "tests/support/vulkan_fixture.h"

#include <dlfcn.h>

#include <cstdlib>
#include <utility>

#include "tests/support/shader_compiler.h"

namespace api_test {

PFN_vkGetInstanceProcAddr loaderGetInstanceProcAddr() {
  static const auto kFunction = [] {
    void* loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    void* symbol = loader != nullptr ? dlsym(loader, "vkGetInstanceProcAddr") : nullptr;
    return reinterpret_cast<PFN_vkGetInstanceProcAddr>(symbol);
  }();
  return kFunction;
}

namespace {

enum class Level { Global, Instance, PhysicalDevice, Device };

template <class Lookup>
void load(Functions& functions, Level wanted, Lookup lookup) {
  using enum Level;
#define ENTRY(level, name, gate) \
  if (level == wanted) functions.name = reinterpret_cast<PFN_##name>(lookup(#name));
#define ALIAS(level, name, target, gate)
#define STUB(level, name, gate)
#include "icd/entrypoints.def"
}

}  // namespace

void Functions::loadGlobal() {
  load(*this, Level::Global,
       [](const char* name) { return loaderGetInstanceProcAddr()(nullptr, name); });
}

void Functions::loadInstance(VkInstance instance) {
  auto lookup = [=](const char* name) { return loaderGetInstanceProcAddr()(instance, name); };
  load(*this, Level::Instance, lookup);
  load(*this, Level::PhysicalDevice, lookup);
  vkGetDeviceProcAddr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(lookup("vkGetDeviceProcAddr"));
}

void Functions::loadDevice(VkDevice device) {
  auto get = vkGetDeviceProcAddr;
  load(*this, Level::Device, [=](const char* name) { return get(device, name); });
  vkGetDeviceProcAddr = get;
}

ScopedVariable::ScopedVariable(const char* name, const char* value) : name_(name) {
  if (const char* previous = std::getenv(name)) previous_ = previous;
  setenv(name, value, 1);
}

ScopedVariable::~ScopedVariable() {
  if (previous_) {
    setenv(name_, previous_->c_str(), 1);
  } else {
    unsetenv(name_);
  }
}

void InstanceTest::SetUp() {
  ASSERT_NE(loaderGetInstanceProcAddr(), nullptr) << "no Vulkan loader";
  vk.loadGlobal();
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                            .pApplicationInfo = &application,
                            .enabledExtensionCount = 1,
                            .ppEnabledExtensionNames = extensions};
  ASSERT_EQ(vk.vkCreateInstance(&info, nullptr, &instance), VK_SUCCESS);
  vk.loadInstance(instance);
  VkDebugUtilsMessengerCreateInfoEXT messenger{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
      .pfnUserCallback = receive,
      .pUserData = this};
  ASSERT_EQ(vk.vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &messenger_),
            VK_SUCCESS);
  uint32_t count = 0;
  vk.vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vk.vkEnumeratePhysicalDevices(instance, &count, devices.data());
  for (VkPhysicalDevice candidate : devices) {
    VkPhysicalDeviceProperties properties;
    vk.vkGetPhysicalDeviceProperties(candidate, &properties);
    if (std::string(properties.deviceName).starts_with("Tessera")) physical_device = candidate;
  }
  ASSERT_NE(physical_device, nullptr) << "the loader did not find the driver";
}

void InstanceTest::TearDown() {
  if (instance == nullptr) return;
  vk.vkDestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
  vk.vkDestroyInstance(instance, nullptr);
}

std::vector<std::string> InstanceTest::messages() {
  std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

bool InstanceTest::wasTold(const std::string& text) {
  for (const std::string& message : messages()) {
    if (message.find(text) != std::string::npos) return true;
  }
  return false;
}

VkBool32 InstanceTest::receive(VkDebugUtilsMessageSeverityFlagBitsEXT,
                               VkDebugUtilsMessageTypeFlagsEXT,
                               const VkDebugUtilsMessengerCallbackDataEXT* data, void* test) {
  auto* self = static_cast<InstanceTest*>(test);
  std::lock_guard lock(self->mutex_);
  self->messages_.push_back(data->pMessage);
  return VK_FALSE;
}

void DeviceTest::SetUp() {
  InstanceTest::SetUp();
  if (HasFatalFailure()) return;
  VkPhysicalDeviceVulkan13Features features13{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = device_features};
  VkPhysicalDeviceVulkan12Features features12{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &features13};
  VkPhysicalDeviceVulkan11Features features11{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &features12};
  VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &features11};
  vk.vkGetPhysicalDeviceFeatures2(physical_device, &features);
  if (choose_features) choose_features(features);
  float priority = 1;
  VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .flags = queue_flags,
                                     .queueFamilyIndex = 0,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
  VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                          .pNext = &features,
                          .queueCreateInfoCount = 1,
                          .pQueueCreateInfos = &queue_info,
                          .enabledExtensionCount = static_cast<uint32_t>(device_extensions.size()),
                          .ppEnabledExtensionNames = device_extensions.data()};
  ASSERT_EQ(vk.vkCreateDevice(physical_device, &info, nullptr, &device), VK_SUCCESS);
  vk.loadDevice(device);
  const VkDeviceQueueInfo2 queue_info2{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
                                       .flags = queue_flags};
  vk.vkGetDeviceQueue2(device, &queue_info2, &queue);
  VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
  ASSERT_EQ(vk.vkCreateCommandPool(device, &pool_info, nullptr, &command_pool), VK_SUCCESS);
}

void DeviceTest::TearDown() {
  if (device != nullptr) {
    vk.vkDeviceWaitIdle(device);
    for (; !at_end_.empty(); at_end_.pop_back()) at_end_.back()();
    vk.vkDestroyCommandPool(device, command_pool, nullptr);
    vk.vkDestroyDevice(device, nullptr);
  }
  InstanceTest::TearDown();
}

WordBuffer DeviceTest::makeBuffer(size_t word_count) {
  WordBuffer result{};
  VkBufferCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = word_count * sizeof(uint32_t),
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  EXPECT_EQ(vk.vkCreateBuffer(device, &info, nullptr, &result.buffer), VK_SUCCESS);
  VkMemoryRequirements requirements;
  vk.vkGetBufferMemoryRequirements(device, result.buffer, &requirements);
  VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                  .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  VkMemoryAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                .pNext = &flags,
                                .allocationSize = requirements.size};
  EXPECT_EQ(vk.vkAllocateMemory(device, &allocate, nullptr, &result.memory), VK_SUCCESS);
  EXPECT_EQ(vk.vkBindBufferMemory(device, result.buffer, result.memory, 0), VK_SUCCESS);
  void* data = nullptr;
  EXPECT_EQ(vk.vkMapMemory(device, result.memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
  result.words = {static_cast<uint32_t*>(data), word_count};
  atEnd([this, result] {
    vk.vkDestroyBuffer(device, result.buffer, nullptr);
    vk.vkFreeMemory(device, result.memory, nullptr);
  });
  return result;
}

VkCommandBuffer DeviceTest::allocateCommands(VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                   .commandPool = command_pool,
                                   .level = level,
                                   .commandBufferCount = 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkAllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
  return commands;
}

VkCommandBuffer DeviceTest::recordCommands(const std::function<void(VkCommandBuffer)>& record) {
  VkCommandBuffer commands = allocateCommands();
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  EXPECT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  record(commands);
  EXPECT_EQ(vk.vkEndCommandBuffer(commands), VK_SUCCESS);
  return commands;
}

void DeviceTest::run(const std::function<void(VkCommandBuffer)>& record) {
  VkCommandBuffer commands = recordCommands(record);
  VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .commandBufferCount = 1,
                      .pCommandBuffers = &commands};
  ASSERT_EQ(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  ASSERT_EQ(vk.vkQueueWaitIdle(queue), VK_SUCCESS);
}

void DeviceTest::barrier(VkCommandBuffer commands) {
  VkMemoryBarrier all{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, nullptr, 0, nullptr);
}

void DeviceTest::fill(VkDeviceMemory memory, VkDeviceSize bytes, uint32_t value,
                      VkExternalMemoryHandleTypeFlags handles) {
  VkExternalMemoryBufferCreateInfo external{
      .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = handles};
  VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                          .pNext = &external,
                          .size = bytes,
                          .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateBuffer(device, &info, nullptr, &buffer), VK_SUCCESS);
  ASSERT_EQ(vk.vkBindBufferMemory(device, buffer, memory, 0), VK_SUCCESS);
  run([&](VkCommandBuffer commands) {
    vk.vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, value);
  });
  vk.vkDestroyBuffer(device, buffer, nullptr);
}

VkFence DeviceTest::makeFence(VkFenceCreateFlags flags) {
  VkFenceCreateInfo info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = flags};
  VkFence fence = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateFence(device, &info, nullptr, &fence), VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyFence(device, fence, nullptr); });
  return fence;
}

VkSemaphore DeviceTest::makeSemaphore() {
  VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateSemaphore(device, &info, nullptr, &semaphore), VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroySemaphore(device, semaphore, nullptr); });
  return semaphore;
}

VkSemaphore DeviceTest::makeTimeline(uint64_t value) {
  VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                 .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                 .initialValue = value};
  VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateSemaphore(device, &info, nullptr, &semaphore), VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroySemaphore(device, semaphore, nullptr); });
  return semaphore;
}

VkDescriptorSetLayout PipelineTest::makeSetLayout(
    std::span<const VkDescriptorSetLayoutBinding> bindings) {
  VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                       .bindingCount = static_cast<uint32_t>(bindings.size()),
                                       .pBindings = bindings.data()};
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateDescriptorSetLayout(device, &info, nullptr, &layout), VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyDescriptorSetLayout(device, layout, nullptr); });
  return layout;
}

VkDescriptorSetLayout PipelineTest::makeSetLayout() {
  const VkDescriptorSetLayoutBinding binding{.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                             .descriptorCount = 1,
                                             .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  return makeSetLayout({&binding, 1});
}

VkPipelineLayout PipelineTest::makePipelineLayout(std::span<const VkDescriptorSetLayout> sets,
                                                  uint32_t push_bytes) {
  VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = push_bytes};
  VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                  .setLayoutCount = static_cast<uint32_t>(sets.size()),
                                  .pSetLayouts = sets.data(),
                                  .pushConstantRangeCount = push_bytes != 0 ? 1u : 0u,
                                  .pPushConstantRanges = &range};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreatePipelineLayout(device, &info, nullptr, &layout), VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyPipelineLayout(device, layout, nullptr); });
  return layout;
}

VkShaderModule PipelineTest::makeModule(std::span<const uint32_t> spirv) {
  VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                .codeSize = spirv.size_bytes(),
                                .pCode = spirv.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateShaderModule(device, &info, nullptr, &module), VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyShaderModule(device, module, nullptr); });
  return module;
}

VkPipeline PipelineTest::makePipeline(VkPipelineLayout layout, const std::string& glsl,
                                      const VkSpecializationInfo* specialization,
                                      VkPipelineCreateFlags flags) {
  VkShaderModule module = makeModule(host::compileGlsl(glsl, "test.comp", {}));
  VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = flags,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = specialization},
      .layout = layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkDescriptorPool PipelineTest::makeDescriptorPool(uint32_t sets,
                                                  std::span<const VkDescriptorPoolSize> sizes,
                                                  VkDescriptorPoolCreateFlags flags) {
  // For one inline uniform block in each set.
  VkDescriptorPoolInlineUniformBlockCreateInfo blocks{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
      .maxInlineUniformBlockBindings = sets};
  VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                  .pNext = &blocks,
                                  .flags = flags,
                                  .maxSets = sets,
                                  .poolSizeCount = static_cast<uint32_t>(sizes.size()),
                                  .pPoolSizes = sizes.data()};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateDescriptorPool(device, &info, nullptr, &pool), VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyDescriptorPool(device, pool, nullptr); });
  return pool;
}

VkDescriptorSet PipelineTest::makeSet(VkDescriptorSetLayout layout) {
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16}};
  VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                   .descriptorPool = makeDescriptorPool(1, sizes),
                                   .descriptorSetCount = 1,
                                   .pSetLayouts = &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkAllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
  return set;
}

void PipelineTest::writeStorageBuffer(VkDescriptorSet set, VkBuffer buffer) {
  const VkDescriptorBufferInfo info{.buffer = buffer, .range = VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = set,
                                   .descriptorCount = 1,
                                   .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                   .pBufferInfo = &info};
  vk.vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

}  // namespace api_test

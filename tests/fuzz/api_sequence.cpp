#include "tests/fuzz/api_sequence.h"

#include <stdexcept>

#include "tests/fuzz/api_commands.h"

namespace fuzz {
namespace {

void check(const char* call, VkResult result) {
  if (result != VK_SUCCESS)
    throw std::runtime_error(std::string(call) + " returned " + std::to_string(result));
}

}  // namespace

ApiDevice::ApiDevice() {
  if (api_test::loaderGetInstanceProcAddr() == nullptr)
    throw std::runtime_error("no Vulkan loader");
  vk_.loadGlobal();
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                      .apiVersion = VK_API_VERSION_1_3};
  const VkInstanceCreateInfo instance{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pApplicationInfo = &application};
  check("vkCreateInstance", vk_.vkCreateInstance(&instance, nullptr, &instance_));
  vk_.loadInstance(instance_);
  uint32_t count = 1;
  vk_.vkEnumeratePhysicalDevices(instance_, &count, &physical_device_);
  if (count != 1) throw std::runtime_error("no device");

  VkPhysicalDeviceRobustness2FeaturesEXT robustness2{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
  VkPhysicalDeviceVulkan13Features features13{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &robustness2};
  VkPhysicalDeviceVulkan12Features features12{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &features13};
  VkPhysicalDeviceVulkan11Features features11{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &features12};
  VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &features11};
  vk_.vkGetPhysicalDeviceFeatures2(physical_device_, &features);
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  const char* extensions[] = {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME};
  const VkDeviceCreateInfo device{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &features,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue,
                                  .enabledExtensionCount = 1,
                                  .ppEnabledExtensionNames = extensions};
  check("vkCreateDevice", vk_.vkCreateDevice(physical_device_, &device, nullptr, &device_));
  vk_.loadDevice(device_);
}

ApiDevice::~ApiDevice() {
  vk_.vkDestroyDevice(device_, nullptr);
  vk_.vkDestroyInstance(instance_, nullptr);
}

std::string ApiDevice::runSequence(uint64_t seed) const {
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15);
  ApiCommands commands(vk_, device_, seed);
  for (uint64_t i = 0, calls = 50 + random() % 150; i < calls && commands.complaint.empty(); ++i) {
    if (random() % 10 != 0) {
      commands.call();
    } else {
      commands.recordAndSubmit();
    }
  }
  commands.finish();
  return commands.complaint;
}

}  // namespace fuzz

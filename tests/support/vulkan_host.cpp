// SPDX-License-Identifier: Apache-2.0

#include "tests/support/vulkan_host.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace host {
namespace {

constexpr uint32_t kApiVersion = VK_API_VERSION_1_3;

// All items of a query; each is asked for as `blank`.
template <typename T, typename Enumerate>
std::vector<T> enumerate(const char* command, Enumerate call, const T& blank = {}) {
  uint32_t count = 0;
  check(call(&count, nullptr), command);
  std::vector<T> items(count, blank);
  if (count != 0) check(call(&count, items.data()), command);
  items.resize(count);
  return items;
}

bool contains(const std::vector<VkExtensionProperties>& extensions, const char* name) {
  return std::any_of(extensions.begin(), extensions.end(), [&](const auto& extension) {
    return std::string_view(extension.extensionName) == name;
  });
}

}  // namespace

std::string PhysicalDevice::describe() const {
  return name + " (" + driver + "), Vulkan " + std::to_string(VK_API_VERSION_MAJOR(api_version)) +
         "." + std::to_string(VK_API_VERSION_MINOR(api_version)) + "." +
         std::to_string(VK_API_VERSION_PATCH(api_version)) + ", subgroup size " +
         std::to_string(subgroup.subgroupSize) + " (" + std::to_string(min_subgroup_size) + " to " +
         std::to_string(max_subgroup_size) + ")";
}

// --- Instance

Instance::Instance(const Settings& settings) {
  loadGlobalFunctions(functions_);
  const auto extensions = enumerate<VkExtensionProperties>(
      "vkEnumerateInstanceExtensionProperties", [&](uint32_t* count, VkExtensionProperties* items) {
        return functions_.vkEnumerateInstanceExtensionProperties(nullptr, count, items);
      });
  std::vector<const char*> names;
  const bool debug = contains(extensions, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  if (debug) names.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = kApiVersion;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  info.enabledExtensionCount = static_cast<uint32_t>(names.size());
  info.ppEnabledExtensionNames = names.data();
  std::vector<const char*> values;
  for (const auto& [name, value] : settings) values.push_back(value.c_str());
  std::vector<VkLayerSettingEXT> layer_settings;
  for (size_t k = 0; k < settings.size(); ++k) {
    layer_settings.push_back(
        {"Tessera", settings[k].first.c_str(), VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &values[k]});
  }
  VkLayerSettingsCreateInfoEXT settings_info{VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT};
  settings_info.settingCount = static_cast<uint32_t>(layer_settings.size());
  settings_info.pSettings = layer_settings.data();
  if (!settings.empty()) info.pNext = &settings_info;
  check(functions_.vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
  loadInstanceFunctions(functions_, instance_);
  if (debug && functions_.vkCreateDebugUtilsMessengerEXT) {
    VkDebugUtilsMessengerCreateInfoEXT messenger{
        VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                                VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                                VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                            VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                            VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    messenger.pfnUserCallback = &Instance::receive;
    messenger.pUserData = this;
    check(functions_.vkCreateDebugUtilsMessengerEXT(instance_, &messenger, nullptr, &messenger_),
          "vkCreateDebugUtilsMessengerEXT");
  }
  const auto handles = enumerate<VkPhysicalDevice>(
      "vkEnumeratePhysicalDevices", [&](uint32_t* count, VkPhysicalDevice* items) {
        return functions_.vkEnumeratePhysicalDevices(instance_, count, items);
      });
  for (VkPhysicalDevice handle : handles) devices_.push_back(describe(handle));
}

Instance::~Instance() {
  if (messenger_) functions_.vkDestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
  if (instance_) functions_.vkDestroyInstance(instance_, nullptr);
}

PhysicalDevice Instance::describe(VkPhysicalDevice handle) const {
  PhysicalDevice device;
  device.handle = handle;
  VkPhysicalDeviceSubgroupSizeControlProperties control{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  device.subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  functions_.vkGetPhysicalDeviceProperties2(handle, &properties);
  device.api_version = properties.properties.apiVersion;
  properties.pNext = &device.subgroup;
  device.subgroup.pNext = &driver;
  if (VK_API_VERSION_MINOR(device.api_version) >= 3) driver.pNext = &control;
  functions_.vkGetPhysicalDeviceProperties2(handle, &properties);
  device.subgroup.pNext = nullptr;
  device.name = properties.properties.deviceName;
  device.driver =
      std::string(driver.driverName) + (driver.driverInfo[0] ? " " : "") + driver.driverInfo;
  device.limits = properties.properties.limits;
  device.min_subgroup_size = control.minSubgroupSize;
  device.max_subgroup_size = control.maxSubgroupSize;
  const auto extensions = enumerate<VkExtensionProperties>(
      "vkEnumerateDeviceExtensionProperties", [&](uint32_t* count, VkExtensionProperties* items) {
        return functions_.vkEnumerateDeviceExtensionProperties(handle, nullptr, count, items);
      });
  for (const VkExtensionProperties& extension : extensions) {
    device.extensions.insert(extension.extensionName);
  }
  if (device.extensions.contains(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME) &&
      functions_.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR) {
    device.matrices = enumerate<VkCooperativeMatrixPropertiesKHR>(
        "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR",
        [&](uint32_t* count, VkCooperativeMatrixPropertiesKHR* items) {
          return functions_.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(handle, count, items);
        },
        {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR});
  }
  if (!device.extensions.contains(VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME)) return device;
  device.matrix_limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV;
  properties.pNext = &device.matrix_limits;
  functions_.vkGetPhysicalDeviceProperties2(handle, &properties);
  if (functions_.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV) {
    device.flexible_matrices = enumerate<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
        "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV",
        [&](uint32_t* count, VkCooperativeMatrixFlexibleDimensionsPropertiesNV* items) {
          return functions_.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
              handle, count, items);
        },
        {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV});
  }
  return device;
}

const PhysicalDevice& Instance::choose(const std::string& text) const {
  auto matches = [](const std::string& wanted) {
    return [&wanted](const PhysicalDevice& device) {
      return device.name.find(wanted) != std::string::npos ||
             device.driver.find(wanted) != std::string::npos;
    };
  };
  if (devices_.empty()) {
    throw std::runtime_error("no Vulkan device; does VK_DRIVER_FILES name the driver's manifest?");
  }
  const std::string wanted = text.empty() ? "Tessera" : text;
  const auto found = std::find_if(devices_.begin(), devices_.end(), matches(wanted));
  if (found != devices_.end()) return *found;
  if (text.empty()) return devices_.front();
  throw std::runtime_error("no Vulkan device is called '" + text + "'");
}

std::vector<std::string> Instance::takeMessages() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

std::vector<std::string> Instance::takePrints() {
  const std::lock_guard lock(mutex_);
  return std::exchange(prints_, {});
}

std::vector<Finding> Instance::takeFindings() {
  const std::lock_guard lock(mutex_);
  return std::exchange(findings_, {});
}

VkBool32 Instance::receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                           VkDebugUtilsMessageTypeFlagsEXT,
                           const VkDebugUtilsMessengerCallbackDataEXT* data, void* instance) {
  auto* self = static_cast<Instance*>(instance);
  const std::string message = data->pMessage ? data->pMessage : "";
  const std::string name = data->pMessageIdName ? data->pMessageIdName : "";
  const std::lock_guard lock(self->mutex_);
  std::optional<Finding> finding;
  if (severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) finding = parseFinding(message);
  if (finding)
    self->findings_.push_back(std::move(*finding));
  else if (severity != VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT)
    self->messages_.push_back(message);
  else if (name == "WARNING-DEBUG-PRINTF")
    self->prints_.push_back(message);
  return VK_FALSE;
}

// --- Device

Device::Device(Instance& instance, const PhysicalDevice& physical, const DeviceFeatures& features)
    : instance_(instance),
      functions_(instance.functions()),
      physical_(physical),
      features_(features) {
  uint32_t count = 0;
  functions_.vkGetPhysicalDeviceQueueFamilyProperties(physical.handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  functions_.vkGetPhysicalDeviceQueueFamilyProperties(physical.handle, &count, families.data());
  const auto family = std::find_if(families.begin(), families.end(), [](const auto& candidate) {
    return (candidate.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
  });
  if (family == families.end()) throw std::runtime_error("the device has no compute queue");
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = static_cast<uint32_t>(family - families.begin());
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = features_.chain();
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(features_.extensions().size());
  info.ppEnabledExtensionNames = features_.extensions().data();
  check(functions_.vkCreateDevice(physical.handle, &info, nullptr, &device_), "vkCreateDevice");
  try {
    loadDeviceFunctions(functions_, device_);
    functions_.vkGetDeviceQueue(device_, queue.queueFamilyIndex, 0, &queue_);
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.queueFamilyIndex = queue.queueFamilyIndex;
    check(functions_.vkCreateCommandPool(device_, &pool, nullptr, &pool_), "vkCreateCommandPool");
    VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    check(functions_.vkCreateFence(device_, &fence, nullptr, &fence_), "vkCreateFence");
  } catch (...) {
    destroy();
    throw;
  }
}

std::unique_ptr<Device> Device::withAllFeatures(Instance& instance, const PhysicalDevice& physical,
                                                bool robust) {
  DeviceFeatures features(instance.functions(), physical.handle, physical.api_version,
                          physical.extensions);
  if (!robust) {
    for (const char* name : {"robustBufferAccess", "robustBufferAccess2", "nullDescriptor",
                             "cooperativeMatrixRobustBufferAccess"}) {
      features.disable(name);
    }
  }
  return std::make_unique<Device>(instance, physical, features);
}

void Device::destroy() {
  if (fence_) functions_.vkDestroyFence(device_, fence_, nullptr);
  if (pool_) functions_.vkDestroyCommandPool(device_, pool_, nullptr);
  if (functions_.vkDestroyDevice) functions_.vkDestroyDevice(device_, nullptr);
}

Device::~Device() {
  functions_.vkDeviceWaitIdle(device_);
  destroy();
}

uint32_t Device::memoryType(uint32_t allowed) const {
  VkPhysicalDeviceMemoryProperties properties;
  functions_.vkGetPhysicalDeviceMemoryProperties(physical_.handle, &properties);
  const VkMemoryPropertyFlags host =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  // The host reads results back, so cached memory comes first.
  for (VkMemoryPropertyFlags wanted : {host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, host}) {
    for (uint32_t k = 0; k < properties.memoryTypeCount; ++k) {
      if ((allowed >> k & 1) && (properties.memoryTypes[k].propertyFlags & wanted) == wanted) {
        return k;
      }
    }
  }
  throw std::runtime_error("the device has no memory that the host can see");
}

std::vector<VkCooperativeMatrixProperties2EXT> Device::matricesFor(
    const VkPhysicalDeviceCooperativeMatrixInfo2EXT& info) const {
  if (!features_.find("cooperativeMatrixProperties2").value_or(false)) return {};
  // VUID-VkPhysicalDeviceCooperativeMatrixInfo2EXT-scope-13372 to 13381.
  const uint32_t size = info.subgroupSize;
  const bool workgroup = info.scope == VK_SCOPE_WORKGROUP_KHR;
  if (size != 0 && (!std::has_single_bit(size) || size < physical_.min_subgroup_size ||
                    size > physical_.max_subgroup_size))
    return {};
  if (!workgroup && (info.scope != VK_SCOPE_SUBGROUP_KHR || info.invocations != 0)) return {};
  if (workgroup &&
      (!features_.find("cooperativeMatrixWorkgroupScope").value_or(false) ||
       !std::has_single_bit(info.invocations) || info.invocations < size ||
       info.invocations > physical_.matrix_limits.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize))
    return {};
  return enumerate<VkCooperativeMatrixProperties2EXT>(
      "vkGetPhysicalDeviceCooperativeMatrixProperties2EXT",
      [&](uint32_t* count, VkCooperativeMatrixProperties2EXT* items) {
        return functions_.vkGetPhysicalDeviceCooperativeMatrixProperties2EXT(physical_.handle,
                                                                             &info, count, items);
      },
      {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_2_EXT});
}

VkCommandBuffer Device::begin() const {
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = pool_;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  VkCommandBuffer commands;
  check(functions_.vkAllocateCommandBuffers(device_, &info, &commands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(functions_.vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  return commands;
}

void Device::end(VkCommandBuffer commands) const {
  check(functions_.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

void Device::barrier(VkCommandBuffer commands) const {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask =
      VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  functions_.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                  VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                                  0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void Device::submitAndWait(VkCommandBuffer commands) const {
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  check(functions_.vkQueueSubmit(queue_, 1, &submit, fence_), "vkQueueSubmit");
  check(functions_.vkWaitForFences(device_, 1, &fence_, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  check(functions_.vkResetFences(device_, 1, &fence_), "vkResetFences");
}

}  // namespace host

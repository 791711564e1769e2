// SPDX-License-Identifier: Apache-2.0

#include "icd/instance.h"

#include <deque>

#include "icd/api_version.h"
#include "icd/chain.h"
#include "icd/device_report.h"
#include "icd/entrypoints.h"
#include "icd/enumerate.h"
#include "icd/guarded.h"
#include "icd/layer_settings.h"

namespace icd {
namespace {

// The messengers that a VkInstanceCreateInfo brings along (VK_EXT_debug_utils), while it lives.
class MessengersOfChain {
 public:
  MessengersOfChain(DebugMessengers& messengers, const void* chain) : messengers_(messengers) {
    constexpr auto kType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    while (auto* info = findInChain<VkDebugUtilsMessengerCreateInfoEXT>(chain, kType)) {
      messengers_.add(own_.emplace_back(*info));
      chain = info->pNext;
    }
  }
  MessengersOfChain(const MessengersOfChain&) = delete;
  MessengersOfChain& operator=(const MessengersOfChain&) = delete;
  ~MessengersOfChain() {
    for (const DebugMessenger& messenger : own_) messengers_.remove(messenger);
  }

 private:
  DebugMessengers& messengers_;
  std::deque<DebugMessenger> own_;
};

// Where it cannot be opened stderr has the messages, and no device is made (Instance::problem).
std::FILE* openLogFile(const std::string& path) {
  return path.empty() ? nullptr : std::fopen(path.c_str(), "ae");
}

}  // namespace

Instance::Instance(const ExtensionSet& extensions, uint32_t api_version,
                   std::span<const rt::Setting> settings, const void* chain)
    : extensions(extensions),
      api_version(api_version),
      config(rt::readConfig(settings)),
      log_file(openLogFile(config.log_file), &std::fclose),
      log(std::make_shared<rt::Log>(config.log, log_file.get())),
      physical_device(*this),
      device_use(
          physical_device.properties.v10.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
          *log) {
  log->setSink([this](rt::LogLevel level, std::string_view message) noexcept {
    try {
      messengers.submit(level, message);
    } catch (const std::bad_alloc&) {
      return;  // stderr has it
    }
  });
  const MessengersOfChain listening(messengers, chain);
  for (const std::string& warning : config.warnings) log->warning(warning);
  reportPhysicalDevice(physical_device, *log);
}

Instance::~Instance() { log->setSink({}); }

rt::Log* logOf(VkInstance instance) {
  return instance != nullptr ? Instance::from(instance)->log.get() : nullptr;
}

VkResult vkEnumerateInstanceVersion(uint32_t* version) {
  *version = kApiVersion;
  return VK_SUCCESS;
}

VkResult vkEnumerateInstanceExtensionProperties(const char* layer, uint32_t* count,
                                                VkExtensionProperties* properties) {
  if (layer != nullptr) return VK_ERROR_LAYER_NOT_PRESENT;
  return enumerateExtensions(ExtensionKind::Instance, allExtensions(), count, properties);
}

VkResult vkEnumerateInstanceLayerProperties(uint32_t* count, VkLayerProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VkResult vkCreateInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks*,
                          VkInstance* instance) {
  ExtensionSet extensions;
  std::string_view missing;
  VkResult result = enableExtensions(ExtensionKind::Instance, allExtensions(),
                                     {info->ppEnabledExtensionNames, info->enabledExtensionCount},
                                     &extensions, &missing);
  if (result != VK_SUCCESS) return result;
  const VkApplicationInfo* application = info->pApplicationInfo;
  const bool versioned = application != nullptr && application->apiVersion != 0;
  return createObject<Instance>(instance, extensions,
                                versioned ? application->apiVersion : VK_API_VERSION_1_0,
                                layerSettings(info->pNext), info->pNext);
}

void vkDestroyInstance(VkInstance instance, const VkAllocationCallbacks*) {
  destroyObject<Instance>(instance);
}

VkResult vkEnumeratePhysicalDevices(VkInstance instance, uint32_t* count,
                                    VkPhysicalDevice* physical_devices) {
  Instance& own = *Instance::from(instance);
  VkPhysicalDevice only[] = {own.physical_device.handle()};
  if (physical_devices != nullptr) own.device_use.wasSeen();
  return enumerate<VkPhysicalDevice>(only, count, physical_devices);
}

VkResult vkEnumeratePhysicalDeviceGroups(VkInstance instance, uint32_t* count,
                                         VkPhysicalDeviceGroupProperties* groups) {
  Instance& own = *Instance::from(instance);
  VkPhysicalDevice only[] = {own.physical_device.handle()};
  if (groups != nullptr) own.device_use.wasSeen();
  return enumerate(only, count, groups,
                   [](VkPhysicalDeviceGroupProperties& group, VkPhysicalDevice device) {
                     group.physicalDeviceCount = 1;
                     group.physicalDevices[0] = device;
                     group.subsetAllocation = VK_FALSE;
                   });
}

}  // namespace icd

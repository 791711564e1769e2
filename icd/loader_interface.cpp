// SPDX-License-Identifier: Apache-2.0

// The three symbols that the loader finds in the library (Vulkan-Loader, LoaderDriverInterface.md),
// and the two commands that hand out all others.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "icd/api_check/checked.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/instance.h"

#define ICD_EXPORT extern "C" __attribute__((visibility("default")))

ICD_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version);
ICD_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
                                                                              const char* name);
ICD_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name);

namespace icd {
namespace {

// The newest we speak: the loader may also ask vk_icdGetInstanceProcAddr for these symbols.
constexpr uint32_t kInterfaceVersion = 7;

// Extensions of devices are not enabled yet when an instance is asked.
bool isAvailable(const Command& command, const Instance& instance) {
  if (command.gate.isCore()) return true;
  return kindOf(command.gate.extension()) == ExtensionKind::Device ||
         command.gate.isOpen(instance.extensions);
}

// With the check of the API, what looks and then does it.
PFN_vkVoidFunction functionOf(const Command& command, const char* name, const Instance& instance) {
  if (!instance.config.check.has(rt::Check::Api)) return command.function;
  const PFN_vkVoidFunction checked = findChecked(name);
  return checked != nullptr ? checked : command.function;
}

}  // namespace

PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char* name) {
  std::optional<Command> command = findCommand(name);
  if (!command) return nullptr;
  // vkGetInstanceProcAddr finds itself without an instance (specification, since 1.2).
  bool is_global =
      command->level == CommandLevel::Global || std::string_view(name) == "vkGetInstanceProcAddr";
  if (instance == nullptr) return is_global ? command->function : nullptr;
  const Instance& own = *Instance::from(instance);
  return isAvailable(*command, own) ? functionOf(*command, name, own) : nullptr;
}

PFN_vkVoidFunction vkGetDeviceProcAddr(VkDevice device, const char* name) {
  std::optional<Command> command = findCommand(name);
  if (!command || command->level != CommandLevel::Device) return nullptr;
  const Instance& instance = Device::from(device)->physical_device.instance;
  const Device::Options& options = Device::from(device)->options;
  if (command->gate.isCore() && command->gate.coreVersion() > options.newest_core) return nullptr;
  return command->gate.isOpen(options.extensions) ? functionOf(*command, name, instance) : nullptr;
}

}  // namespace icd

VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
  *version = std::min(*version, icd::kInterfaceVersion);
  return VK_SUCCESS;
}

PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char* name) {
  const std::string_view symbol = name;
  if (symbol == "vk_icdNegotiateLoaderICDInterfaceVersion") {
    return reinterpret_cast<PFN_vkVoidFunction>(&vk_icdNegotiateLoaderICDInterfaceVersion);
  }
  if (symbol == "vk_icdGetPhysicalDeviceProcAddr") {
    return reinterpret_cast<PFN_vkVoidFunction>(&vk_icdGetPhysicalDeviceProcAddr);
  }
  return icd::vkGetInstanceProcAddr(instance, name);
}

PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name) {
  std::optional<icd::Command> command = icd::findCommand(name);
  if (!command || command->level != icd::CommandLevel::PhysicalDevice) return nullptr;
  return icd::vkGetInstanceProcAddr(instance, name);
}

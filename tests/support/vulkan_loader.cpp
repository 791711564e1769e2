// SPDX-License-Identifier: Apache-2.0

#include "tests/support/vulkan_loader.h"

#include <dlfcn.h>

namespace host {
namespace {

PFN_vkGetInstanceProcAddr getInstanceProcAddr() {
  static const auto kFunction = [] {
    void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(std::string("no Vulkan loader: ") + dlerror());
    auto* function =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    if (!function) throw std::runtime_error("libvulkan.so.1 has no vkGetInstanceProcAddr");
    return function;
  }();
  return kFunction;
}

template <typename Function>
void require(Function& function, PFN_vkVoidFunction found, const char* name) {
  if (!found) throw std::runtime_error(std::string(name) + " is missing");
  function = reinterpret_cast<Function>(found);
}

}  // namespace

std::string describeResult(VkResult result) {
  switch (result) {
#define RESULT(name) \
  case name:         \
    return #name;
    RESULT(VK_SUCCESS)
    RESULT(VK_NOT_READY)
    RESULT(VK_TIMEOUT)
    RESULT(VK_INCOMPLETE)
    RESULT(VK_ERROR_OUT_OF_HOST_MEMORY)
    RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    RESULT(VK_ERROR_INITIALIZATION_FAILED)
    RESULT(VK_ERROR_DEVICE_LOST)
    RESULT(VK_ERROR_MEMORY_MAP_FAILED)
    RESULT(VK_ERROR_LAYER_NOT_PRESENT)
    RESULT(VK_ERROR_EXTENSION_NOT_PRESENT)
    RESULT(VK_ERROR_FEATURE_NOT_PRESENT)
    RESULT(VK_ERROR_INCOMPATIBLE_DRIVER)
    RESULT(VK_ERROR_OUT_OF_POOL_MEMORY)
    RESULT(VK_ERROR_INVALID_SHADER_NV)
    RESULT(VK_ERROR_UNKNOWN)
#undef RESULT
    default:
      return "VkResult " + std::to_string(static_cast<int>(result));
  }
}

VulkanError::VulkanError(const std::string& command, VkResult result)
    : std::runtime_error(command + ": " + describeResult(result)), result(result) {}

void check(VkResult result, const char* command) {
  if (result != VK_SUCCESS) throw VulkanError(command, result);
}

#define GLOBAL_FUNCTION(name)
#define INSTANCE_FUNCTION(name)
#define DEVICE_FUNCTION(name)
#define OPTIONAL_INSTANCE_FUNCTION(name)
#define OPTIONAL_DEVICE_FUNCTION(name)

void loadGlobalFunctions(Functions& functions) {
  const PFN_vkGetInstanceProcAddr get = getInstanceProcAddr();
#undef GLOBAL_FUNCTION
#define GLOBAL_FUNCTION(name) require(functions.name, get(nullptr, #name), #name);
#include "tests/support/vulkan_functions.def"
#undef GLOBAL_FUNCTION
#define GLOBAL_FUNCTION(name)
}

void loadInstanceFunctions(Functions& functions, VkInstance instance) {
  const PFN_vkGetInstanceProcAddr get = getInstanceProcAddr();
#undef INSTANCE_FUNCTION
#undef OPTIONAL_INSTANCE_FUNCTION
#define INSTANCE_FUNCTION(name) require(functions.name, get(instance, #name), #name);
#define OPTIONAL_INSTANCE_FUNCTION(name) \
  functions.name = reinterpret_cast<PFN_##name>(get(instance, #name));
#include "tests/support/vulkan_functions.def"
#undef INSTANCE_FUNCTION
#undef OPTIONAL_INSTANCE_FUNCTION
#define INSTANCE_FUNCTION(name)
#define OPTIONAL_INSTANCE_FUNCTION(name)
}

void loadDeviceFunctions(Functions& functions, VkDevice device) {
#undef DEVICE_FUNCTION
#undef OPTIONAL_DEVICE_FUNCTION
#define DEVICE_FUNCTION(name) \
  require(functions.name, functions.vkGetDeviceProcAddr(device, #name), #name);
#define OPTIONAL_DEVICE_FUNCTION(name) \
  functions.name = reinterpret_cast<PFN_##name>(functions.vkGetDeviceProcAddr(device, #name));
#include "tests/support/vulkan_functions.def"
}

}  // namespace host

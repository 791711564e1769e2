// SPDX-License-Identifier: Apache-2.0

// The system's Vulkan loader, opened at run time: nothing of it is needed to build.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan.h>

#include <stdexcept>
#include <string>

namespace host {

// A Vulkan command that failed. what() names the command and the result.
class VulkanError : public std::runtime_error {
 public:
  VulkanError(const std::string& command, VkResult result);
  VkResult result;
};

std::string describeResult(VkResult result);

// Throws VulkanError unless the result is VK_SUCCESS.
void check(VkResult result, const char* command);

struct Functions {
#define GLOBAL_FUNCTION(name) PFN_##name name = nullptr;
#define INSTANCE_FUNCTION(name) PFN_##name name = nullptr;
#define DEVICE_FUNCTION(name) PFN_##name name = nullptr;
#define OPTIONAL_INSTANCE_FUNCTION(name) PFN_##name name = nullptr;
#define OPTIONAL_DEVICE_FUNCTION(name) PFN_##name name = nullptr;
#include "tests/support/vulkan_functions.def"
#undef GLOBAL_FUNCTION
#undef INSTANCE_FUNCTION
#undef DEVICE_FUNCTION
#undef OPTIONAL_INSTANCE_FUNCTION
#undef OPTIONAL_DEVICE_FUNCTION
};

// Opens libvulkan.so.1 and fills in the global functions. Throws std::runtime_error.
void loadGlobalFunctions(Functions& functions);
// Throws std::runtime_error where one that is not optional is missing.
void loadInstanceFunctions(Functions& functions, VkInstance instance);
void loadDeviceFunctions(Functions& functions, VkDevice device);

}  // namespace host

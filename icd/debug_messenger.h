// SPDX-License-Identifier: Apache-2.0

// VK_EXT_debug_utils: where an instance's messages go besides stderr.
#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "icd/handles.h"
#include "icd/vulkan.h"
#include "runtime/check/kinds.h"
#include "runtime/log.h"

namespace icd {

struct DebugMessenger : NonDispatchable<DebugMessenger, VkDebugUtilsMessengerEXT> {
  explicit DebugMessenger(const VkDebugUtilsMessengerCreateInfoEXT& info)
      : severities(info.messageSeverity),
        types(info.messageType),
        callback(info.pfnUserCallback),
        user_data(info.pUserData) {}

  VkDebugUtilsMessageSeverityFlagsEXT severities;
  VkDebugUtilsMessageTypeFlagsEXT types;
  PFN_vkDebugUtilsMessengerCallbackEXT callback;
  void* user_data;
};

// The messengers of one instance. Thread-safe. Callbacks run without a lock held, so they may
// create and destroy messengers.
class DebugMessengers {
 public:
  void add(const DebugMessenger& messenger);
  void remove(const DebugMessenger& messenger);

  void submit(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
              VkDebugUtilsMessageTypeFlagsEXT types,
              const VkDebugUtilsMessengerCallbackDataEXT& data) const;
  // What a shader printed with debugPrintf.
  void submitPrintf(std::string_view message) const;
  // That memory or a buffer, `object`, has come to an address or leaves it.
  void submitBinding(VkObjectType type, uint64_t object,
                     const VkDeviceAddressBindingCallbackDataEXT& binding) const;
  // What a check has found, with its message's id.
  void submitFinding(std::string_view message_id, std::string_view text) const;
  // A message of the driver's own log.
  void submit(rt::LogLevel level, std::string_view message) const;

 private:
  mutable std::mutex mutex_;
  std::vector<const DebugMessenger*> messengers_;
};

}  // namespace icd

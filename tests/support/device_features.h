// SPDX-License-Identifier: Apache-2.0

// The features of a device as one chain of the real Vulkan structures, reachable by name.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/vulkan_loader.h"

namespace host {

class DeviceFeatures {
 public:
  // Queries the structures that the device knows: by its version, and by its extensions.
  DeviceFeatures(const Functions& functions, VkPhysicalDevice device, uint32_t api_version,
                 const std::set<std::string, std::less<>>& extensions);
  // The chain points into the object.
  DeviceFeatures(const DeviceFeatures& other);
  DeviceFeatures& operator=(const DeviceFeatures&) = delete;

  // None: no feature of this name is in device_features.def.
  std::optional<bool> find(std::string_view name) const;
  // Switches a feature off, in all structures that have it; unknown names are ignored.
  void disable(std::string_view name);
  // Switches off all but these, and drops the extensions that then have no feature left.
  void keepOnly(const std::vector<std::string>& names);
  // For VkDeviceCreateInfo::pNext.
  const VkPhysicalDeviceFeatures2* chain() const { return &chain_.core; }
  // Extensions of the structures in the chain that are not core, and of what needs none.
  const std::vector<const char*>& extensions() const { return extensions_; }

 private:
  void link();
  VkBool32* lookUp(std::string_view name);

  struct Chain {
    VkPhysicalDeviceFeatures2 core{};
#define FEATURE_STRUCT(member, type, structure, minor, extension) \
  type member{};                                                  \
  bool has_##member = false;
#define FEATURE(path, name)
#include "tests/support/device_features.def"
#undef FEATURE_STRUCT
#undef FEATURE
  };

  Chain chain_;
  std::vector<const char*> extensions_;
};

}  // namespace host

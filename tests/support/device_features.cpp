// SPDX-License-Identifier: Apache-2.0

#include "tests/support/device_features.h"

#include <algorithm>
#include <cstddef>

namespace host {
namespace {

// What these extensions let shaders do needs no feature.
// That memory is the application's own, too: what was captured lies at certain addresses.
constexpr const char* kWithoutFeatures[] = {VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME,
                                            VK_EXT_SHADER_SUBGROUP_BALLOT_EXTENSION_NAME,
                                            VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME};

// A structure of features is sType, pNext and booleans.
template <typename Structure>
bool hasAnyFeature(const Structure& structure) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&structure);
  return std::any_of(bytes + sizeof(VkBaseOutStructure), bytes + sizeof(Structure),
                     [](std::byte b) { return b != std::byte{0}; });
}

}  // namespace

DeviceFeatures::DeviceFeatures(const Functions& functions, VkPhysicalDevice device,
                               uint32_t api_version,
                               const std::set<std::string, std::less<>>& device_extensions) {
  const uint32_t minor = VK_API_VERSION_MINOR(api_version);
  auto add = [&](uint32_t core_since, const char* extension) {
    if (core_since != 0 && minor >= core_since) return true;
    if (!extension || !device_extensions.contains(extension)) return false;
    extensions_.push_back(extension);
    return true;
  };
#define FEATURE_STRUCT(member, type, structure, minor, extension) \
  chain_.has_##member = add(minor, extension);
#define FEATURE(path, name)
#include "tests/support/device_features.def"
#undef FEATURE_STRUCT
#undef FEATURE
  for (const char* extension : kWithoutFeatures) add(0, extension);
  link();
  functions.vkGetPhysicalDeviceFeatures2(device, &chain_.core);
}

DeviceFeatures::DeviceFeatures(const DeviceFeatures& other)
    : chain_(other.chain_), extensions_(other.extensions_) {
  link();
}

void DeviceFeatures::link() {
  chain_.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  chain_.core.pNext = nullptr;
#define FEATURE_STRUCT(member, type, structure, minor, extension)        \
  if (chain_.has_##member) {                                             \
    chain_.member.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##structure; \
    chain_.member.pNext = chain_.core.pNext;                             \
    chain_.core.pNext = &chain_.member;                                  \
  }
#define FEATURE(path, name)
#include "tests/support/device_features.def"
#undef FEATURE_STRUCT
#undef FEATURE
}

void DeviceFeatures::keepOnly(const std::vector<std::string>& names) {
  DeviceFeatures before(*this);
  chain_.core.features = {};
#define FEATURE_STRUCT(member, type, structure, minor, extension) chain_.member = {};
#define FEATURE(path, name)
#include "tests/support/device_features.def"
#undef FEATURE_STRUCT
#undef FEATURE
  for (const std::string& name : names) {
    const VkBool32* old = before.lookUp(name);
    if (old && *old) *lookUp(name) = VK_TRUE;
  }
  extensions_.clear();
#define FEATURE_STRUCT(member, type, structure, minor, extension) \
  chain_.has_##member = hasAnyFeature(chain_.member);             \
  if (const char* name = extension; name && chain_.has_##member) extensions_.push_back(name);
#define FEATURE(path, name)
#include "tests/support/device_features.def"
#undef FEATURE_STRUCT
#undef FEATURE
  link();
}

VkBool32* DeviceFeatures::lookUp(std::string_view name) {
#define FEATURE_STRUCT(member, type, structure, minor, extension)
#define FEATURE(path, feature) \
  if (name == #feature) return &chain_.path.feature;
#include "tests/support/device_features.def"
#undef FEATURE_STRUCT
#undef FEATURE
  return nullptr;
}

std::optional<bool> DeviceFeatures::find(std::string_view name) const {
  const VkBool32* feature = const_cast<DeviceFeatures*>(this)->lookUp(name);
  if (!feature) return std::nullopt;
  return *feature == VK_TRUE;
}

void DeviceFeatures::disable(std::string_view name) {
#define FEATURE_STRUCT(member, type, structure, minor, extension)
#define FEATURE(path, feature) \
  if (name == #feature) chain_.path.feature = VK_FALSE;
#include "tests/support/device_features.def"
#undef FEATURE_STRUCT
#undef FEATURE
}

}  // namespace host

// SPDX-License-Identifier: Apache-2.0

// TESSERA_IMITATE: what a device profile says, read from the JSON of Khronos' Vulkan Profiles.
// Source: schema.khronos.org/vulkan, profiles-0.8; the member "tessera" of a file is this driver's
// own (docs/imitation.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "jit/matrix/layout.h"
#include "jit/matrix/shapes.h"

namespace icd {

// A member of one of Vulkan's structures, as the file has it.
struct ProfileFeature {
  std::string structure, member;
  bool is_on;
};

struct ProfileProperty {
  std::string structure, member;  // "maxComputeWorkGroupSize[2]" of an array of numbers
  // Names are of bits, or the one of an enumerant. A number that is none of Vulkan's integers here
  // (a fraction, a negative one) is nothing.
  std::variant<std::monostate, bool, uint64_t, std::vector<std::string>> value;
};

// What holds together: a device has all of a set, or does not have the set.
struct CapabilitySet {
  std::string name;
  // Nothing: the set does not speak of them.
  std::optional<std::vector<std::string>> extensions;
  std::optional<std::vector<ProfileFeature>> features;
  std::optional<std::vector<jit::coopmat::Shape>> matrices;
  std::optional<std::vector<jit::coopmat::FlexibleShape>> flexible_matrices;
  std::optional<jit::coopmat::Mapping> component_layout;
  std::vector<ProfileProperty> properties;
  std::vector<std::string> others;  // what else there is, such as "formats"
};

struct DeviceProfile {
  std::string name;
  uint32_t api_version;  // as in VK_API_VERSION_1_0
  // Each is there in one of some ways; most in a single one.
  std::vector<std::vector<CapabilitySet>> requirements;
};

// The profile that a value of TESSERA_IMITATE means: a name that the driver knows, a file with one
// profile, or FILE:PROFILE. Else in a line what is wrong with it, and what would be right.
std::variant<DeviceProfile, std::string> readProfile(const std::string& value);

}  // namespace icd

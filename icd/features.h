// SPDX-License-Identifier: Apache-2.0

// The table of features, icd/features.def, as what the queries answer and vkCreateDevice checks.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "icd/vulkan.h"

namespace icd {

struct Feature {
  std::string_view name;  // of the member
  size_t offset;          // in its structure, in bytes
  bool is_supported;
};

struct FeatureStructure {
  VkStructureType type;
  bool is_of_version;                 // of Vulkan 1.0 (VkPhysicalDeviceFeatures2) or a later one
  std::span<const Feature> features;  // all flags behind pNext, in their order
};

// Each structure once; those of versions stand first, from 1.0 on.
std::span<const FeatureStructure> featureStructures();

// vkGetPhysicalDeviceFeatures.
VkPhysicalDeviceFeatures coreFeatures();

// Fills the structures of a chain that are in the table.
void fillFeatures(void* chain);

// The first feature that the create info enables and the device has not got, or null. Structures
// that are not in the table belong to no extension of ours, and are skipped.
const Feature* findUnsupported(const VkDeviceCreateInfo& info);

}  // namespace icd

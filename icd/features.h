// SPDX-License-Identifier: Apache-2.0

// The table of features, icd/features.def, as what the queries answer and vkCreateDevice checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "icd/vulkan.h"

namespace icd {

struct Feature {
  std::string_view name;  // of the member
  size_t offset;          // in its structure, in bytes
  bool is_supported;
};

struct FeatureStructure {
  // VkPhysicalDeviceFeatures2 or that of a later version; a part of one, which an extension had
  // before; or another, of an extension.
  enum class Kind : uint8_t { Version, TakenOver, Other };

  VkStructureType type;
  std::string_view name;  // "VkPhysicalDeviceFeatures" of Vulkan 1.0
  Kind kind;
  std::span<const Feature> features;  // all flags behind pNext, in their order
};

// The table: each structure once; those of versions stand first, from 1.0 on.
std::span<const FeatureStructure> featureStructures();

// The features of a device: the table's, or less.
class DeviceFeatures {
 public:
  std::span<const FeatureStructure> structures() const {
    return structures_.empty() ? featureStructures() : structures_;
  }
  // Takes away what `keeps` is false for.
  void restrict(const std::function<bool(const FeatureStructure&, const Feature&)>& keeps);

  // vkGetPhysicalDeviceFeatures.
  VkPhysicalDeviceFeatures core() const;
  // Fills the structures of a chain that are in the table.
  void fill(void* chain) const;
  // The first feature that the create info enables and the device has not got, or null. Structures
  // that are not in the table belong to no extension of ours, and are skipped.
  const Feature* findUnsupported(const VkDeviceCreateInfo& info) const;

 private:
  const FeatureStructure* find(VkStructureType type) const;

  std::vector<FeatureStructure> structures_;  // empty: as in the table
  std::vector<std::vector<Feature>> flags_;   // of those structures
};

}  // namespace icd

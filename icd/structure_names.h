// SPDX-License-Identifier: Apache-2.0

// Vulkan's structures by name, where one may have several: that of an extension, and that of the
// extension or version that took it over.
#pragma once

#include <algorithm>
#include <string_view>

namespace icd {

// "VkPhysicalDeviceShaderSubgroupRotateFeatures" of "...FeaturesKHR".
constexpr std::string_view withoutVendor(std::string_view structure) {
  while (!structure.empty() && structure.back() >= 'A' && structure.back() <= 'Z')
    structure.remove_suffix(1);
  return structure;
}

// The one of this name, else one that differs in the vendor only; `end` of the range where none is.
template <typename Range, typename Projection>
auto findStructureNamed(const Range& all, std::string_view name, Projection projection) {
  auto found = std::ranges::find(all, name, projection);
  if (found != std::ranges::end(all)) return found;
  return std::ranges::find_if(
      all, [&](std::string_view other) { return withoutVendor(other) == withoutVendor(name); },
      projection);
}

}  // namespace icd

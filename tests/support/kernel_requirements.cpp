// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <optional>

#include "tests/support/kernel_runner.h"
#include "tests/support/matrix_offer.h"

namespace kernels {
namespace {

const std::map<std::string, VkSubgroupFeatureFlagBits, std::less<>> kSubgroupOperations = {
    {"basic", VK_SUBGROUP_FEATURE_BASIC_BIT},
    {"vote", VK_SUBGROUP_FEATURE_VOTE_BIT},
    {"arithmetic", VK_SUBGROUP_FEATURE_ARITHMETIC_BIT},
    {"ballot", VK_SUBGROUP_FEATURE_BALLOT_BIT},
    {"shuffle", VK_SUBGROUP_FEATURE_SHUFFLE_BIT},
    {"shuffle_relative", VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT},
    {"clustered", VK_SUBGROUP_FEATURE_CLUSTERED_BIT},
    {"quad", VK_SUBGROUP_FEATURE_QUAD_BIT},
};

// What the device lists for kernels of this subgroup size (0: any) that have matrices of Workgroup
// scope in workgroups of so many invocations (0: of Subgroup scope only).
MatrixOffer offerOf(const host::Device& device, uint32_t subgroup_size, uint32_t invocations) {
  const host::PhysicalDevice& physical = device.physical();
  const bool flexible =
      device.features().find("cooperativeMatrixFlexibleDimensions").value_or(false);
  MatrixOffer offer;
  offer.max_dimension = physical.matrix_limits.cooperativeMatrixFlexibleDimensionsMaxDimension;
  if (invocations != 0 &&
      !device.features().find("cooperativeMatrixWorkgroupScope").value_or(false))
    return offer;
  for (const auto& row : physical.matrices) offer.rows.emplace_back(row);
  if (flexible)
    for (const auto& row : physical.flexible_matrices) offer.rows.emplace_back(row);
  for (bool saturating : {false, true}) {
    VkPhysicalDeviceCooperativeMatrixInfo2EXT info{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_INFO_2_EXT};
    info.scope = invocations == 0 ? VK_SCOPE_SUBGROUP_KHR : VK_SCOPE_WORKGROUP_KHR;
    info.invocations = invocations;
    info.subgroupSize = subgroup_size;
    if (saturating) info.flags = VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT;
    for (const auto& row : device.matricesFor(info)) offer.rows.emplace_back(row, info, flexible);
  }
  return offer;
}

// The first of the matrices that the device does not list for all dispatches, if there is one.
template <typename Requirement>
std::optional<Requirement> findMissing(const std::vector<Requirement>& matrices,
                                       const Kernel& kernel, const host::Device& device) {
  for (const Requirement& matrix : matrices)
    for (const Dispatch& dispatch : kernel.dispatches)
      if (!offerOf(device, dispatch.subgroup_size, matrix.invocations).has(matrix)) return matrix;
  return std::nullopt;
}

}  // namespace

std::string findUnmetRequirement(const Kernel& kernel, const host::Device& device) {
  const Requirements& wanted = kernel.requirements;
  const host::PhysicalDevice& physical = device.physical();
  if (!kernel.settings.empty() && physical.driver.find("Tessera") == std::string::npos) {
    return "has settings that are Tessera's";
  }
  if (wanted.api_version > physical.api_version) {
    return "needs Vulkan 1." + std::to_string(VK_API_VERSION_MINOR(wanted.api_version));
  }
  for (const std::string& name : wanted.names) {
    if (name.starts_with("VK_")) {
      if (!physical.extensions.contains(name)) return "needs the extension " + name;
      continue;
    }
    const std::optional<bool> has = device.features().find(name);
    if (!has) return "'" + name + "' is not in tests/support/device_features.def";
    if (!*has) return "needs the feature " + name;
  }
  if (wanted.shared_bytes > physical.limits.maxComputeSharedMemorySize) {
    return "needs " + std::to_string(wanted.shared_bytes) + " bytes of shared memory";
  }
  if (wanted.subgroup_size && (physical.subgroup.subgroupSize < wanted.subgroup_size->first ||
                               physical.subgroup.subgroupSize > wanted.subgroup_size->second)) {
    return "needs subgroups of " + std::to_string(wanted.subgroup_size->first) + " to " +
           std::to_string(wanted.subgroup_size->second);
  }
  for (const std::string& operation : wanted.subgroup_operations) {
    const auto bit = kSubgroupOperations.find(operation);
    if (bit == kSubgroupOperations.end())
      return "no kind of subgroup operation '" + operation + "'";
    if (!(physical.subgroup.supportedOperations & bit->second)) {
      return "needs subgroup operations of kind " + operation;
    }
  }
  for (const Dispatch& dispatch : kernel.dispatches) {
    if (dispatch.subgroup_size == 0) continue;
    if (!device.features().find("subgroupSizeControl").value_or(false) ||
        dispatch.subgroup_size < physical.min_subgroup_size ||
        dispatch.subgroup_size > physical.max_subgroup_size) {
      return "needs subgroups of " + std::to_string(dispatch.subgroup_size);
    }
    if (dispatch.full_subgroups &&
        !device.features().find("computeFullSubgroups").value_or(false)) {
      return "needs the feature computeFullSubgroups";
    }
  }
  if (const auto matrix = findMissing(wanted.matrices, kernel, device)) {
    return "needs cooperative matrices " + describe(*matrix);
  }
  if (const auto matrix = findMissing(wanted.matrix_types, kernel, device)) {
    return "needs a cooperative matrix " + describe(*matrix);
  }
  return "";
}

}  // namespace kernels

#include <algorithm>
#include <map>

#include "tests/support/kernel_runner.h"
#include "tests/support/matrix_rows.h"

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

bool isListed(const MatrixRequirement& wanted, const VkCooperativeMatrixPropertiesKHR& row) {
  return row.scope == VK_SCOPE_SUBGROUP_KHR && row.MSize == wanted.m && row.NSize == wanted.n &&
         row.KSize == wanted.k && row.AType == componentType(wanted.a) &&
         row.BType == componentType(wanted.b) && row.CType == componentType(wanted.c) &&
         row.ResultType == componentType(wanted.result) &&
         (row.saturatingAccumulation != 0) == wanted.saturating;
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
  for (const MatrixRequirement& matrix : wanted.matrices) {
    if (std::none_of(physical.matrices.begin(), physical.matrices.end(),
                     [&](const auto& row) { return isListed(matrix, row); })) {
      return "needs cooperative matrices " + std::to_string(matrix.m) + "x" +
             std::to_string(matrix.n) + "x" + std::to_string(matrix.k) + " " +
             elementInfo(matrix.a).name + "*" + elementInfo(matrix.b).name + "+" +
             elementInfo(matrix.c).name + "->" + elementInfo(matrix.result).name;
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
  return "";
}

}  // namespace kernels

// SPDX-License-Identifier: Apache-2.0

// VK_KHR_cooperative_matrix, VK_EXT_cooperative_matrix_maintenance1, VK_NV_cooperative_matrix,
// VK_NV_cooperative_matrix2: what multiplies what, from the compiler's own tables.
#include <algorithm>
#include <bit>
#include <vector>

#include "icd/entrypoints.h"
#include "icd/enumerate.h"
#include "icd/limits.h"
#include "icd/physical_device.h"
#include "jit/matrix/shapes.h"

namespace icd {
namespace {

VkScopeKHR vulkanScope(jit::coopmat::Scope scope) {
  return scope == jit::coopmat::Scope::Workgroup ? VK_SCOPE_WORKGROUP_KHR : VK_SCOPE_SUBGROUP_KHR;
}

VkComponentTypeKHR vulkanType(jit::coopmat::Component component) {
  using jit::coopmat::Component;
  switch (component) {
    case Component::F16:
      return VK_COMPONENT_TYPE_FLOAT16_KHR;
    case Component::BF16:
      return VK_COMPONENT_TYPE_BFLOAT16_KHR;
    case Component::E4M3:
      return VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT;
    case Component::E5M2:
      return VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT;
    case Component::F32:
      return VK_COMPONENT_TYPE_FLOAT32_KHR;
    case Component::F64:
      return VK_COMPONENT_TYPE_FLOAT64_KHR;
    case Component::S8:
      return VK_COMPONENT_TYPE_SINT8_KHR;
    case Component::U8:
      return VK_COMPONENT_TYPE_UINT8_KHR;
    case Component::S16:
      return VK_COMPONENT_TYPE_SINT16_KHR;
    case Component::U16:
      return VK_COMPONENT_TYPE_UINT16_KHR;
    case Component::S32:
      return VK_COMPONENT_TYPE_SINT32_KHR;
    case Component::U32:
      return VK_COMPONENT_TYPE_UINT32_KHR;
    case Component::S64:
      return VK_COMPONENT_TYPE_SINT64_KHR;
    case Component::U64:
      return VK_COMPONENT_TYPE_UINT64_KHR;
  }
  return VK_COMPONENT_TYPE_MAX_ENUM_KHR;
}

// What both extensions' structures have, by the same names.
template <typename Properties>
void fill(Properties& to, const jit::coopmat::Shape& shape) {
  to.MSize = shape.m;
  to.NSize = shape.n;
  to.KSize = shape.k;
  to.AType = vulkanType(shape.a);
  to.BType = vulkanType(shape.b);
  to.CType = vulkanType(shape.c);
  to.scope = vulkanScope(shape.scope);
}

template <typename Properties, typename Row>
void fillGranularity(Properties& to, const Row& shape) {
  to.MGranularity = shape.m;
  to.NGranularity = shape.n;
  to.KGranularity = shape.k;
  to.AType = vulkanType(shape.a);
  to.BType = vulkanType(shape.b);
  to.CType = vulkanType(shape.c);
  to.ResultType = vulkanType(shape.result);
}

// Those who hold the matrices of a row of flexible sizes.
struct Holders {
  VkScopeKHR scope;
  uint32_t workgroup_invocations;  // 0 in the scope of a subgroup
};

struct HeldShape {
  Holders holders;
  jit::coopmat::FlexibleShape shape;
};

// Each row for those who hold it; for subgroups, and for those workgroups that clients have, where
// anybody may. It holds for others too then, as vkGetPhysicalDeviceCooperativeMatrixProperties2EXT
// tells whoever asks.
std::vector<HeldShape> heldShapes(const jit::coopmat::Tables& tables) {
  constexpr Holders kHolders[] = {
      {VK_SCOPE_SUBGROUP_KHR, 0}, {VK_SCOPE_WORKGROUP_KHR, 128}, {VK_SCOPE_WORKGROUP_KHR, 256}};
  std::vector<HeldShape> all;
  for (const jit::coopmat::FlexibleShape& shape : tables.flexible)
    if (shape.scope) all.push_back({{vulkanScope(*shape.scope), shape.invocations}, shape});
  for (const Holders& holders : kHolders)
    for (const jit::coopmat::FlexibleShape& shape : tables.flexible)
      if (!shape.scope) all.push_back({holders, shape});
  return all;
}

// Whether such invocations can hold matrices.
bool holdMatrices(const VkPhysicalDeviceCooperativeMatrixInfo2EXT& invocations,
                  const Properties& properties) {
  const uint32_t size = invocations.subgroupSize;  // 0: any
  const uint32_t least = properties.v13.minSubgroupSize;
  if (size != 0 &&
      (!std::has_single_bit(size) || size < least || size > properties.v13.maxSubgroupSize))
    return false;
  if (invocations.scope == VK_SCOPE_SUBGROUP_KHR) return true;
  return invocations.scope == VK_SCOPE_WORKGROUP_KHR &&
         std::has_single_bit(invocations.invocations) &&
         invocations.invocations >= std::max(size, least) &&
         invocations.invocations <=
             properties.cooperative_matrix2.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
}

}  // namespace

VkResult vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(
    VkPhysicalDevice physical_device, uint32_t* count,
    VkCooperativeMatrixPropertiesKHR* properties) {
  return enumerate(PhysicalDevice::from(physical_device)->tables().fixed, count, properties,
                   [](VkCooperativeMatrixPropertiesKHR& to, const jit::coopmat::Shape& shape) {
                     fill(to, shape);
                     to.ResultType = vulkanType(shape.result);
                     to.saturatingAccumulation = shape.saturating;
                   });
}

VkResult vkGetPhysicalDeviceCooperativeMatrixPropertiesNV(
    VkPhysicalDevice physical_device, uint32_t* count,
    VkCooperativeMatrixPropertiesNV* properties) {
  return enumerate(PhysicalDevice::from(physical_device)->tables().nv, count, properties,
                   [](VkCooperativeMatrixPropertiesNV& to, const jit::coopmat::Shape& shape) {
                     fill(to, shape);
                     to.DType = vulkanType(shape.result);
                   });
}

VkResult vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
    VkPhysicalDevice physical_device, uint32_t* count,
    VkCooperativeMatrixFlexibleDimensionsPropertiesNV* properties) {
  return enumerate(
      heldShapes(PhysicalDevice::from(physical_device)->tables()), count, properties,
      [](VkCooperativeMatrixFlexibleDimensionsPropertiesNV& to, const HeldShape& held) {
        fillGranularity(to, held.shape);
        to.saturatingAccumulation = held.shape.saturating;
        to.scope = held.holders.scope;
        to.workgroupInvocations = held.holders.workgroup_invocations;
      });
}

VkResult vkGetPhysicalDeviceCooperativeMatrixProperties2EXT(
    VkPhysicalDevice physical_device, const VkPhysicalDeviceCooperativeMatrixInfo2EXT* info,
    uint32_t* count, VkCooperativeMatrixProperties2EXT* properties) {
  // To those who have not enabled flexible dimensions these are the sizes themselves, so the rows
  // are the fixed ones, as far as their multiples are there.
  const bool saturating =
      (info->flags & VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT) != 0;
  const PhysicalDevice& device = *PhysicalDevice::from(physical_device);
  std::vector<jit::coopmat::Shape> rows;
  if (holdMatrices(*info, device.properties))
    for (jit::coopmat::Shape row : device.tables().fixed) {
      if (info->scope == VK_SCOPE_WORKGROUP_KHR) row.scope = jit::coopmat::Scope::Workgroup;
      if (row.saturating == saturating &&
          jit::coopmat::isFlexible(row, device.tables(), info->invocations))
        rows.push_back(row);
    }
  return enumerate(rows, count, properties,
                   [](VkCooperativeMatrixProperties2EXT& to, const jit::coopmat::Shape& shape) {
                     fillGranularity(to, shape);
                   });
}

}  // namespace icd

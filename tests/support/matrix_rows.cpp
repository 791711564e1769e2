// SPDX-License-Identifier: Apache-2.0

#include "tests/support/matrix_rows.h"

#include <array>

namespace kernels {
namespace {

constexpr std::array kTypes = {
#define ELEMENT(name, ...) ElementType::name,
#include "tests/support/element_type.def"
};

std::string nameOf(VkComponentTypeKHR component) {
  for (const ElementType type : kTypes)
    if (componentType(type) == component) return elementInfo(type).name;
  return "type " + std::to_string(component);
}

std::string nameOf(VkScopeKHR scope) {
  switch (scope) {
    case VK_SCOPE_SUBGROUP_KHR:
      return "subgroup";
    case VK_SCOPE_WORKGROUP_KHR:
      return "workgroup";
    default:
      return "scope " + std::to_string(scope);
  }
}

std::string sizes(uint32_t m, uint32_t n, uint32_t k) {
  return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
}

template <typename Row>
std::string typesOf(const Row& row) {
  return nameOf(row.AType) + "*" + nameOf(row.BType) + "+" + nameOf(row.CType) + "->" +
         nameOf(row.ResultType);
}

}  // namespace

VkComponentTypeKHR componentType(ElementType type) {
  switch (type) {
    case ElementType::U8:
      return VK_COMPONENT_TYPE_UINT8_KHR;
    case ElementType::S8:
      return VK_COMPONENT_TYPE_SINT8_KHR;
    case ElementType::U16:
      return VK_COMPONENT_TYPE_UINT16_KHR;
    case ElementType::S16:
      return VK_COMPONENT_TYPE_SINT16_KHR;
    case ElementType::U32:
      return VK_COMPONENT_TYPE_UINT32_KHR;
    case ElementType::S32:
      return VK_COMPONENT_TYPE_SINT32_KHR;
    case ElementType::U64:
      return VK_COMPONENT_TYPE_UINT64_KHR;
    case ElementType::S64:
      return VK_COMPONENT_TYPE_SINT64_KHR;
    case ElementType::E4M3:
      return VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT;
    case ElementType::E5M2:
      return VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT;
    case ElementType::F16:
      return VK_COMPONENT_TYPE_FLOAT16_KHR;
    case ElementType::BF16:
      return VK_COMPONENT_TYPE_BFLOAT16_KHR;
    case ElementType::F32:
      return VK_COMPONENT_TYPE_FLOAT32_KHR;
    case ElementType::F64:
      return VK_COMPONENT_TYPE_FLOAT64_KHR;
  }
  return VK_COMPONENT_TYPE_MAX_ENUM_KHR;
}

std::string describe(const VkCooperativeMatrixPropertiesKHR& row) {
  return sizes(row.MSize, row.NSize, row.KSize) + " " + typesOf(row) + " " + nameOf(row.scope) +
         (row.saturatingAccumulation != 0 ? " saturating" : "");
}

std::string describe(const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& row) {
  return "multiples of " + sizes(row.MGranularity, row.NGranularity, row.KGranularity) + " " +
         typesOf(row) + " " + nameOf(row.scope) +
         (row.workgroupInvocations != 0 ? " of " + std::to_string(row.workgroupInvocations) : "") +
         (row.saturatingAccumulation != 0 ? " saturating" : "");
}

}  // namespace kernels

#include "tests/matrix/facts.h"

#include <algorithm>
#include <optional>

namespace matrices {
namespace {

std::optional<ElementType> elementOf(VkComponentTypeKHR type) {
  switch (type) {
    case VK_COMPONENT_TYPE_FLOAT16_KHR:
      return ElementType::F16;
    case VK_COMPONENT_TYPE_FLOAT32_KHR:
      return ElementType::F32;
    case VK_COMPONENT_TYPE_FLOAT64_KHR:
      return ElementType::F64;
    case VK_COMPONENT_TYPE_SINT8_KHR:
      return ElementType::S8;
    case VK_COMPONENT_TYPE_SINT16_KHR:
      return ElementType::S16;
    case VK_COMPONENT_TYPE_SINT32_KHR:
      return ElementType::S32;
    case VK_COMPONENT_TYPE_SINT64_KHR:
      return ElementType::S64;
    case VK_COMPONENT_TYPE_UINT8_KHR:
      return ElementType::U8;
    case VK_COMPONENT_TYPE_UINT16_KHR:
      return ElementType::U16;
    case VK_COMPONENT_TYPE_UINT32_KHR:
      return ElementType::U32;
    case VK_COMPONENT_TYPE_UINT64_KHR:
      return ElementType::U64;
    case VK_COMPONENT_TYPE_BFLOAT16_KHR:
      return ElementType::BF16;
    case VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT:
      return ElementType::E4M3;
    case VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT:
      return ElementType::E5M2;
    default:
      return std::nullopt;
  }
}

bool has(const host::Device& device, const char* feature) {
  return device.features().find(feature).value_or(false);
}

// Whether the features of a component type are on.
bool hasComponent(const host::Device& device, ElementType type) {
  switch (type) {
    case ElementType::U8:
    case ElementType::S8:
      return has(device, "shaderInt8");
    case ElementType::U16:
    case ElementType::S16:
      return has(device, "shaderInt16");
    case ElementType::U64:
    case ElementType::S64:
      return has(device, "shaderInt64");
    case ElementType::F16:
      return has(device, "shaderFloat16");
    case ElementType::F64:
      return has(device, "shaderFloat64");
    case ElementType::BF16:
      return has(device, "shaderBFloat16Type") && has(device, "shaderBFloat16CooperativeMatrix");
    case ElementType::E4M3:
    case ElementType::E5M2:
      return has(device, "shaderFloat8") && has(device, "shaderFloat8CooperativeMatrix");
    default:
      return true;
  }
}

}  // namespace

bool Facts::hasScalar(ElementType type) const {
  switch (type) {
    case ElementType::U8:
    case ElementType::S8:
      return int8;
    case ElementType::U16:
    case ElementType::S16:
      return int16;
    case ElementType::U64:
    case ElementType::S64:
      return int64;
    case ElementType::F16:
      return float16;
    case ElementType::F64:
      return float64;
    case ElementType::U32:
    case ElementType::S32:
    case ElementType::F32:
      return true;
    default:
      return std::any_of(types.begin(), types.end(),
                         [&](const MatrixType& t) { return t.component == type; });
  }
}

bool Facts::hasArithmetic(ElementType type) const {
  return type != ElementType::BF16 && type != ElementType::E4M3 && type != ElementType::E5M2;
}

bool Facts::hasType(const MatrixType& type) const {
  return std::find(types.begin(), types.end(), type) != types.end();
}

Facts factsOf(const host::Device& device, bool any_alignment) {
  const host::PhysicalDevice& physical = device.physical();
  Facts facts;
  facts.int8 = has(device, "shaderInt8");
  facts.int16 = has(device, "shaderInt16");
  facts.int64 = has(device, "shaderInt64");
  facts.float16 = has(device, "shaderFloat16");
  facts.float64 = has(device, "shaderFloat64");
  facts.storage8 = has(device, "storageBuffer8BitAccess");
  facts.storage16 = has(device, "storageBuffer16BitAccess");
  facts.variable_pointers = has(device, "variablePointers");
  facts.variable_pointers_storage = has(device, "variablePointersStorageBuffer");
  facts.physical_addresses = has(device, "bufferDeviceAddress");
  facts.size_control = has(device, "subgroupSizeControl") && has(device, "computeFullSubgroups");
  facts.subgroup_size = physical.subgroup.subgroupSize;
  facts.min_subgroup_size = physical.min_subgroup_size;
  facts.max_subgroup_size = physical.max_subgroup_size;
  facts.max_invocations = physical.limits.maxComputeWorkGroupInvocations;
  facts.shared_bytes = physical.limits.maxComputeSharedMemorySize;
  facts.any_alignment = any_alignment;
  // Shaders with matrices need both.
  if (!has(device, "cooperativeMatrix") || !has(device, "vulkanMemoryModel")) return facts;
  // Sizes, components, whether it saturates.
  auto add = [&](uint32_t m, uint32_t n, uint32_t k, const auto& row) {
    const auto a = elementOf(row.AType), b = elementOf(row.BType), c = elementOf(row.CType),
               result = elementOf(row.ResultType);
    if (row.scope != VK_SCOPE_SUBGROUP_KHR || !a || !b || !c || !result) return;
    if (!hasComponent(device, *a) || !hasComponent(device, *b) || !hasComponent(device, *c) ||
        !hasComponent(device, *result)) {
      return;
    }
    const Multiplication& made = facts.rows.emplace_back(
        Multiplication{m, n, k, *a, *b, *c, *result, row.saturatingAccumulation != VK_FALSE});
    for (const MatrixType& type : {made.typeA(), made.typeB(), made.typeC(), made.typeResult()}) {
      if (!facts.hasType(type)) facts.types.push_back(type);
    }
  };
  for (const VkCooperativeMatrixPropertiesKHR& row : physical.matrices)
    add(row.MSize, row.NSize, row.KSize, row);
  if (!has(device, "cooperativeMatrixFlexibleDimensions")) return facts;
  // Some that fit into registers, some that do not.
  constexpr uint32_t kMultiples[][3] = {{1, 3, 2}, {3, 1, 1}, {4, 4, 2}, {2, 5, 6}};
  for (const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& row : physical.flexible_matrices) {
    for (const auto& [m, n, k] : kMultiples)
      add(m * row.MGranularity, n * row.NGranularity, k * row.KGranularity, row);
  }
  return facts;
}

}  // namespace matrices

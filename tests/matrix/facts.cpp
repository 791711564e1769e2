// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/facts.h"

#include <algorithm>
#include <array>
#include <initializer_list>
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

// What a row of any of the device's tables has besides sizes; nothing if programs cannot use it.
template <typename Row>
std::optional<Multiplication> typesOf(const host::Device& device, const Row& row, bool saturating) {
  const auto a = elementOf(row.AType), b = elementOf(row.BType), c = elementOf(row.CType),
             result = elementOf(row.ResultType);
  for (const std::optional<ElementType>& type : {a, b, c, result})
    if (!type || !hasComponent(device, *type)) return std::nullopt;
  return Multiplication{0, 0, 0, *a, *b, *c, *result, saturating};
}

// Rows of the sizes that are nearest above what is wanted.
template <typename Row>
std::vector<Multiplication> sized(const Row& row, Multiplication made,
                                  std::initializer_list<std::array<uint32_t, 3>> wanted) {
  auto multiple = [](uint32_t size, uint32_t granularity) {
    return (size + granularity - 1) / granularity * granularity;
  };
  std::vector<Multiplication> rows;
  for (const auto& [m, n, k] : wanted) {
    made.m = multiple(m, row.MGranularity);
    made.n = multiple(n, row.NGranularity);
    made.k = multiple(k, row.KGranularity);
    rows.push_back(made);
  }
  return rows;
}

// Some that fit into registers, some that do not.
constexpr std::initializer_list<std::array<uint32_t, 3>> kSubgroupSizes = {
    {8, 24, 16}, {24, 8, 8}, {32, 32, 16}, {16, 40, 48}};
constexpr std::initializer_list<std::array<uint32_t, 3>> kWorkgroupSizes = {
    {8, 24, 16}, {64, 64, 32}, {128, 32, 16}, {40, 96, 24}};

bool hasFloatControls(const host::Device& device) {
  VkPhysicalDeviceFloatControlsProperties modes{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &modes};
  device.instance().functions().vkGetPhysicalDeviceProperties2(device.physical().handle,
                                                               &properties);
  return modes.shaderRoundingModeRTEFloat16 && modes.shaderRoundingModeRTEFloat32 &&
         modes.shaderRoundingModeRTEFloat64 && modes.shaderSignedZeroInfNanPreserveFloat16 &&
         modes.shaderSignedZeroInfNanPreserveFloat32 && modes.shaderSignedZeroInfNanPreserveFloat64;
}

// VK_EXT_cooperative_matrix_maintenance1 answers for workgroups of one size at a time.
void askForWorkgroups(const host::Device& device, Facts& facts) {
  for (uint32_t invocations : {16, 32, 64, 128, 256}) {
    for (bool saturating : {false, true}) {
      VkPhysicalDeviceCooperativeMatrixInfo2EXT info{
          .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_INFO_2_EXT};
      info.scope = VK_SCOPE_WORKGROUP_KHR;
      info.invocations = invocations;
      if (saturating) info.flags = VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT;
      for (const VkCooperativeMatrixProperties2EXT& row : device.matricesFor(info)) {
        std::optional<Multiplication> made = typesOf(device, row, saturating);
        if (!made) continue;
        made->scope = Scope::Workgroup;
        for (const Multiplication& m : sized(row, *made, kWorkgroupSizes))
          facts.workgroup_rows.push_back({m, invocations});
      }
    }
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
      return std::any_of(rows.begin(), rows.end(), [&](const Multiplication& row) {
        return row.a == type || row.b == type || row.c == type || row.result == type;
      });
  }
}

bool Facts::hasArithmetic(ElementType type) const {
  return type != ElementType::BF16 && type != ElementType::E4M3 && type != ElementType::E5M2;
}

std::vector<uint32_t> Facts::subgroupSizesFor(uint32_t invocations) const {
  std::vector<uint32_t> sizes;
  for (uint32_t size = min_subgroup_size; size <= max_subgroup_size; size *= 2)
    if (invocations % size == 0) sizes.push_back(size);
  return sizes;
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
  facts.float_controls = hasFloatControls(device);
  facts.untyped_pointers = has(device, "shaderUntypedPointers");
  facts.workgroup_layouts = has(device, "workgroupMemoryExplicitLayout") &&
                            has(device, "workgroupMemoryExplicitLayout8BitAccess") &&
                            has(device, "workgroupMemoryExplicitLayout16BitAccess");
  facts.conversions = has(device, "cooperativeMatrixConversions");
  facts.conversions_back =
      facts.conversions &&
      physical.extensions.contains(VK_EXT_COOPERATIVE_MATRIX_MAINTENANCE_1_EXTENSION_NAME);
  facts.reductions = has(device, "cooperativeMatrixReductions");
  facts.per_element = has(device, "cooperativeMatrixPerElementOperations");
  facts.coordinates = has(device, "cooperativeMatrixGetCoordinate");
  facts.tensors = has(device, "cooperativeMatrixTensorAddressing");
  // Shaders with matrices need both.
  if (!has(device, "cooperativeMatrix") || !has(device, "vulkanMemoryModel")) return facts;
  for (const VkCooperativeMatrixPropertiesKHR& row : physical.matrices) {
    std::optional<Multiplication> made = typesOf(device, row, row.saturatingAccumulation);
    if (!made || row.scope != VK_SCOPE_SUBGROUP_KHR) continue;
    made->m = row.MSize;
    made->n = row.NSize;
    made->k = row.KSize;
    facts.rows.push_back(*made);
  }
  if (!has(device, "cooperativeMatrixFlexibleDimensions")) return facts;
  const bool workgroups = has(device, "cooperativeMatrixWorkgroupScope");
  if (workgroups)
    facts.reserved_shared_bytes =
        physical.matrix_limits.cooperativeMatrixWorkgroupScopeReservedSharedMemory;
  for (const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& row : physical.flexible_matrices) {
    std::optional<Multiplication> made = typesOf(device, row, row.saturatingAccumulation);
    if (!made) continue;
    if (row.scope == VK_SCOPE_SUBGROUP_KHR) {
      for (const Multiplication& m : sized(row, *made, kSubgroupSizes)) facts.rows.push_back(m);
    } else if (row.scope == VK_SCOPE_WORKGROUP_KHR && workgroups) {
      made->scope = Scope::Workgroup;
      for (const Multiplication& m : sized(row, *made, kWorkgroupSizes))
        facts.workgroup_rows.push_back({m, row.workgroupInvocations});
    }
  }
  if (workgroups) askForWorkgroups(device, facts);
  return facts;
}

}  // namespace matrices

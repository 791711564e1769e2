// SPDX-License-Identifier: Apache-2.0

#include "icd/properties.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>

#include "icd/api_version.h"
#include "icd/chain.h"
#include "icd/limits.h"
#include "jit/matrix/shapes.h"
#include "runtime/kernel_library/shader_abort.h"

namespace icd {
namespace {

// The registry of driver ids has none for this driver, and to use another's would make clients
// apply the other's workarounds. Ids that are not registered may be returned (specification,
// VkDriverId), so this is a number that no enumerant will get: "TESS", far beyond the core's range
// and those of extensions.
constexpr auto kDriverId = static_cast<VkDriverId>(0x54455353);

// The specification wants the id of a PCI vendor, or one that was registered with Khronos. There is
// neither, and each other number is somebody's or may become so. PCI has given 0 to nobody.
constexpr uint32_t kVendorId = 0;

// Stable: the same device and driver on any machine, in any process. 16 bytes each.
constexpr char kDeviceUuid[VK_UUID_SIZE + 1] = "Tessera CPU 0   ";
constexpr char kDriverUuid[VK_UUID_SIZE + 1] = "Tessera driver  ";

VkPhysicalDeviceType vulkanType(rt::DeviceType type) {
  switch (type) {
    case rt::DeviceType::Cpu:
      return VK_PHYSICAL_DEVICE_TYPE_CPU;
    case rt::DeviceType::Integrated:
      return VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    case rt::DeviceType::Discrete:
      return VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    case rt::DeviceType::Virtual:
      return VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU;
    case rt::DeviceType::Other:
      break;
  }
  return VK_PHYSICAL_DEVICE_TYPE_OTHER;
}

// The version of the device, as the specification wants it: from 1, the instruction set that
// kernels are made for. How many threads run them is no part of it, but a setting of the process,
// and none of compiled code: what an application keeps of it (headers of pipeline caches) fits any
// number.
uint32_t deviceId(rt::Isa isa) { return static_cast<uint32_t>(isa) + 1; }

const char* displayName(rt::Isa isa) {
  switch (isa) {
    case rt::Isa::Reference:
      return "reference";
    case rt::Isa::Avx2:
      return "AVX2";
    case rt::Isa::Avx512:
      return "AVX-512";
    case rt::Isa::Amx:
      break;
  }
  return "AMX";
}

VkPhysicalDeviceProperties2 properties10(const Machine& machine) {
  VkPhysicalDeviceProperties2 result{};
  VkPhysicalDeviceProperties& core = result.properties;
  core.apiVersion = kApiVersion;
  core.driverVersion = kDriverVersion;
  core.vendorID = kVendorId;
  core.deviceID = deviceId(machine.isa);
  core.deviceType = vulkanType(machine.device_type);
  std::snprintf(core.deviceName, sizeof core.deviceName, "Tessera (%s, %u thread%s)",
                displayName(machine.isa), machine.threads, machine.threads == 1 ? "" : "s");
  std::ranges::copy(machine.cache_uuid, core.pipelineCacheUUID);
  core.limits = kLimits;
  return result;
}

VkPhysicalDeviceVulkan11Properties properties11(const Machine& machine) {
  VkPhysicalDeviceVulkan11Properties result{.subgroupSize = machine.subgroup_size,
                                            .subgroupSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                            .subgroupSupportedOperations = kSubgroupOperations,
                                            .subgroupQuadOperationsInAllStages = VK_TRUE,
                                            .maxPerSetDescriptors = kMaxDescriptors,
                                            .maxMemoryAllocationSize = machine.heap_bytes};
  std::memcpy(result.deviceUUID, kDeviceUuid, VK_UUID_SIZE);
  std::memcpy(result.driverUUID, kDriverUuid, VK_UUID_SIZE);
  return result;
}

VkPhysicalDeviceVulkan12Properties properties12() {
  VkPhysicalDeviceVulkan12Properties result{
      .driverID = kDriverId,
      .conformanceVersion = {0, 0, 0, 0},  // never submitted
      // Modes become part of the code (jit/math/float_controls.h), for each width by itself.
      .denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL,
      .roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL,
      .shaderSignedZeroInfNanPreserveFloat16 = VK_TRUE,
      .shaderSignedZeroInfNanPreserveFloat32 = VK_TRUE,
      .shaderSignedZeroInfNanPreserveFloat64 = VK_TRUE,
      .shaderDenormPreserveFloat16 = VK_TRUE,
      .shaderDenormPreserveFloat32 = VK_TRUE,
      .shaderDenormPreserveFloat64 = VK_TRUE,
      .shaderDenormFlushToZeroFloat16 = VK_TRUE,
      .shaderDenormFlushToZeroFloat32 = VK_TRUE,
      .shaderDenormFlushToZeroFloat64 = VK_TRUE,
      .shaderRoundingModeRTEFloat16 = VK_TRUE,
      .shaderRoundingModeRTEFloat32 = VK_TRUE,
      .shaderRoundingModeRTEFloat64 = VK_TRUE,
      .shaderRoundingModeRTZFloat16 = VK_TRUE,
      .shaderRoundingModeRTZFloat32 = VK_TRUE,
      .shaderRoundingModeRTZFloat64 = VK_TRUE,
      .maxUpdateAfterBindDescriptorsInAllPools = kMaxDescriptors,
      .shaderUniformBufferArrayNonUniformIndexingNative = VK_TRUE,
      .shaderStorageBufferArrayNonUniformIndexingNative = VK_TRUE,
      .robustBufferAccessUpdateAfterBind = VK_TRUE,
      .maxPerStageDescriptorUpdateAfterBindUniformBuffers = kMaxDescriptors,
      .maxPerStageDescriptorUpdateAfterBindStorageBuffers = kMaxDescriptors,
      .maxPerStageUpdateAfterBindResources = kMaxDescriptors,
      .maxDescriptorSetUpdateAfterBindUniformBuffers = kMaxDescriptors,
      .maxDescriptorSetUpdateAfterBindUniformBuffersDynamic = kMaxDynamicPerKind,
      .maxDescriptorSetUpdateAfterBindStorageBuffers = kMaxDescriptors,
      .maxDescriptorSetUpdateAfterBindStorageBuffersDynamic = kMaxDynamicPerKind,
      .maxTimelineSemaphoreValueDifference = UINT64_MAX};
  std::snprintf(result.driverName, sizeof result.driverName, "%s", kDriverName);
  std::snprintf(result.driverInfo, sizeof result.driverInfo, "%s", kDriverVersionText);
  return result;
}

VkPhysicalDeviceVulkan13Properties properties13(const Machine& machine) {
  // Dot products of four bytes are one instruction, or two where both sides are of one signedness;
  // without it up to nine of AVX2, where products one by one are more than twenty.
  const rt::CpuFeatures& has = machine.features;
  const VkBool32 byte_dot = has.avx512_vnni || has.avx_vnni || has.avx2;
  return {.minSubgroupSize = kMinSubgroupSize,
          .maxSubgroupSize = kMaxSubgroupSize,
          .maxComputeWorkgroupSubgroups = kMaxWorkgroupInvocations / kMinSubgroupSize,
          .requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT,
          .maxInlineUniformBlockSize = kMaxInlineUniformBlockBytes,
          .maxPerStageDescriptorInlineUniformBlocks = kMaxInlineUniformBlocks,
          .maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks = kMaxInlineUniformBlocks,
          .maxDescriptorSetInlineUniformBlocks = kMaxInlineUniformBlocks,
          .maxDescriptorSetUpdateAfterBindInlineUniformBlocks = kMaxInlineUniformBlocks,
          .maxInlineUniformTotalSize = kMaxInlineUniformBlocks * kMaxInlineUniformBlockBytes,
          .integerDotProduct8BitUnsignedAccelerated = byte_dot,
          .integerDotProduct8BitSignedAccelerated = byte_dot,
          .integerDotProduct8BitMixedSignednessAccelerated = byte_dot,
          .integerDotProduct4x8BitPackedUnsignedAccelerated = byte_dot,
          .integerDotProduct4x8BitPackedSignedAccelerated = byte_dot,
          .integerDotProduct4x8BitPackedMixedSignednessAccelerated = byte_dot,
          .integerDotProductAccumulatingSaturating8BitUnsignedAccelerated = byte_dot,
          .integerDotProductAccumulatingSaturating8BitSignedAccelerated = byte_dot,
          .integerDotProductAccumulatingSaturating8BitMixedSignednessAccelerated = byte_dot,
          .integerDotProductAccumulatingSaturating4x8BitPackedUnsignedAccelerated = byte_dot,
          .integerDotProductAccumulatingSaturating4x8BitPackedSignedAccelerated = byte_dot,
          .integerDotProductAccumulatingSaturating4x8BitPackedMixedSignednessAccelerated = byte_dot,
          .storageTexelBufferOffsetAlignmentBytes = kDescriptorOffsetAlignment,
          .uniformTexelBufferOffsetAlignmentBytes = kDescriptorOffsetAlignment,
          .maxBufferSize = machine.heap_bytes};
}

VkPhysicalDeviceSubgroupProperties subgroupProperties(
    const VkPhysicalDeviceVulkan11Properties& v11) {
  return {.subgroupSize = v11.subgroupSize,
          .supportedStages = v11.subgroupSupportedStages,
          .supportedOperations = v11.subgroupSupportedOperations,
          .quadOperationsInAllStages = v11.subgroupQuadOperationsInAllStages};
}

// Binaries hold SPIR-V, so they are good for all machines and versions of the driver.
VkPhysicalDeviceShaderObjectPropertiesEXT shaderObjectProperties() {
  VkPhysicalDeviceShaderObjectPropertiesEXT result{.shaderBinaryVersion = 1};
  std::memcpy(result.shaderBinaryUUID, kDriverUuid, VK_UUID_SIZE);
  return result;
}

template <class Structure>
Structure withType(VkStructureType type, Structure structure) {
  structure.sType = type;
  return structure;
}

template <class Structure>
StructurePayload answerOf(const Structure& structure) {
  return payloadOf(structure);
}
// The client's array behind the count stays as it is.
StructurePayload answerOf(const VkPhysicalDeviceLayeredApiPropertiesListKHR& list) {
  StructurePayload payload = payloadOf(list);
  payload.size = sizeof list.layeredApiCount;
  return payload;
}

#define TYPE_OF(TYPE) VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE

constexpr VkStructureType kTypes[] = {
#define PROPERTIES(member, name, TYPE, ...) TYPE_OF(TYPE),
#define COMPUTED(member, name, TYPE, call) TYPE_OF(TYPE),
#define TAKEN_OVER(name, TYPE, member, first, last) TYPE_OF(TYPE),
#include "icd/properties.def"
};
static_assert(isEachOnce(kTypes), "two rows of properties.def have one type");

}  // namespace

Properties makeProperties(const Machine& machine) {
  return {
#define PROPERTIES(member, name, TYPE, ...) .member = {.sType = TYPE_OF(TYPE), __VA_ARGS__},
#define COMPUTED(member, name, TYPE, call) .member = withType(TYPE_OF(TYPE), call),
#define TAKEN_OVER(name, TYPE, member, first, last)
#include "icd/properties.def"
  };
}

void fillProperties(void* chain, const Properties& properties) {
  const StructurePayload payloads[] = {
#define PROPERTIES(member, name, TYPE, ...) answerOf(properties.member),
#define COMPUTED(member, name, TYPE, call) answerOf(properties.member),
#define TAKEN_OVER(name, TYPE, member, first, last) \
  PAYLOAD_WITHIN(VkPhysicalDevice##name, TYPE_OF(TYPE), properties.member, first, last),
#include "icd/properties.def"
  };
  fillChain(chain, payloads);
}

#undef TYPE_OF

}  // namespace icd

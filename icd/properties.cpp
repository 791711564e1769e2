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

namespace icd {
namespace {

// The registry of driver ids has none for this driver, and to use another's would make clients
// apply the other's workarounds. No valid id is unknown to all, so this is a number that no
// enumerant will get: "TESS", far beyond the core's range and those of extensions.
constexpr auto kDriverId = static_cast<VkDriverId>(0x54455353);

// Neither a PCI vendor nor registered with Khronos.
constexpr uint32_t kVendorId = 0;
constexpr uint32_t kDeviceId = 0;

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
  VkPhysicalDeviceProperties2 result{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  VkPhysicalDeviceProperties& core = result.properties;
  core.apiVersion = kApiVersion;
  core.driverVersion = kDriverVersion;
  core.vendorID = kVendorId;
  core.deviceID = kDeviceId;
  core.deviceType = vulkanType(machine.device_type);
  std::snprintf(core.deviceName, sizeof core.deviceName, "Tessera (%s, %u thread%s)",
                displayName(machine.isa), machine.threads, machine.threads == 1 ? "" : "s");
  std::ranges::copy(machine.cache_uuid, core.pipelineCacheUUID);
  core.limits = kLimits;
  return result;
}

VkPhysicalDeviceVulkan11Properties properties11(const Machine& machine) {
  VkPhysicalDeviceVulkan11Properties result{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
      .subgroupSize = machine.subgroup_size,
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
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES,
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
  // Dot products of four bytes are one instruction, or two where both sides are of one signedness.
  const rt::CpuFeatures& has = machine.features;
  const VkBool32 byte_dot = has.avx512_vnni || has.avx_vnni;
  return {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES,
          .minSubgroupSize = kMinSubgroupSize,
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
  return {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
          .subgroupSize = v11.subgroupSize,
          .supportedStages = v11.subgroupSupportedStages,
          .supportedOperations = v11.subgroupSupportedOperations,
          .quadOperationsInAllStages = v11.subgroupQuadOperationsInAllStages};
}

// Binaries hold SPIR-V, so they are good for all machines and versions of the driver.
VkPhysicalDeviceShaderObjectPropertiesEXT shaderObjectProperties() {
  VkPhysicalDeviceShaderObjectPropertiesEXT result{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT,
      .shaderBinaryVersion = 1};
  std::memcpy(result.shaderBinaryUUID, kDriverUuid, VK_UUID_SIZE);
  return result;
}

// The client's array behind the count stays as it is.
StructurePayload countAlone(const VkPhysicalDeviceLayeredApiPropertiesListKHR& list) {
  StructurePayload payload = payloadOf(list);
  payload.size = sizeof list.layeredApiCount;
  return payload;
}

}  // namespace

Properties makeProperties(const Machine& machine) {
  return {
      .v10 = properties10(machine),
      .v11 = properties11(machine),
      .v12 = properties12(),
      .v13 = properties13(machine),
      .subgroup = subgroupProperties(properties11(machine)),
      // There is nothing to draw.
      .maintenance5 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_PROPERTIES},
      // There are no images to combine with samplers; the least that may be said is 1.
      .maintenance6 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_PROPERTIES,
                       .blockTexelViewCompatibleMultipleLayers = VK_FALSE,
                       .maxCombinedImageSamplerDescriptorCount = 1,
                       .fragmentShadingRateClampCombinerInputs = VK_FALSE},
      // Dynamic buffers of either kind count against one limit.
      .maintenance7 =
          {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_7_PROPERTIES_KHR,
           .maxDescriptorSetTotalUniformBuffersDynamic = rt::kMaxDynamicBuffers,
           .maxDescriptorSetTotalStorageBuffersDynamic = rt::kMaxDynamicBuffers,
           .maxDescriptorSetTotalBuffersDynamic = rt::kMaxDynamicBuffers,
           .maxDescriptorSetUpdateAfterBindTotalUniformBuffersDynamic = rt::kMaxDynamicBuffers,
           .maxDescriptorSetUpdateAfterBindTotalStorageBuffersDynamic = rt::kMaxDynamicBuffers,
           .maxDescriptorSetUpdateAfterBindTotalBuffersDynamic = rt::kMaxDynamicBuffers},
      // There is no other API beneath.
      .layered_apis = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_LIST_KHR,
                       .layeredApiCount = 0},
      .maintenance9 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_PROPERTIES_KHR,
                       .image2DViewOf3DSparse = VK_FALSE,
                       .defaultVertexAttributeValue =
                           VK_DEFAULT_VERTEX_ATTRIBUTE_VALUE_ZERO_ZERO_ZERO_ZERO_KHR},
      // Nothing is resolved; the specification would rather have this said.
      .maintenance10 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_PROPERTIES_KHR,
                        .resolveSrgbFormatAppliesTransferFunction = VK_TRUE},
      // The one that loses the device.
      .fault = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR,
                .maxDeviceFaultCount = 1},
      .placed_maps = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_PROPERTIES_EXT,
                      .minPlacedMemoryMapAlignment = rt::kPageBytes},
      .external_memory_host =
          {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT,
           .minImportedHostPointerAlignment = kHostPointerAlignment},
      .copy_memory_indirect =
          {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_PROPERTIES_KHR,
           .supportedQueues = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT},
      .nested_commands =
          {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_PROPERTIES_EXT,
           .maxCommandBufferNestingLevel = kMaxNestedCommandBuffers},
      // The cache on disk only ever has what applications have compiled.
      .pipeline_binary = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_PROPERTIES_KHR,
                          .pipelineBinaryInternalCache = machine.keeps_kernels,
                          .pipelineBinaryInternalCacheControl = VK_TRUE,
                          .pipelineBinaryPrefersInternalCache = VK_FALSE,
                          .pipelineBinaryPrecompiledInternalCache = VK_FALSE,
                          .pipelineBinaryCompressedData = VK_FALSE},
      // Nothing is checked unless it is asked for.
      .pipeline_robustness =
          {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_PROPERTIES,
           .defaultRobustnessStorageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED,
           .defaultRobustnessUniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED,
           .defaultRobustnessVertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED,
           .defaultRobustnessImages = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DISABLED},
      // Bounds are tested to the byte.
      .robustness2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_KHR,
                      .robustStorageBufferAccessSizeAlignment = 1,
                      .robustUniformBufferAccessSizeAlignment = 1},
      .push_descriptor = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES,
                          .maxPushDescriptors = kMaxPushDescriptors},
      .derivatives =
          {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_PROPERTIES_KHR,
           .meshAndTaskShaderDerivatives = VK_FALSE},
      .cooperative_matrix =
          {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR,
           .cooperativeMatrixSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT},
      .cooperative_matrix_nv =
          {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_NV,
           .cooperativeMatrixSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT},
      // Matrices lie in scratch memory, not in what shaders share.
      .cooperative_matrix2 =
          {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV,
           .cooperativeMatrixWorkgroupScopeMaxWorkgroupSize =
               jit::coopmat::kMaxWorkgroupScopeInvocations,
           .cooperativeMatrixFlexibleDimensionsMaxDimension = jit::coopmat::kMaxDimension,
           .cooperativeMatrixWorkgroupScopeReservedSharedMemory = 0},
      .long_vector = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_LONG_VECTOR_PROPERTIES_EXT,
                      .maxVectorComponents = jit::kMaxVectorComponents},
      .shader_object = shaderObjectProperties(),
      .split_barrier = {
          .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SPLIT_BARRIER_PROPERTIES_EXT,
          .splitBarrierReservedSharedMemory = 0}};
}

void fillProperties(void* chain, const Properties& properties) {
  const StructurePayload payloads[] = {
      payloadOf(properties.v10),
      payloadOf(properties.v11),
      payloadOf(properties.v12),
      payloadOf(properties.v13),
      payloadOf(properties.subgroup),
      payloadOf(properties.maintenance5),
      payloadOf(properties.maintenance6),
      payloadOf(properties.maintenance7),
      countAlone(properties.layered_apis),
      payloadOf(properties.maintenance9),
      payloadOf(properties.pipeline_binary),
      payloadOf(properties.pipeline_robustness),
      payloadOf(properties.robustness2),
      payloadOf(properties.push_descriptor),
      payloadOf(properties.derivatives),
      payloadOf(properties.cooperative_matrix),
      payloadOf(properties.cooperative_matrix_nv),
      payloadOf(properties.cooperative_matrix2),
      payloadOf(properties.long_vector),
      payloadOf(properties.shader_object),
      payloadOf(properties.split_barrier),
      payloadOf(properties.fault),
      payloadOf(properties.placed_maps),
      payloadOf(properties.maintenance10),
      payloadOf(properties.external_memory_host),
      payloadOf(properties.copy_memory_indirect),
      payloadOf(properties.nested_commands),
#define PROMOTED(name, TYPE, version, first, last)                                             \
  PAYLOAD_WITHIN(VkPhysicalDevice##name##Properties,                                           \
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE##_PROPERTIES, properties.v##version, \
                 first, last),
#include "icd/promoted_properties.def"
  };
  fillChain(chain, payloads);
}

}  // namespace icd

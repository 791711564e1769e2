// SPDX-License-Identifier: Apache-2.0

// THE list of features (specification, "Features"): what is VK_TRUE here is kept by the compiler
// and the runtime. The queries and the check in vkCreateDevice walk payloads; nothing else knows
// the members.
#pragma once

#include <array>

#include "icd/chain.h"
#include "icd/core_features.h"
#include "icd/vulkan.h"

namespace icd {

// What of these concerns images and drawing has nothing to apply to, as in the maintenance
// extensions before; the tenth has nothing else. The rest is so for all devices: a stage brings its
// SPIR-V along, flags have 64 bits, and a device that is lost says so from then on (5); binding
// says how it went for each buffer (6); results of queries are cut to 32 bits (7); barriers order
// everything, merging pipeline caches touches nothing, and remainders are SPIR-V's (8); bits of all
// integers can be counted and moved, queries begin reset, events need no dependency, and buffers
// belong to no queue (9).
inline constexpr VkPhysicalDeviceMaintenance5Features kMaintenance5Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .maintenance5 = VK_TRUE};

inline constexpr VkPhysicalDeviceMaintenance6Features kMaintenance6Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES, .maintenance6 = VK_TRUE};

inline constexpr VkPhysicalDeviceMaintenance7FeaturesKHR kMaintenance7Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_7_FEATURES_KHR, .maintenance7 = VK_TRUE};

inline constexpr VkPhysicalDeviceMaintenance8FeaturesKHR kMaintenance8Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_8_FEATURES_KHR, .maintenance8 = VK_TRUE};

inline constexpr VkPhysicalDeviceMaintenance9FeaturesKHR kMaintenance9Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR, .maintenance9 = VK_TRUE};

inline constexpr VkPhysicalDeviceMaintenance10FeaturesKHR kMaintenance10Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR,
    .maintenance10 = VK_TRUE};

// Barriers over ranges of memory, which come with it, order everything like the others.
inline constexpr VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR kAddressCommandsFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .deviceAddressCommands = VK_TRUE};

// A wish, of which nothing has to come: memory does not move.
inline constexpr VkPhysicalDeviceMemoryPriorityFeaturesEXT kMemoryPriorityFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PRIORITY_FEATURES_EXT,
    .memoryPriority = VK_TRUE};

inline constexpr VkPhysicalDeviceMapMemoryPlacedFeaturesEXT kPlacedMapsFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT,
    .memoryMapPlaced = VK_TRUE,
    .memoryMapRangePlaced = VK_TRUE,
    .memoryUnmapReserve = VK_TRUE};

// All memory is, asked for or not (runtime/memory.h).
inline constexpr VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT
    kZeroInitializeMemoryFeatures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_DEVICE_MEMORY_FEATURES_EXT,
        .zeroInitializeDeviceMemory = VK_TRUE};

inline constexpr VkPhysicalDeviceInternallySynchronizedQueuesFeaturesKHR
    kInternallySynchronizedQueuesFeatures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INTERNALLY_SYNCHRONIZED_QUEUES_FEATURES_KHR,
        .internallySynchronizedQueues = VK_TRUE};

inline constexpr VkPhysicalDeviceFaultFeaturesKHR kFaultFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR, .deviceFault = VK_TRUE};

inline constexpr VkPhysicalDeviceFaultFeaturesEXT kFaultFeaturesExt = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT, .deviceFault = VK_TRUE};

// There are no images to copy to.
inline constexpr VkPhysicalDeviceCopyMemoryIndirectFeaturesKHR kCopyMemoryIndirectFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_KHR,
    .indirectMemoryCopy = VK_TRUE};

// There is no rendering to nest.
inline constexpr VkPhysicalDeviceNestedCommandBufferFeaturesEXT kNestedCommandBufferFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT,
    .nestedCommandBuffer = VK_TRUE,
    .nestedCommandBufferSimultaneousUse = VK_TRUE};

inline constexpr VkPhysicalDevicePipelineBinaryFeaturesKHR kPipelineBinaryFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR,
    .pipelineBinaries = VK_TRUE};

inline constexpr VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR
    kPipelineExecutableFeatures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pipelineExecutableInfo = VK_TRUE};

inline constexpr VkPhysicalDevicePipelineRobustnessFeatures kPipelineRobustnessFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES,
    .pipelineRobustness = VK_TRUE};

inline constexpr VkPhysicalDeviceShader64BitIndexingFeaturesEXT k64BitIndexingFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_64_BIT_INDEXING_FEATURES_EXT,
    .shader64BitIndexing = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderUniformBufferUnsizedArrayFeaturesEXT kUnsizedArrayFeatures =
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNIFORM_BUFFER_UNSIZED_ARRAY_FEATURES_EXT,
     .shaderUniformBufferUnsizedArray = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderAtomicFloatFeaturesEXT kAtomicFloatFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
    .shaderBufferFloat32Atomics = VK_TRUE,
    .shaderBufferFloat32AtomicAdd = VK_TRUE,
    .shaderBufferFloat64Atomics = VK_TRUE,
    .shaderBufferFloat64AtomicAdd = VK_TRUE,
    .shaderSharedFloat32Atomics = VK_TRUE,
    .shaderSharedFloat32AtomicAdd = VK_TRUE,
    .shaderSharedFloat64Atomics = VK_TRUE,
    .shaderSharedFloat64AtomicAdd = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT kAtomicFloat2Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT,
    .shaderBufferFloat16Atomics = VK_TRUE,
    .shaderBufferFloat16AtomicAdd = VK_TRUE,
    .shaderBufferFloat16AtomicMinMax = VK_TRUE,
    .shaderBufferFloat32AtomicMinMax = VK_TRUE,
    .shaderBufferFloat64AtomicMinMax = VK_TRUE,
    .shaderSharedFloat16Atomics = VK_TRUE,
    .shaderSharedFloat16AtomicAdd = VK_TRUE,
    .shaderSharedFloat16AtomicMinMax = VK_TRUE,
    .shaderSharedFloat32AtomicMinMax = VK_TRUE,
    .shaderSharedFloat64AtomicMinMax = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderAtomicFloat16VectorFeaturesNV kAtomicHalfVectorFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT16_VECTOR_FEATURES_NV,
    .shaderFloat16VectorAtomics = VK_TRUE};

inline constexpr VkPhysicalDeviceRobustness2FeaturesKHR kRobustness2Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_KHR,
    .robustBufferAccess2 = VK_TRUE,
    .nullDescriptor = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderUntypedPointersFeaturesKHR kUntypedPointersFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNTYPED_POINTERS_FEATURES_KHR,
    .shaderUntypedPointers = VK_TRUE};

inline constexpr VkPhysicalDeviceRawAccessChainsFeaturesNV kRawAccessChainsFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAW_ACCESS_CHAINS_FEATURES_NV,
    .shaderRawAccessChains = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderBfloat16FeaturesKHR kBfloat16Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR,
    .shaderBFloat16Type = VK_TRUE,
    .shaderBFloat16DotProduct = VK_TRUE,
    .shaderBFloat16CooperativeMatrix = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderFloat8FeaturesEXT kFloat8Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT,
    .shaderFloat8 = VK_TRUE,
    .shaderFloat8CooperativeMatrix = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR
    kMaximalReconvergenceFeatures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR,
        .shaderMaximalReconvergence = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR
    kSubgroupUniformControlFlowFeatures = {
        .sType =
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR,
        .shaderSubgroupUniformControlFlow = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderQuadControlFeaturesKHR kQuadControlFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_QUAD_CONTROL_FEATURES_KHR,
    .shaderQuadControl = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderSubgroupRotateFeatures kSubgroupRotateFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_ROTATE_FEATURES,
    .shaderSubgroupRotate = VK_TRUE,
    .shaderSubgroupRotateClustered = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT kSubgroupPartitionedFeatures =
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_PARTITIONED_FEATURES_EXT,
     .shaderSubgroupPartitioned = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderFloatControls2Features kFloatControls2Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT_CONTROLS_2_FEATURES,
    .shaderFloatControls2 = VK_TRUE};

inline constexpr VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR kDerivativesFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR,
    .computeDerivativeGroupQuads = VK_TRUE,
    .computeDerivativeGroupLinear = VK_TRUE};

inline constexpr VkPhysicalDeviceCooperativeMatrixFeaturesKHR kCooperativeMatrixFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
    .cooperativeMatrix = VK_TRUE,
    .cooperativeMatrixRobustBufferAccess = VK_TRUE};

inline constexpr VkPhysicalDeviceCooperativeMatrixFeaturesNV kCooperativeMatrixFeaturesNv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV,
    .cooperativeMatrix = VK_TRUE,
    .cooperativeMatrixRobustBufferAccess = VK_TRUE};

inline constexpr VkPhysicalDeviceCooperativeMatrix2FeaturesNV kCooperativeMatrix2Features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV,
    .cooperativeMatrixWorkgroupScope = VK_TRUE,
    .cooperativeMatrixFlexibleDimensions = VK_TRUE,
    .cooperativeMatrixReductions = VK_TRUE,
    .cooperativeMatrixConversions = VK_TRUE,
    .cooperativeMatrixPerElementOperations = VK_TRUE,
    .cooperativeMatrixTensorAddressing = VK_TRUE,
    .cooperativeMatrixBlockLoads = VK_TRUE};

inline constexpr VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT
    kCooperativeMatrixMaintenance1Features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_MAINTENANCE_1_FEATURES_EXT,
        .cooperativeMatrixProperties2 = VK_TRUE,
        .cooperativeMatrixReductions = VK_TRUE,
        .cooperativeMatrixConversions = VK_TRUE,
        .cooperativeMatrixPerElementOperations = VK_TRUE,
        .cooperativeMatrixGetCoordinate = VK_TRUE};

inline constexpr VkPhysicalDeviceCooperativeMatrixDecodeVectorFeaturesNV kDecodeVectorFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_DECODE_VECTOR_FEATURES_NV,
    .cooperativeMatrixDecodeVector = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderClockFeaturesKHR kClockFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,
    .shaderSubgroupClock = VK_TRUE,
    .shaderDeviceClock = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderExpectAssumeFeatures kExpectAssumeFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_EXPECT_ASSUME_FEATURES,
    .shaderExpectAssume = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderFmaFeaturesKHR kFmaFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FMA_FEATURES_KHR,
    .shaderFmaFloat16 = VK_TRUE,
    .shaderFmaFloat32 = VK_TRUE,
    .shaderFmaFloat64 = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderLongVectorFeaturesEXT kLongVectorFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_LONG_VECTOR_FEATURES_EXT,
    .longVector = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderMixedFloatDotProductFeaturesVALVE kMixedDotFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MIXED_FLOAT_DOT_PRODUCT_FEATURES_VALVE,
    .shaderMixedFloatDotProductFloat16AccFloat32 = VK_TRUE,
    .shaderMixedFloatDotProductFloat16AccFloat16 = VK_TRUE,
    .shaderMixedFloatDotProductBFloat16Acc = VK_TRUE,
    .shaderMixedFloatDotProductFloat8AccFloat32 = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR
    kRelaxedExtendedInstructionFeatures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_RELAXED_EXTENDED_INSTRUCTION_FEATURES_KHR,
        .shaderRelaxedExtendedInstruction = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderObjectFeaturesEXT kShaderObjectFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .shaderObject = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderReplicatedCompositesFeaturesEXT
    kReplicatedCompositesFeatures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_REPLICATED_COMPOSITES_FEATURES_EXT,
        .shaderReplicatedComposites = VK_TRUE};

inline constexpr VkPhysicalDeviceShaderSplitBarrierFeaturesEXT kSplitBarrierFeatures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SPLIT_BARRIER_FEATURES_EXT,
    .shaderSplitBarrier = VK_TRUE};

inline constexpr VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR kWorkgroupLayoutFeatures =
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR,
     .workgroupMemoryExplicitLayout = VK_TRUE,
     .workgroupMemoryExplicitLayoutScalarBlockLayout = VK_TRUE,
     .workgroupMemoryExplicitLayout8BitAccess = VK_TRUE,
     .workgroupMemoryExplicitLayout16BitAccess = VK_TRUE};

// A structure whose members after pNext are all VkBool32: its payload ends with the last of them,
// as padding is no flag.
template <class T>
StructurePayload featurePayload(const T& structure) {
  StructurePayload payload = payloadOf(structure);
  payload.size = (memberCount<T>() - 2) * sizeof(VkBool32);
  return payload;
}
inline StructurePayload featurePayload(const VkPhysicalDeviceFeatures2& structure) {
  StructurePayload payload = payloadOf(structure);
  payload.size = sizeof structure.features;
  return payload;
}

// Of all structures above, and of those in promoted_features.def.
inline auto featurePayloads() {
  return std::to_array<StructurePayload>({
      featurePayload(kFeatures10),
      featurePayload(kFeatures11),
      featurePayload(kFeatures12),
      featurePayload(kFeatures13),
      featurePayload(kMaintenance5Features),
      featurePayload(kMaintenance6Features),
      featurePayload(kMaintenance7Features),
      featurePayload(kMaintenance8Features),
      featurePayload(kMaintenance9Features),
      featurePayload(kMaintenance10Features),
      featurePayload(kAddressCommandsFeatures),
      featurePayload(kMemoryPriorityFeatures),
      featurePayload(kPlacedMapsFeatures),
      featurePayload(kZeroInitializeMemoryFeatures),
      featurePayload(kInternallySynchronizedQueuesFeatures),
      featurePayload(kFaultFeatures),
      featurePayload(kFaultFeaturesExt),
      featurePayload(kCopyMemoryIndirectFeatures),
      featurePayload(kNestedCommandBufferFeatures),
      featurePayload(kPipelineBinaryFeatures),
      featurePayload(kPipelineExecutableFeatures),
      featurePayload(kPipelineRobustnessFeatures),
      featurePayload(k64BitIndexingFeatures),
      featurePayload(kUnsizedArrayFeatures),
      featurePayload(kAtomicFloatFeatures),
      featurePayload(kAtomicFloat2Features),
      featurePayload(kAtomicHalfVectorFeatures),
      featurePayload(kRobustness2Features),
      featurePayload(kUntypedPointersFeatures),
      featurePayload(kRawAccessChainsFeatures),
      featurePayload(kBfloat16Features),
      featurePayload(kFloat8Features),
      featurePayload(kClockFeatures),
      featurePayload(kFloatControls2Features),
      featurePayload(kDerivativesFeatures),
      featurePayload(kCooperativeMatrixFeatures),
      featurePayload(kCooperativeMatrixFeaturesNv),
      featurePayload(kCooperativeMatrix2Features),
      featurePayload(kCooperativeMatrixMaintenance1Features),
      featurePayload(kDecodeVectorFeatures),
      featurePayload(kExpectAssumeFeatures),
      featurePayload(kFmaFeatures),
      featurePayload(kLongVectorFeatures),
      featurePayload(kMixedDotFeatures),
      featurePayload(kRelaxedExtendedInstructionFeatures),
      featurePayload(kShaderObjectFeatures),
      featurePayload(kReplicatedCompositesFeatures),
      featurePayload(kSplitBarrierFeatures),
      featurePayload(kWorkgroupLayoutFeatures),
      featurePayload(kMaximalReconvergenceFeatures),
      featurePayload(kQuadControlFeatures),
      featurePayload(kSubgroupPartitionedFeatures),
      featurePayload(kSubgroupRotateFeatures),
      featurePayload(kSubgroupUniformControlFlowFeatures),
#define PROMOTED(name, TYPE, version, first, last)                                               \
  PAYLOAD_WITHIN(VkPhysicalDevice##name##Features,                                               \
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE##_FEATURES, kFeatures##version, first, \
                 last),
#include "icd/promoted_features.def"
  });
}

}  // namespace icd

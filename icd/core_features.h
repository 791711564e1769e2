// SPDX-License-Identifier: Apache-2.0

// The part of THE list of features (features.h) that Vulkan's versions have.
#pragma once

#include "icd/vulkan.h"

namespace icd {

inline constexpr VkPhysicalDeviceFeatures2 kFeatures10 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.robustBufferAccess = VK_TRUE,
                 .pipelineStatisticsQuery = VK_TRUE,
                 .shaderUniformBufferArrayDynamicIndexing = VK_TRUE,
                 .shaderStorageBufferArrayDynamicIndexing = VK_TRUE,
                 .shaderFloat64 = VK_TRUE,
                 .shaderInt64 = VK_TRUE,
                 .shaderInt16 = VK_TRUE,
                 .inheritedQueries = VK_TRUE}};

inline constexpr VkPhysicalDeviceVulkan11Features kFeatures11 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .storageBuffer16BitAccess = VK_TRUE,
    .uniformAndStorageBuffer16BitAccess = VK_TRUE,
    .storagePushConstant16 = VK_TRUE,
    .variablePointersStorageBuffer = VK_TRUE,
    .variablePointers = VK_TRUE};

inline constexpr VkPhysicalDeviceVulkan12Features kFeatures12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .storageBuffer8BitAccess = VK_TRUE,
    .uniformAndStorageBuffer8BitAccess = VK_TRUE,
    .storagePushConstant8 = VK_TRUE,
    .shaderBufferInt64Atomics = VK_TRUE,
    .shaderSharedInt64Atomics = VK_TRUE,
    .shaderFloat16 = VK_TRUE,
    .shaderInt8 = VK_TRUE,
    // descriptorIndexing itself promises images.
    .shaderUniformBufferArrayNonUniformIndexing = VK_TRUE,
    .shaderStorageBufferArrayNonUniformIndexing = VK_TRUE,
    .descriptorBindingUniformBufferUpdateAfterBind = VK_TRUE,
    .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,
    .descriptorBindingUpdateUnusedWhilePending = VK_TRUE,
    .descriptorBindingPartiallyBound = VK_TRUE,
    .descriptorBindingVariableDescriptorCount = VK_TRUE,
    .runtimeDescriptorArray = VK_TRUE,
    .scalarBlockLayout = VK_TRUE,
    .uniformBufferStandardLayout = VK_TRUE,
    .shaderSubgroupExtendedTypes = VK_TRUE,
    .hostQueryReset = VK_TRUE,
    .timelineSemaphore = VK_TRUE,
    .bufferDeviceAddress = VK_TRUE,
    .vulkanMemoryModel = VK_TRUE,
    .vulkanMemoryModelDeviceScope = VK_TRUE,
    .vulkanMemoryModelAvailabilityVisibilityChains = VK_TRUE,
    .subgroupBroadcastDynamicId = VK_TRUE};

inline constexpr VkPhysicalDeviceVulkan13Features kFeatures13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .inlineUniformBlock = VK_TRUE,
    .descriptorBindingInlineUniformBlockUpdateAfterBind = VK_TRUE,
    .pipelineCreationCacheControl = VK_TRUE,
    .privateData = VK_TRUE,
    .subgroupSizeControl = VK_TRUE,
    .computeFullSubgroups = VK_TRUE,
    .synchronization2 = VK_TRUE,
    .shaderZeroInitializeWorkgroupMemory = VK_TRUE,
    .shaderIntegerDotProduct = VK_TRUE,
    .maintenance4 = VK_TRUE};

}  // namespace icd

// SPDX-License-Identifier: Apache-2.0

// Limits (specification, "Limits"). Each is what the parts of this driver really keep; the limits
// of images, samplers, vertices and fragments stay 0, as there are none.
#pragma once

#include <cstdint>

#include "icd/vulkan.h"
#include "jit/compiler.h"
#include "runtime/kernel_abi.h"
#include "runtime/memory.h"
#include "runtime/pages.h"

namespace icd {

using jit::kMaxSubgroupSize;
using jit::kMaxWorkgroupInvocations;
using jit::kMinSubgroupSize;

// Descriptors are 16 bytes of ordinary memory, so their number is bounded by nothing but taste.
inline constexpr uint32_t kMaxDescriptors = 1 << 20;
inline constexpr uint32_t kMaxDynamicPerKind = rt::kMaxDynamicBuffers / 2;
// Copied at each vkCmdPushDescriptorSet.
inline constexpr uint32_t kMaxPushDescriptors = 256;
// Inline uniform blocks lie in the memory of their set; as much as uniform buffers often have.
inline constexpr uint32_t kMaxInlineUniformBlockBytes = 64 * 1024;
inline constexpr uint32_t kMaxInlineUniformBlocks = 64;  // in a set, and in all sets
// Each level takes some of the queue's stack.
inline constexpr uint32_t kMaxNestedCommandBuffers = 64;

// Alignment in bytes of buffer memory, and of offsets into it in descriptors: of the widest
// scalar or vector that a shader may take for granted there (a 64-bit vec4 has 32, but is loaded
// without assuming more than its scalar's).
inline constexpr VkDeviceSize kBufferAlignment = 64;
inline constexpr VkDeviceSize kDescriptorOffsetAlignment = 16;

// Of imported host memory in bytes, so that what maps it is aligned as the limits say.
inline constexpr VkDeviceSize kHostPointerAlignment = rt::kPageBytes;

// Subgroup operations that the compiler emits.
inline constexpr VkSubgroupFeatureFlags kSubgroupOperations =
    VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
    VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
    VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
    VK_SUBGROUP_FEATURE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT |
    VK_SUBGROUP_FEATURE_PARTITIONED_BIT_EXT | VK_SUBGROUP_FEATURE_ROTATE_BIT |
    VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT;

inline constexpr VkPhysicalDeviceLimits kLimits = {
    // A little less than 32-bit offsets reach, so that those of neighbouring invocations tell where
    // they
    // wrap around (jit/emit/emit_lane_access.cpp).
    .maxUniformBufferRange = jit::kMaxBufferRange,
    .maxStorageBufferRange = jit::kMaxBufferRange,
    .maxPushConstantsSize = rt::kMaxPushConstantBytes,
    .maxMemoryAllocationCount = 1 << 15,  // half of Linux's default vm.max_map_count
    .bufferImageGranularity = 1,
    .maxBoundDescriptorSets = rt::kMaxDescriptorSets,
    .maxPerStageDescriptorUniformBuffers = kMaxDescriptors,
    .maxPerStageDescriptorStorageBuffers = kMaxDescriptors,
    .maxPerStageResources = kMaxDescriptors,
    .maxDescriptorSetUniformBuffers = kMaxDescriptors,
    .maxDescriptorSetUniformBuffersDynamic = kMaxDynamicPerKind,
    .maxDescriptorSetStorageBuffers = kMaxDescriptors,
    .maxDescriptorSetStorageBuffersDynamic = kMaxDynamicPerKind,
    .maxComputeSharedMemorySize = jit::kMaxSharedBytes,
    // The runtime numbers workgroups with 64 bits: any product of these is kept.
    .maxComputeWorkGroupCount = {rt::kMaxWorkgroupCount[0], rt::kMaxWorkgroupCount[1],
                                 rt::kMaxWorkgroupCount[2]},
    .maxComputeWorkGroupInvocations = kMaxWorkgroupInvocations,
    .maxComputeWorkGroupSize = {kMaxWorkgroupInvocations, kMaxWorkgroupInvocations,
                                kMaxWorkgroupInvocations},
    .minMemoryMapAlignment = rt::kAllocationAlignment,
    .minTexelBufferOffsetAlignment = kDescriptorOffsetAlignment,
    .minUniformBufferOffsetAlignment = kDescriptorOffsetAlignment,
    .minStorageBufferOffsetAlignment = kDescriptorOffsetAlignment,
    .timestampComputeAndGraphics = VK_TRUE,
    .timestampPeriod = 1,  // nanoseconds, see runtime/clock.h
    .discreteQueuePriorities = 2,
    .optimalBufferCopyOffsetAlignment = 64,
    .optimalBufferCopyRowPitchAlignment = 64,
    .nonCoherentAtomSize = 1,  // all memory is coherent
};

// What checks have found and nobody has asked for is not kept for ever.
inline constexpr uint32_t kMostDeviceFaults = 64;

static_assert(kLimits.minMemoryMapAlignment >= 64 && rt::kAllocationAlignment >= kBufferAlignment);
static_assert(kLimits.maxPushConstantsSize >= 128);
static_assert(kLimits.maxBoundDescriptorSets >= 4);

}  // namespace icd

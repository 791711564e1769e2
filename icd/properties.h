// SPDX-License-Identifier: Apache-2.0

// What the physical device says of itself (specification, "Physical Device Enumeration" and
// "Limits"), in the real structures; vkGetPhysicalDeviceProperties2 walks their payloads.
#pragma once

#include <array>

#include "icd/vulkan.h"
#include "runtime/config.h"
#include "runtime/cpu_features.h"

namespace icd {

// What of the properties depends on the machine and the configuration.
struct Machine {
  rt::Isa isa;       // the ceiling in effect
  uint32_t threads;  // that run kernels
  uint64_t heap_bytes;
  uint32_t subgroup_size;
  rt::DeviceType device_type;
  rt::CpuFeatures features;                      // that kernels use
  bool keeps_kernels;                            // for the next process, on disk
  std::array<uint8_t, VK_UUID_SIZE> cache_uuid;  // of pipeline caches that it takes
};

struct Properties {
  VkPhysicalDeviceProperties2 v10;
  VkPhysicalDeviceVulkan11Properties v11;
  VkPhysicalDeviceVulkan12Properties v12;
  VkPhysicalDeviceVulkan13Properties v13;
  VkPhysicalDeviceSubgroupProperties subgroup;  // has other names for its members than 1.1
  VkPhysicalDeviceMaintenance5Properties maintenance5;
  VkPhysicalDeviceMaintenance6Properties maintenance6;
  VkPhysicalDeviceMaintenance7PropertiesKHR maintenance7;
  VkPhysicalDeviceLayeredApiPropertiesListKHR layered_apis;
  VkPhysicalDeviceMaintenance9PropertiesKHR maintenance9;
  VkPhysicalDeviceMaintenance10PropertiesKHR maintenance10;
  VkPhysicalDeviceFaultPropertiesKHR fault;
  VkPhysicalDeviceMapMemoryPlacedPropertiesEXT placed_maps;
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT external_memory_host;
  VkPhysicalDeviceCopyMemoryIndirectPropertiesKHR copy_memory_indirect;
  VkPhysicalDeviceNestedCommandBufferPropertiesEXT nested_commands;
  VkPhysicalDevicePipelineBinaryPropertiesKHR pipeline_binary;
  VkPhysicalDevicePipelineRobustnessProperties pipeline_robustness;
  VkPhysicalDeviceRobustness2PropertiesKHR robustness2;
  VkPhysicalDevicePushDescriptorProperties push_descriptor;
  VkPhysicalDeviceComputeShaderDerivativesPropertiesKHR derivatives;
  VkPhysicalDeviceCooperativeMatrixPropertiesKHR cooperative_matrix;
  VkPhysicalDeviceCooperativeMatrixPropertiesNV cooperative_matrix_nv;
  VkPhysicalDeviceCooperativeMatrix2PropertiesNV cooperative_matrix2;
  VkPhysicalDeviceShaderLongVectorPropertiesEXT long_vector;
  VkPhysicalDeviceShaderObjectPropertiesEXT shader_object;
  VkPhysicalDeviceShaderSplitBarrierPropertiesEXT split_barrier;
};

Properties makeProperties(const Machine& machine);

// Fills the structures of a chain that are members, or stand in promoted_properties.def.
void fillProperties(void* chain, const Properties& properties);

}  // namespace icd

// What the physical device says of itself (specification, "Physical Device Enumeration" and
// "Limits"), in the real structures; vkGetPhysicalDeviceProperties2 walks their payloads.
#pragma once

#include <array>

#include "icd/chain.h"
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
};

struct Properties {
  VkPhysicalDeviceProperties2 v10;
  VkPhysicalDeviceVulkan11Properties v11;
  VkPhysicalDeviceVulkan12Properties v12;
  VkPhysicalDeviceVulkan13Properties v13;
  VkPhysicalDevicePipelineRobustnessProperties pipeline_robustness;
  VkPhysicalDeviceCooperativeMatrixPropertiesKHR cooperative_matrix;
};

Properties makeProperties(const Machine& machine);

// Of all its members, and of the structures in promoted_properties.def.
inline auto propertyPayloads(const Properties& properties) {
  return std::to_array<StructurePayload>({
      payloadOf(properties.v10),
      payloadOf(properties.v11),
      payloadOf(properties.v12),
      payloadOf(properties.v13),
      payloadOf(properties.pipeline_robustness),
      payloadOf(properties.cooperative_matrix),
      PAYLOAD_WITHIN(VkPhysicalDeviceSubgroupProperties,
                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, properties.v11,
                     subgroupSize, subgroupQuadOperationsInAllStages),
#define PROMOTED(name, TYPE, version, first, last)                                             \
  PAYLOAD_WITHIN(VkPhysicalDevice##name##Properties,                                           \
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE##_PROPERTIES, properties.v##version, \
                 first, last),
#include "icd/promoted_properties.def"
  });
}

}  // namespace icd

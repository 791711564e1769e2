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

// The table of structures, icd/properties.def.
struct Properties {
#define PROPERTIES(member, name, TYPE, ...) VkPhysicalDevice##name member;
#define COMPUTED(member, name, TYPE, call) VkPhysicalDevice##name member;
#define TAKEN_OVER(name, TYPE, member, first, last)
#include "icd/properties.def"
};

Properties makeProperties(const Machine& machine);

// Fills the structures of a chain that are in the table.
void fillProperties(void* chain, const Properties& properties);

}  // namespace icd

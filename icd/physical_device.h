// VkPhysicalDevice: the machine's CPUs, as one device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icd/handles.h"
#include "icd/properties.h"
#include "runtime/memory.h"

namespace icd {

struct Instance;

inline constexpr uint32_t kQueueFamily = 0;  // the only one, with one queue
inline constexpr uint32_t kMemoryType = 0;   // the only one, in the only heap

struct PhysicalDevice : Dispatchable<PhysicalDevice, VkPhysicalDevice> {
  explicit PhysicalDevice(Instance& instance);

  Instance& instance;
  const uint32_t threads;
  const std::shared_ptr<rt::Heap> heap;
  const std::string cache_folder;     // of compiled kernels; empty: none are kept
  std::vector<std::string> problems;  // of the configuration: devices cannot be made with them
  const Properties properties;
};

}  // namespace icd

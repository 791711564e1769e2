// VkDeviceMemory.
#pragma once

#include "icd/handles.h"
#include "runtime/memory.h"

namespace icd {

struct DeviceMemory : NonDispatchable<DeviceMemory, VkDeviceMemory> {
  explicit DeviceMemory(rt::Allocation allocation) : allocation(std::move(allocation)) {}

  rt::Allocation allocation;
};

}  // namespace icd

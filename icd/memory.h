// SPDX-License-Identifier: Apache-2.0

// VkDeviceMemory.
#pragma once

#include "icd/handles.h"
#include "runtime/memory.h"
#include "runtime/pages.h"

namespace icd {

struct DeviceMemory : NonDispatchable<DeviceMemory, VkDeviceMemory> {
  explicit DeviceMemory(rt::Allocation allocation) : allocation(std::move(allocation)) {}
  ~DeviceMemory() { rt::freePages(view, view_bytes); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  rt::Allocation allocation;
  // What the application has mapped, where that is not the allocation itself; null: nothing.
  std::byte* view = nullptr;
  size_t view_bytes = 0;
};

}  // namespace icd

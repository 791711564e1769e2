// SPDX-License-Identifier: Apache-2.0

#include "icd/private_data.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/handles.h"

namespace icd {
namespace {

// Numbers are never used again, so that what objects hold for a destroyed slot means nothing.
std::atomic<uint64_t> next_slot = 1;

struct PrivateDataSlot : NonDispatchable<PrivateDataSlot, VkPrivateDataSlot> {
  const uint64_t number = next_slot.fetch_add(1, std::memory_order_relaxed);
};

// Any object of a device: all begin the same way, but for the loader's word.
struct AnyObject : NonDispatchable<AnyObject, VkPrivateDataSlot> {};
struct AnyDispatchable : Dispatchable<AnyDispatchable, VkDevice> {};

PrivateData& dataOf(VkObjectType type, uint64_t object) {
  switch (type) {
    case VK_OBJECT_TYPE_DEVICE:
    case VK_OBJECT_TYPE_QUEUE:
    case VK_OBJECT_TYPE_COMMAND_BUFFER:
      return reinterpret_cast<AnyDispatchable*>(object)->private_data;
    default:
      return reinterpret_cast<AnyObject*>(object)->private_data;
  }
}

}  // namespace

void PrivateData::set(uint64_t slot, uint64_t value) {
  auto entry = std::ranges::find(values_, slot, &std::pair<uint64_t, uint64_t>::first);
  if (entry != values_.end()) {
    entry->second = value;
  } else {
    values_.emplace_back(slot, value);
  }
}

uint64_t PrivateData::get(uint64_t slot) const {
  auto entry = std::ranges::find(values_, slot, &std::pair<uint64_t, uint64_t>::first);
  return entry != values_.end() ? entry->second : 0;
}

VkResult vkCreatePrivateDataSlot(VkDevice, const VkPrivateDataSlotCreateInfo*,
                                 const VkAllocationCallbacks*, VkPrivateDataSlot* slot) {
  return createObject<PrivateDataSlot>(slot);
}

void vkDestroyPrivateDataSlot(VkDevice, VkPrivateDataSlot slot, const VkAllocationCallbacks*) {
  destroyObject<PrivateDataSlot>(slot);
}

VkResult vkSetPrivateData(VkDevice device, VkObjectType type, uint64_t object,
                          VkPrivateDataSlot slot, uint64_t data) {
  std::lock_guard lock(Device::from(device)->private_data_mutex);
  dataOf(type, object).set(PrivateDataSlot::from(slot)->number, data);
  return VK_SUCCESS;
}

void vkGetPrivateData(VkDevice device, VkObjectType type, uint64_t object, VkPrivateDataSlot slot,
                      uint64_t* data) {
  std::lock_guard lock(Device::from(device)->private_data_mutex);
  *data = dataOf(type, object).get(PrivateDataSlot::from(slot)->number);
}

}  // namespace icd

// SPDX-License-Identifier: Apache-2.0

#include "icd/event.h"

#include "icd/device.h"
#include "icd/entrypoints.h"

namespace icd {

VkResult vkCreateEvent(VkDevice, const VkEventCreateInfo*, const VkAllocationCallbacks*,
                       VkEvent* event) {
  return createObject<Event>(event);
}

void vkDestroyEvent(VkDevice, VkEvent event, const VkAllocationCallbacks*) {
  destroyObject<Event>(event);
}

VkResult vkGetEventStatus(VkDevice device, VkEvent event) {
  if (Device::from(device)->runtime.lost()) return VK_ERROR_DEVICE_LOST;
  return Event::from(event)->flag->isSet() ? VK_EVENT_SET : VK_EVENT_RESET;
}

VkResult vkSetEvent(VkDevice device, VkEvent event) {
  if (!Device::from(device)->runtime.isHere()) return VK_ERROR_DEVICE_LOST;
  Event::from(event)->flag->set();
  return VK_SUCCESS;
}

VkResult vkResetEvent(VkDevice, VkEvent event) {
  Event::from(event)->flag->reset();
  return VK_SUCCESS;
}

}  // namespace icd

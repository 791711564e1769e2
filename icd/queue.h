// SPDX-License-Identifier: Apache-2.0

// VkQueue: the device's only queue.
#pragma once

#include "icd/handles.h"

namespace icd {

struct Device;

struct Queue : Dispatchable<Queue, VkQueue> {
  explicit Queue(Device& device) : device(device) {}

  Device& device;
};

}  // namespace icd

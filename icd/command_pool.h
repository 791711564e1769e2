// SPDX-License-Identifier: Apache-2.0

// VkCommandPool.
#pragma once

#include <list>

#include "icd/command_buffer.h"
#include "icd/handles.h"

namespace icd {

struct CommandPool : NonDispatchable<CommandPool, VkCommandPool> {
  explicit CommandPool(Device& device) : device(device) {}

  Device& device;
  std::list<CommandBuffer> buffers;
};

}  // namespace icd

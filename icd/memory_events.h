// SPDX-License-Identifier: Apache-2.0

// Who wants to know of memory and of buffers that come and go: checks of shaders, and messengers of
// VK_EXT_device_address_binding_report.
#pragma once

#include "icd/buffer.h"
#include "icd/device.h"
#include "icd/memory.h"

namespace icd {

// False where a check has no room for it. `is_defined`: somebody may have written it.
bool memoryIsThere(Device& device, DeviceMemory& memory, bool is_defined);
// The host may write to it from now on.
void hostWrites(Device& device, const DeviceMemory& memory, VkDeviceSize offset,
                VkDeviceSize bytes);
void memoryGoes(Device& device, DeviceMemory& memory);
// It has got its memory.
void bufferIsThere(Device& device, Buffer& buffer);
void bufferGoes(Device& device, Buffer& buffer);
// `object`: the handle of either; null: it has no name any more.
void memoryIsNamed(Device& device, uint64_t object, const char* name);

}  // namespace icd

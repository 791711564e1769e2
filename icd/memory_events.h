// SPDX-License-Identifier: Apache-2.0

// Who wants to know of memory and of buffers that come and go: checks of shaders, and messengers of
// VK_EXT_device_address_binding_report.
#pragma once

#include "icd/buffer.h"
#include "icd/device.h"
#include "icd/memory.h"

namespace icd {

void memoryIsThere(Device& device, DeviceMemory& memory);
void memoryGoes(Device& device, DeviceMemory& memory);
// It has got its memory.
void bufferIsThere(Device& device, Buffer& buffer);
void bufferGoes(Device& device, Buffer& buffer);

}  // namespace icd

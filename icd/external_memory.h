// SPDX-License-Identifier: Apache-2.0

// Memory that comes from outside of vkAllocateMemory, or goes there: VK_KHR_external_memory_fd (a
// rt::SharedFile) and VK_EXT_external_memory_host.
#pragma once

#include <optional>
#include <variant>

#include "icd/vulkan.h"
#include "runtime/memory.h"

namespace icd {

using AllocationResult = std::variant<rt::Allocation, VkResult>;

// The memory that the chain of an allocation says is to be imported; nothing if it imports none.
// Of a file that is refused the application keeps the descriptor.
std::optional<AllocationResult> importMemory(VkDevice device, const VkMemoryAllocateInfo& info);

// Whether the memory shall be exported; of types that cannot be, VK_ERROR_INVALID_EXTERNAL_HANDLE.
std::variant<rt::Sharing, VkResult> sharingOf(VkDevice device, const VkMemoryAllocateInfo& info);

}  // namespace icd

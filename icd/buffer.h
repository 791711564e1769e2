// SPDX-License-Identifier: Apache-2.0

// VkBuffer.
#pragma once

#include <cstddef>

#include "icd/handles.h"

namespace icd {

// There are no sparse and no protected buffers.
inline constexpr VkBufferCreateFlags kUnsupportedBufferFlags =
    VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT |
    VK_BUFFER_CREATE_SPARSE_ALIASED_BIT | VK_BUFFER_CREATE_PROTECTED_BIT;

struct Buffer : NonDispatchable<Buffer, VkBuffer> {
  explicit Buffer(VkDeviceSize size) : size(size) {}

  // Bytes from `offset` to the end, or `range` if that is not VK_WHOLE_SIZE and not more; 0 for
  // an offset past the end.
  VkDeviceSize clip(VkDeviceSize offset, VkDeviceSize range) const {
    if (offset >= size) return 0;
    return range < size - offset ? range : size - offset;
  }

  const VkDeviceSize size;
  std::byte* address = nullptr;  // null until memory is bound
};

}  // namespace icd

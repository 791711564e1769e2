// VkBuffer.
#pragma once

#include <cstddef>

#include "icd/handles.h"

namespace icd {

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

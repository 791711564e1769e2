// SPDX-License-Identifier: Apache-2.0

// The two-call idiom of Vulkan's array queries.
#pragma once

#include <algorithm>
#include <span>

#include "icd/vulkan.h"

namespace icd {

// Copies as many items as *count allows with `assign(destination, item)`, or only counts when
// `out` is null. VK_INCOMPLETE when not all fitted.
template <class Out, class Items, class Assign>
VkResult enumerate(const Items& items, uint32_t* count, Out* out, Assign assign) {
  uint32_t available = static_cast<uint32_t>(std::size(items));
  if (out == nullptr) {
    *count = available;
    return VK_SUCCESS;
  }
  uint32_t copied = std::min(*count, available);
  for (uint32_t i = 0; i < copied; ++i) assign(out[i], items[i]);
  *count = copied;
  return copied < available ? VK_INCOMPLETE : VK_SUCCESS;
}

template <class Out>
VkResult enumerate(std::span<const Out> items, uint32_t* count, Out* out) {
  return enumerate(items, count, out, [](Out& to, const Out& from) { to = from; });
}

}  // namespace icd

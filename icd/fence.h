// SPDX-License-Identifier: Apache-2.0

// VkFence.
#pragma once

#include <optional>
#include <utility>

#include "icd/handles.h"
#include "runtime/event.h"

namespace icd {

struct Fence : NonDispatchable<Fence, VkFence> {
  explicit Fence(rt::Event event) : permanent(std::move(event)) {}

  // The payload.
  rt::Event& event() { return temporary ? *temporary : permanent; }
  // Ends what was imported for a time, too.
  void reset() {
    temporary.reset();
    permanent.reset();
  }

  rt::Event permanent;
  std::optional<rt::Event> temporary;  // imported until the next reset
};

}  // namespace icd

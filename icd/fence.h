// VkFence.
#pragma once

#include "icd/handles.h"
#include "runtime/event.h"

namespace icd {

struct Fence : NonDispatchable<Fence, VkFence> {
  explicit Fence(bool signalled) : event(signalled) {}

  rt::Event event;
};

}  // namespace icd

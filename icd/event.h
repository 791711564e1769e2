// SPDX-License-Identifier: Apache-2.0

// VkEvent.
#pragma once

#include <memory>

#include "icd/handles.h"
#include "runtime/event.h"

namespace icd {

struct Event : NonDispatchable<Event, VkEvent> {
  const std::shared_ptr<rt::Event> flag = std::make_shared<rt::Event>();  // command lists share it
};

}  // namespace icd

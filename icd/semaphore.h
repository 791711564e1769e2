// SPDX-License-Identifier: Apache-2.0

// VkSemaphore, of both types.
#pragma once

#include <memory>
#include <utility>

#include "icd/handles.h"
#include "runtime/timeline.h"

namespace icd {

constexpr rt::SharedKind semaphoreKind(bool is_binary) {
  return is_binary ? rt::SharedKind::BinarySemaphore : rt::SharedKind::TimelineSemaphore;
}

struct Semaphore : NonDispatchable<Semaphore, VkSemaphore> {
  Semaphore(bool is_binary, std::shared_ptr<rt::Timeline> timeline)
      : is_binary(is_binary), permanent(std::move(timeline)) {}

  // The payload.
  const std::shared_ptr<rt::Timeline>& timeline() const {
    return temporary != nullptr ? temporary : permanent;
  }

  // What a submission signals or waits for. Of a binary semaphore each signal is the next value,
  // the target, and a wait is for the latest signal: that must have been submitted before
  // (specification, "Semaphore Signaling"). A wait ends what was imported for a time.
  rt::TimelinePoint signalPoint(uint64_t value) {
    return {timeline(), is_binary ? ++timeline()->target() : value};
  }
  rt::TimelinePoint waitPoint(uint64_t value) {
    rt::TimelinePoint point{timeline(), is_binary ? timeline()->target().load() : value};
    temporary.reset();
    return point;
  }

  const bool is_binary;
  std::shared_ptr<rt::Timeline> permanent;
  std::shared_ptr<rt::Timeline> temporary;  // imported for the next wait; null: none
};

}  // namespace icd

// VkSemaphore, of both types.
#pragma once

#include <memory>

#include "icd/handles.h"
#include "runtime/timeline.h"

namespace icd {

struct Semaphore : NonDispatchable<Semaphore, VkSemaphore> {
  Semaphore(VkSemaphoreType type, uint64_t initial_value)
      : is_binary(type == VK_SEMAPHORE_TYPE_BINARY),
        timeline(std::make_shared<rt::Timeline>(initial_value)) {}

  // What a submission signals or waits for. Of a binary semaphore each signal is the next value,
  // and a wait is for the latest signal: that must have been submitted before (specification,
  // "Semaphore Signaling"), and by a queue, which is externally synchronized.
  rt::TimelinePoint signalPoint(uint64_t value) {
    return {timeline, is_binary ? ++last_signal_ : value};
  }
  rt::TimelinePoint waitPoint(uint64_t value) const {
    return {timeline, is_binary ? last_signal_ : value};
  }

  const bool is_binary;
  const std::shared_ptr<rt::Timeline> timeline;

 private:
  uint64_t last_signal_ = 0;
};

}  // namespace icd

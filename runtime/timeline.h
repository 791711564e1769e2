// SPDX-License-Identifier: Apache-2.0

// One monotonic counter, of which everything that is waited for is made: timeline semaphores (the
// counter itself), binary semaphores (each signal is the next value), fences and events (see
// event.h), the end of a queue's work, the loss of a device.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/clock.h"
#include "runtime/shared_timeline.h"

namespace rt {

class Timeline;

// A timeline has reached a point when its value is at least that of the point. Shared, because a
// submission's signal may still be running when a waiter already knows of it and drops its own
// reference.
struct TimelinePoint {
  std::shared_ptr<Timeline> timeline;
  uint64_t value;
};

enum class WaitMode : uint8_t { All, Any };

enum class WaitResult : uint8_t {
  Reached,
  TimedOut,
  Cancelled,  // the `cancel` timeline left 0 before the points were reached
};

// Waits for points, at most until `deadline` (0: only looks, kForever: no limit). Sleeps after a
// few microseconds of spinning. Interrupting signals do not end it. Points that are reached win
// over cancellation. No points are reached at once. Throws std::bad_alloc.
WaitResult wait(std::span<const TimelinePoint> points, WaitMode mode, Deadline deadline,
                Timeline* cancel = nullptr);

// Thread-safe. Must outlive those who wait for it and those who signal it.
class Timeline {
 public:
  explicit Timeline(uint64_t value = 0, uint64_t target = 0)
      : own_{.value = value, .target = target, .doorbell = 0}, state_(own_) {}
  // Other timelines, in this process or in others, are the same one. Those who sleep on it are
  // woken through the system.
  explicit Timeline(SharedTimeline shared)
      : own_{}, shared_(std::move(shared)), state_(shared_->state()) {}
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  uint64_t value() const { return state_.value.load(std::memory_order_acquire); }

  // The value, for kernels.
  const std::atomic<uint64_t>& word() const { return state_.value; }

  // A number that goes with the value wherever that is shared: what a wait for "the next" or "the
  // latest" signal means by that. Of the owner's making; nobody waits for its changes.
  std::atomic<uint64_t>& target() { return state_.target; }

  // By which others get at the state; none unless it is shared.
  const SharedFile* file() const { return shared_ ? &shared_->file() : nullptr; }

  // Raises the value to `value` and wakes those who wait for it. A value that is not higher
  // changes nothing. What the caller wrote before is visible to whoever sees the value.
  void signal(uint64_t value);

  // Raises the value by one.
  void advance();

 private:
  friend class Waiter;

  struct Registration {
    class Waiter* waiter;
    uint64_t value;
  };

  void wake(uint64_t value);  // those who wait for it; under mutex_

  TimelineState own_;
  const std::optional<SharedTimeline> shared_;
  TimelineState& state_;  // one of the two
  std::mutex mutex_;
  std::vector<Registration> registrations_;
};

}  // namespace rt

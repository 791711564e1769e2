// SPDX-License-Identifier: Apache-2.0

#include "runtime/timeline.h"

#include <algorithm>
#include <atomic>

#include "runtime/futex.h"
#include "runtime/spin.h"

namespace rt {

namespace {

SpinPlace wait_place;

}  // namespace

// One thread that sleeps until one of its timelines has reached what it waits for. Lives on that
// thread's stack. A timeline notifies it under the timeline's mutex, which leaving takes too, so
// nobody touches it after its end.
class Waiter {
 public:
  Waiter(std::span<const TimelinePoint> points, Timeline* cancel)
      : points_(points), cancel_(cancel) {
    try {
      for (const TimelinePoint& point : points_) enter(*point.timeline, point.value);
      if (cancel_) enter(*cancel_, 1);
    } catch (...) {
      leaveAll();
      throw;
    }
  }
  ~Waiter() { leaveAll(); }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  void notify() {
    if (notified_ != 0) return;
    notified_at_ = now();
    if (notified_.exchange(1) == 0) wakeAll(notified_, false);
  }

  // What happens from here on ends the next sleep().
  void look() {
    notified_ = 0;
    for (FutexWord& word : std::span(words_).subspan(1)) word.seen = word.word->load();
  }

  // False when the deadline came first.
  bool sleep(Deadline deadline) {
    if (!sleepOn(words_, deadline)) return false;
    if (notified_ != 0) wake_up_nanoseconds.add(now() - notified_at_);
    return true;
  }
  // By the clock, the latest time; 0: never.
  uint64_t notifiedAt() const { return notified_at_; }

 private:
  void enter(Timeline& timeline, uint64_t value) {
    std::lock_guard lock(timeline.mutex_);
    timeline.registrations_.push_back({this, value});
    if (timeline.shared_) words_.push_back({&timeline.state_.doorbell, 0, true});
  }

  void leave(Timeline& timeline) {
    std::lock_guard lock(timeline.mutex_);
    std::erase_if(timeline.registrations_,
                  [this](const Timeline::Registration& r) { return r.waiter == this; });
  }

  void leaveAll() {
    for (const TimelinePoint& point : points_) leave(*point.timeline);
    if (cancel_) leave(*cancel_);
  }

  std::span<const TimelinePoint> points_;
  Timeline* cancel_;
  std::atomic<uint32_t> notified_ = 0;
  std::atomic<uint64_t> notified_at_ = 0;  // by the clock, of the latest notify()
  // Its own, and those of shared timelines, which are signalled without notify().
  std::vector<FutexWord> words_{{&notified_, 0, false}};
};

void Timeline::wake(uint64_t value) {
  if (shared_) {
    ++state_.doorbell;
    wakeAll(state_.doorbell, true);
  }
  std::erase_if(registrations_, [value](const Registration& registration) {
    if (registration.value > value) return false;
    registration.waiter->notify();
    return true;
  });
}

void Timeline::signal(uint64_t value) {
  std::lock_guard lock(mutex_);
  uint64_t before = state_.value.load(std::memory_order_relaxed);
  do {
    if (value <= before) return;
  } while (!state_.value.compare_exchange_weak(before, value, std::memory_order_acq_rel,
                                               std::memory_order_relaxed));
  wake(value);
}

void Timeline::advance() {
  std::lock_guard lock(mutex_);
  wake(state_.value.fetch_add(1, std::memory_order_acq_rel) + 1);
}

WaitResult wait(std::span<const TimelinePoint> points, WaitMode mode, Deadline deadline,
                Timeline* cancel) {
  WaitResult result = WaitResult::Reached;
  auto decided = [&] {
    auto reached = [](const TimelinePoint& p) { return p.timeline->value() >= p.value; };
    bool all = mode == WaitMode::All || points.empty();
    if (all ? std::ranges::all_of(points, reached) : std::ranges::any_of(points, reached)) {
      result = WaitResult::Reached;
      return true;
    }
    if (cancel && cancel->value() != 0) {
      result = WaitResult::Cancelled;
      return true;
    }
    return false;
  };
  if (decided()) return result;
  if (deadline == 0) return WaitResult::TimedOut;
  const uint64_t begin = now();
  if (wait_place.spinUntil(decided, deadline)) return result;

  Waiter waiter(points, cancel);
  for (waiter.look(); !decided(); waiter.look()) {
    if (!waiter.sleep(deadline)) return decided() ? result : WaitResult::TimedOut;
  }
  // Shared timelines do not notify, and what is decided before the first sleep did not.
  const uint64_t notified = waiter.notifiedAt();
  wait_place.add((notified != 0 ? notified : now()) - begin);
  return result;
}

}  // namespace rt

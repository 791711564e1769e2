#include "runtime/timeline.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>

#include "runtime/spin.h"

namespace rt {

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
    std::lock_guard lock(mutex_);
    notified_ = true;
    condition_.notify_one();
  }

  // Sleeps until notified; false when the deadline came first.
  bool sleep(Deadline deadline) {
    std::unique_lock lock(mutex_);
    auto notified = [this] { return notified_; };
    if (deadline > Deadline(INT64_MAX)) {
      condition_.wait(lock, notified);
    } else {
      // libstdc++'s steady clock is CLOCK_MONOTONIC, as is now().
      std::chrono::steady_clock::time_point until{std::chrono::nanoseconds(int64_t(deadline))};
      if (!condition_.wait_until(lock, until, notified)) return false;
    }
    notified_ = false;
    return true;
  }

 private:
  void enter(Timeline& timeline, uint64_t value) {
    std::lock_guard lock(timeline.mutex_);
    timeline.registrations_.push_back({this, value});
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
  std::mutex mutex_;
  std::condition_variable condition_;
  bool notified_ = false;
};

void Timeline::raise(uint64_t value) {
  value_.store(value, std::memory_order_release);
  std::erase_if(registrations_, [value](const Registration& registration) {
    if (registration.value > value) return false;
    registration.waiter->notify();
    return true;
  });
}

void Timeline::signal(uint64_t value) {
  std::lock_guard lock(mutex_);
  if (value > value_.load(std::memory_order_relaxed)) raise(value);
}

void Timeline::advance() {
  std::lock_guard lock(mutex_);
  raise(value_.load(std::memory_order_relaxed) + 1);
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
  if (spinUntil(decided)) return result;

  Waiter waiter(points, cancel);
  while (!decided()) {
    if (!waiter.sleep(deadline)) return decided() ? result : WaitResult::TimedOut;
  }
  return result;
}

}  // namespace rt

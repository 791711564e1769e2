// SPDX-License-Identifier: Apache-2.0

#include "runtime/queue.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "runtime/device.h"
#include "runtime/dispatch.h"
#include "runtime/execute.h"
#include "runtime/native_thread.h"
#include "runtime/spin.h"

namespace rt {

namespace {

// Bytes. Kernels run on this stack; they must not depend on the application's limits.
constexpr size_t kQueueStackBytes = size_t{8} << 20;

}  // namespace

Queue::Queue(Device& device)
    : device_(device),
      thread_(startThread("tessera-queue", kQueueStackBytes, &Queue::threadMain, this)) {}

Queue::~Queue() {
  device_.stopSignal().signal(1);
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    has_pending_.store(true, std::memory_order_relaxed);
    arrived_.notify_one();
  }
  pthread_join(thread_, nullptr);
}

void Queue::submit(std::vector<Submission> submissions) {
  if (submissions.empty()) return;
  std::unique_lock lock(mutex_);
  if (runHere(submissions)) return;
  const size_t before = pending_.size();
  try {
    std::move(submissions.begin(), submissions.end(), std::back_inserter(pending_));
  } catch (...) {
    pending_.erase(pending_.begin() + std::ptrdiff_t(before), pending_.end());
    throw;
  }
  submitted_ += submissions.size();
  if (is_asleep_) submitted_at_ = now();
  has_pending_.store(true, std::memory_order_relaxed);
  lock.unlock();
  arrived_.notify_one();
}

// Batches that only signal need no other thread when the queue is idle.
bool Queue::runHere(std::span<const Submission> submissions) {
  if (ended_->value() != submitted_) return false;
  auto reached = [](const TimelinePoint& p) { return p.timeline->value() >= p.value; };
  for (const Submission& submission : submissions) {
    if (!submission.lists.empty() || !std::ranges::all_of(submission.waits, reached)) return false;
  }
  for (const Submission& submission : submissions) {
    for (const TimelinePoint& point : submission.signals) point.timeline->signal(point.value);
  }
  return true;
}

TimelinePoint Queue::idlePoint() const {
  std::lock_guard lock(mutex_);
  return {ended_, submitted_};
}

void* Queue::threadMain(void* queue) {
  static_cast<Queue*>(queue)->run();
  return nullptr;
}

void Queue::run() {
  for (Submission submission; take(submission);) {
    process(submission);
    submission = {};
    if (!has_pending_.load(std::memory_order_relaxed)) device_.writeTrace();
    ended_->advance();
  }
}

// The next batch; false when there is none and never will be.
bool Queue::take(Submission& submission) {
  const uint64_t begin = now();
  place_.spinUntil([this] { return has_pending_.load(std::memory_order_relaxed); });
  std::unique_lock lock(mutex_);
  auto is_there = [this] { return stopping_ || !pending_.empty(); };
  if (!is_there()) {
    is_asleep_ = true;
    arrived_.wait(lock, is_there);
    is_asleep_ = false;
    if (!stopping_) {
      wake_up_nanoseconds.add(now() - submitted_at_);
      place_.add(submitted_at_ - begin);
    }
  }
  if (pending_.empty()) return false;
  submission = std::move(pending_.front());
  pending_.pop_front();
  has_pending_.store(stopping_ || !pending_.empty(), std::memory_order_relaxed);
  return true;
}

void Queue::runLists(const Submission& submission) {
  Trace* const trace = device_.trace();
  const TraceSpan span(trace, TraceTrack::Queue, "queue", "submission");
  if (trace != nullptr) trace->endArrow(TraceTrack::Queue, "submission", submission.arrow);
  Timeline& stop = device_.stopSignal();
  if (!submission.waits.empty()) {
    const TraceSpan waiting(trace, TraceTrack::Queue, "wait", "wait for semaphores");
    if (wait(submission.waits, WaitMode::All, kForever, &stop) != WaitResult::Reached) return;
  }
  for (size_t k = 0; k < submission.lists.size(); ++k)
    execute(*submission.lists[k], device_.workers(), stop, device_.watchdog(), device_.checker(),
            trace, k < submission.names.size() ? std::string_view(submission.names[k]) : "");
}

void Queue::process(Submission& submission) noexcept {
  try {
    runLists(submission);
    if (const std::optional<std::string> reason = device_.requestedLoss())
      throw std::runtime_error(*reason);
  } catch (const NoWorkgroupMemory& error) {
    device_.markLost(error.what());
  } catch (const std::bad_alloc&) {
    device_.markLost("out of memory while executing commands");
  } catch (const std::exception& error) {
    device_.markLost(error.what());
  } catch (...) {
    device_.markLost("unknown failure while executing commands");
  }
  // Let go before anybody knows of the end: what the lists hold may go with the application's
  // next call.
  submission.lists.clear();
  for (const TimelinePoint& point : submission.signals) point.timeline->signal(point.value);
}

}  // namespace rt

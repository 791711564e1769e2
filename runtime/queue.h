// SPDX-License-Identifier: Apache-2.0

// A queue: submissions in, executed in order by a thread of its own.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/commands.h"
#include "runtime/spin.h"
#include "runtime/timeline.h"

namespace rt {

class Device;

// One batch: waits for all of `waits`, runs the lists in order, signals. Keeps what it names alive
// until it has been signalled.
struct Submission {
  std::vector<TimelinePoint> waits;
  std::vector<std::shared_ptr<const CommandList>> lists;
  std::vector<TimelinePoint> signals;
  // For the device's trace, where there is one: the lists' names, and the arrow from the command
  // that submitted it.
  std::vector<std::string> names = {};
  uint64_t arrow = 0;
};

// Thread-safe. Makes progress by itself: nobody has to wait for it. After the device is lost,
// submissions are signalled without being run, so that nobody waits for ever.
class Queue {
 public:
  // Throws std::bad_alloc, also when the system has no thread left.
  explicit Queue(Device& device);
  // Ends the running command at the next workgroup, drops the rest (their points are signalled),
  // and joins the thread.
  ~Queue();

  // Appends the batches, all or none. Does not wait. Throws std::bad_alloc.
  void submit(std::vector<Submission> submissions);

  // What is reached when everything submitted so far has ended; waiting for it is vkQueueWaitIdle.
  TimelinePoint idlePoint() const;

 private:
  static void* threadMain(void* queue);
  void run();
  bool take(Submission& submission);
  void process(Submission& submission) noexcept;
  void runLists(const Submission& submission);
  bool runHere(std::span<const Submission> submissions);

  Device& device_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Submission> pending_;
  uint64_t submitted_ = 0;                 // batches, under mutex_
  std::atomic<bool> has_pending_ = false;  // pending_ or stopping_, to look without the lock
  bool stopping_ = false;
  SpinPlace place_;            // where the thread waits
  bool is_asleep_ = false;     // the thread, under mutex_
  uint64_t submitted_at_ = 0;  // by the clock, the latest batch that found it asleep
  std::shared_ptr<Timeline> ended_ = std::make_shared<Timeline>();  // batches that have ended
  pthread_t thread_;
};

}  // namespace rt

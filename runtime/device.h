// SPDX-License-Identifier: Apache-2.0

// A device as the runtime sees it: worker threads, one queue, and whether it is lost.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/log.h"
#include "runtime/process.h"
#include "runtime/queue.h"
#include "runtime/timeline.h"
#include "runtime/trace/trace.h"
#include "runtime/watchdog.h"
#include "runtime/worker.h"

namespace rt {

class Checker;

class Device {
 public:
  struct Options {
    uint32_t threads = 0;                    // that run kernels at the same time; 0: usableCpus()
    std::shared_ptr<Log> log;                // null: silent
    uint64_t watchdog = 0;                   // nanoseconds that a dispatch may take; 0: no limit
    Checker* checker = nullptr;              // that is told what commands write; null: none
    std::shared_ptr<Trace> trace = nullptr;  // the timeline that has what is done; null: none
  };

  // Throws std::bad_alloc, also when the system has no thread left.
  explicit Device(const Options& options);
  // Returns when no thread is inside the driver's code on behalf of this device. A command that
  // runs is ended at its next workgroup.
  ~Device();

  Queue& queue() { return *queue_; }
  WorkerPool& workers() { return workers_; }
  Watchdog* watchdog() { return watchdog_ ? &*watchdog_ : nullptr; }  // null: none
  Checker* checker() const { return checker_; }                       // null: none
  Trace* trace() const { return trace_.get(); }                       // null: none
  // What the trace, if there is one, has gathered, into its file. Says once why that fails.
  void writeTrace();
  Log* log() const { return log_.get(); }

  // The device can do no more (Vulkan Specification, "Lost Device"). Logs the reason the first
  // time, and then waits that were given lostSignal() end. For the queue's thread while no command
  // runs: who hears of the loss may free what commands use.
  void markLost(std::string_view reason) noexcept;
  // Asks for the loss while a command may run, from any thread: the command ends at its next
  // workgroup, and then the device is lost. The first reason counts.
  void requestLoss(std::string reason);
  // The reason, if somebody has asked; for the queue's thread.
  std::optional<std::string> requestedLoss() const;
  // A device is lost to a forked child of its process, too, which is said the first time.
  bool lost() const { return lost_.value() != 0 || !isHere(); }
  // False in a forked child of its process. Nothing of the device may be used there but this,
  // lost() and what is about the loss; it is left behind, not destroyed: its threads cannot end.
  bool isHere() const;
  // False when the deadline comes first.
  bool waitUntilLost(Deadline deadline);
  // The first of those reasons, as far as it fits; for a device that is lost.
  std::string_view lossReason() const;

  // Give these to wait() as `cancel`: the first on behalf of the application, the second on the
  // queue's own thread (it also ends when the device is being destroyed).
  Timeline& lostSignal() { return lost_; }
  Timeline& stopSignal() { return stop_; }

 private:
  const Home home_;
  std::shared_ptr<Log> log_;
  Checker* const checker_;
  const std::shared_ptr<Trace> trace_;
  Timeline lost_;
  Timeline stop_;
  std::atomic_flag reported_ = ATOMIC_FLAG_INIT;
  mutable std::atomic_flag reported_to_child_ = ATOMIC_FLAG_INIT;
  mutable std::mutex request_mutex_;
  std::optional<std::string> requested_loss_;  // under request_mutex_
  std::array<char, 256> loss_reason_{};        // terminated; written before lost_ is signalled
  WorkerPool workers_;
  std::optional<Watchdog> watchdog_;
  std::unique_ptr<Queue> queue_;
};

}  // namespace rt

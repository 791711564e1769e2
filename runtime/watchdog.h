// SPDX-License-Identifier: Apache-2.0

// Ends dispatches that take too long (TESSERA_WATCHDOG): shaders that wait for ever, mostly.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

#include "runtime/clock.h"
#include "runtime/dispatch.h"
#include "runtime/timeline.h"

namespace rt {

class Watchdog {
 public:
  // Signals `stop` when a watch has lasted longer than `limit` nanoseconds, by up to an eighth of
  // it: dispatches end at their next workgroup then, and within one if their kernels have been
  // compiled to be interruptible and rt::DispatchArgs::stop is its word. Throws std::bad_alloc.
  Watchdog(uint64_t limit, Timeline& stop);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Over one dispatch, while it lives; only one at a time.
  class Watch {
   public:
    explicit Watch(Watchdog& watchdog);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    Watchdog& watchdog_;
  };

  // Throws std::runtime_error when a watch has lasted too long: that over the dispatch that has
  // ended now, of `kernel`, whose workgroup `interrupted` had not come to its end by itself.
  void check(const KernelImage& kernel, const std::optional<WorkgroupId>& interrupted);

 private:
  static void* threadMain(void* watchdog);
  void run();

  const uint64_t limit_;
  Timeline& stop_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool end_ = false;
  Deadline deadline_ = kForever;  // of the watch
  bool expired_ = false;          // a watch has lasted too long
  pthread_t thread_;
};

}  // namespace rt

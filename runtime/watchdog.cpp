// SPDX-License-Identifier: Apache-2.0

#include "runtime/watchdog.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "runtime/native_thread.h"

namespace rt {

namespace {

constexpr size_t kWatchdogStackBytes = size_t{64} << 10;

// Looking is cheaper than waking this thread for each dispatch.
std::chrono::nanoseconds periodOf(uint64_t limit) {
  return std::chrono::nanoseconds(std::clamp<uint64_t>(limit / 8, 1'000'000, 1'000'000'000));
}

std::string reasonOf(const KernelImage& kernel, const std::optional<WorkgroupId>& interrupted,
                     uint64_t limit) {
  char text[64];
  std::snprintf(text, sizeof text, "%g", double(limit) * 1e-9);
  std::string reason = "a dispatch of " + describe(kernel) +
                       " took longer than TESSERA_WATCHDOG=" + text + " allows";
  if (!interrupted) return reason;
  const auto& [x, y, z] = *interrupted;
  std::snprintf(text, sizeof text, "; workgroup (%u, %u, %u) had not ended", x, y, z);
  return reason + text;
}

}  // namespace

Watchdog::Watchdog(uint64_t limit, Timeline& stop)
    : limit_(limit),
      stop_(stop),
      thread_(startThread("tessera-watch", kWatchdogStackBytes, &Watchdog::threadMain, this)) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    end_ = true;
  }
  ending_.notify_one();
  pthread_join(thread_, nullptr);
}

Watchdog::Watch::Watch(Watchdog& watchdog) : watchdog_(watchdog) {
  std::lock_guard lock(watchdog_.mutex_);
  watchdog_.deadline_ = deadlineAfter(watchdog_.limit_);
}

Watchdog::Watch::~Watch() {
  std::lock_guard lock(watchdog_.mutex_);
  watchdog_.deadline_ = kForever;
}

void Watchdog::check(const KernelImage& kernel, const std::optional<WorkgroupId>& interrupted) {
  std::lock_guard lock(mutex_);
  if (expired_) throw std::runtime_error(reasonOf(kernel, interrupted, limit_));
}

void* Watchdog::threadMain(void* watchdog) {
  static_cast<Watchdog*>(watchdog)->run();
  return nullptr;
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, periodOf(limit_), [this] { return end_; })) {
    if (now() < deadline_) continue;
    expired_ = true;
    stop_.signal(1);
    return;
  }
}

}  // namespace rt

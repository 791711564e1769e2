#include "runtime/watchdog.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "runtime/native_thread.h"

namespace rt {

namespace {

constexpr size_t kStackBytes = size_t{64} << 10;

// Looking is cheaper than waking this thread for each dispatch.
std::chrono::nanoseconds periodOf(uint64_t limit) {
  return std::chrono::nanoseconds(std::clamp<uint64_t>(limit / 8, 1'000'000, 1'000'000'000));
}

std::string reasonOf(std::string_view name, uint64_t limit) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", double(limit) * 1e-9);
  std::string reason = "a dispatch of ";
  reason += name.empty() ? "a shader without a name" : name;
  return reason + " took longer than TESSERA_WATCHDOG=" + seconds + " allows";
}

}  // namespace

Watchdog::Watchdog(uint64_t limit, Timeline& stop)
    : limit_(limit),
      stop_(stop),
      thread_(startThread("tessera-watch", kStackBytes, &Watchdog::threadMain, this)) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    end_ = true;
  }
  ending_.notify_one();
  pthread_join(thread_, nullptr);
}

Watchdog::Watch::Watch(Watchdog* watchdog, std::string_view name) : watchdog_(watchdog) {
  if (watchdog_ == nullptr) return;
  std::lock_guard lock(watchdog_->mutex_);
  watchdog_->deadline_ = deadlineAfter(watchdog_->limit_);
  watchdog_->name_ = name;
}

Watchdog::Watch::~Watch() {
  if (watchdog_ == nullptr) return;
  std::lock_guard lock(watchdog_->mutex_);
  watchdog_->deadline_ = kForever;
  watchdog_->name_ = {};
}

void Watchdog::check() {
  std::lock_guard lock(mutex_);
  if (!reason_.empty()) throw std::runtime_error(reason_);
}

void* Watchdog::threadMain(void* watchdog) {
  static_cast<Watchdog*>(watchdog)->run();
  return nullptr;
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, periodOf(limit_), [this] { return end_; })) {
    if (now() < deadline_) continue;
    reason_ = reasonOf(name_, limit_);
    stop_.signal(1);
    return;
  }
}

}  // namespace rt

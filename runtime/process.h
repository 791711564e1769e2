// SPDX-License-Identifier: Apache-2.0

// The process that the driver lives in: it comes to an end at which libraries go one by one, and it
// may be a copy of another one (man 2 fork), without the threads of that.
#pragma once

#include <atomic>
#include <cstdint>

namespace rt {

// The process that an object was made in. A child that is forked later has the object too, but none
// of the threads that work for it, and locks that these held are held for ever.
class Home {
 public:
  Home() : process_(current()) {}

  bool isHere() const { return process_ == current(); }

  // Counts the forks between the process that loaded the driver and this one.
  static uint32_t current() { return forks_.load(std::memory_order_relaxed); }

 private:
  friend struct ProcessHooks;

  static std::atomic<uint32_t> forks_;
  uint32_t process_;
};

// While one lives, its thread may call oneTBB, if isAllowed(). That ends when the process does:
// oneTBB is a library of its own, whose static objects are destroyed although kernels may run
// still. The end waits a moment for calls that have begun, so they return soon once isOver(). In a
// forked child it is over from the start where the driver has called oneTBB before: its threads are
// gone, and its locks may be held.
class TbbCall {
 public:
  TbbCall() noexcept;
  ~TbbCall();
  TbbCall(const TbbCall&) = delete;
  TbbCall& operator=(const TbbCall&) = delete;

  bool isAllowed() const { return allowed_; }

  // For good.
  static bool isOver() { return over_.load(std::memory_order_relaxed); }

 private:
  friend struct ProcessHooks;

  static std::atomic<bool> over_;
  bool allowed_;
};

}  // namespace rt

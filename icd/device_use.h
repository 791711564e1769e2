// SPDX-License-Identifier: Apache-2.0

// What an application makes of the device that it is shown.
#pragma once

#include <atomic>

#include "runtime/log.h"
#include "runtime/process.h"

namespace icd {

// Of one instance. An application that has seen a device of type CPU and never asked for one with
// it may have passed over it. That is said at level info, with what to set, when this is destroyed;
// or when the process ends, since ggml's programs, among others, destroy no instance.
class DeviceUse {
 public:
  // `is_cpu`: of this type is the device that applications see. `log` outlives this.
  DeviceUse(bool is_cpu, rt::Log& log);
  ~DeviceUse();
  DeviceUse(const DeviceUse&) = delete;
  DeviceUse& operator=(const DeviceUse&) = delete;

  void wasSeen() noexcept { seen_.store(true, std::memory_order_relaxed); }
  // Whether or not a device comes of it: if none does, an error says why.
  void wasAskedFor() noexcept { asked_for_.store(true, std::memory_order_relaxed); }

 private:
  static void endProcess(int status, void*);

  void report() noexcept;

  const bool is_cpu_;
  rt::Log& log_;
  const rt::Home home_;
  std::atomic<bool> seen_ = false;
  std::atomic<bool> asked_for_ = false;
  std::atomic<bool> reported_ = false;
};

}  // namespace icd

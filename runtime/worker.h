// SPDX-License-Identifier: Apache-2.0

// The threads that run kernels, and the memory each of them lends to workgroups.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "runtime/kernel.h"
#include "runtime/kernel_abi.h"
#include "runtime/panel_cache.h"
#include "runtime/process.h"

namespace rt {

// Memory of one worker, used by one thread at a time; on cache lines of its own. Grows on demand,
// is never given back before the device goes: the next dispatch wants it again.
class alignas(kWorkgroupMemoryAlignment) Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  // Memory for the kernel's workgroups, valid until the next call; null when there is none left.
  const WorkgroupMemory* prepare(const KernelImage& kernel) noexcept;

  PanelCache& panels() { return panels_; }

  // Of the pool's, from 0; the caller's is 0.
  uint32_t number() const { return number_; }

  // Whether a body (WorkerPool::run) shall return although there is work left.
  bool mustLeave() const { return number_ != 0 && TbbCall::isOver(); }

 private:
  friend class WorkerPool;

  void release() noexcept;

  std::byte* block_ = nullptr;
  size_t block_bytes_ = 0;
  WorkgroupMemory memory_{};
  PanelCache panels_;
  uint32_t number_ = 0;
  std::atomic<uint32_t> is_inside_ = 0;  // whether its thread runs a body, or looks whether it may
};

// Worker threads in a task arena of their own: they share oneTBB's threads with the application's
// arenas, but no work. Between two calls of run() they look for the next one for a while: kernels
// come one after the other, and waking threads takes longer than many of them.
class WorkerPool {
 public:
  // `threads`: the most that run at the same time, the calling one included; at least 1.
  explicit WorkerPool(uint32_t threads);
  ~WorkerPool();

  uint32_t threads() const;

  // What each worker's PanelCache may keep.
  const PanelCacheSizes& panelSizes() const;

  // The worker of the thread that calls run(); only one thread ever does.
  Worker& caller();

  // Whether all others look for a call of run() now, so that it costs little.
  bool isReady() const;

  // Runs `body` on the calling thread and on each other worker that is free, and returns when
  // all have returned; a worker may get it more than once. What the caller wrote before is visible
  // to `body`, what `body` wrote is visible afterwards. `body` must not throw. It does what is left
  // of some work, and returns between two parts of it when its worker mustLeave(), which the
  // caller's never must.
  void run(const std::function<void(Worker&)>& body);

 private:
  struct Shared;

  std::unique_ptr<Shared> shared_;
};

}  // namespace rt

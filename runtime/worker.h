// SPDX-License-Identifier: Apache-2.0

// The threads that run kernels, and the memory each of them lends to workgroups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>

#include "runtime/kernel.h"
#include "runtime/kernel_abi.h"
#include "runtime/panel_cache.h"
#include "runtime/process.h"
#include "runtime/task_arena.h"

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

  // Whether a body (WorkerPool::run) shall return although there is work left.
  bool mustLeave() const { return may_leave_ && TbbCall::isOver(); }

 private:
  friend class WorkerPool;

  void release() noexcept;

  std::byte* block_ = nullptr;
  size_t block_bytes_ = 0;
  WorkgroupMemory memory_{};
  PanelCache panels_;
  bool may_leave_ = false;
};

// Worker threads in a task arena of their own: they share oneTBB's threads with the application's
// arenas, but no work.
class WorkerPool {
 public:
  // `threads`: the most that run at the same time, the calling one included; at least 1.
  explicit WorkerPool(uint32_t threads);

  uint32_t threads() const { return threads_; }

  // What each worker's PanelCache may keep.
  const PanelCacheSizes& panelSizes() const { return panel_sizes_; }

  // The worker of the thread that calls run(); only one thread ever does.
  Worker& caller() { return workers_[0]; }

  // Runs `body` on the calling thread and on each other worker that is free, and returns when
  // all have returned; a worker may get it more than once. What the caller wrote before is visible
  // to `body`, what `body` wrote is visible afterwards. `body` must not throw. It does what is left
  // of some work, and returns between two parts of it when its worker mustLeave(): the calling
  // thread then runs it once more, to the end and without oneTBB.
  void run(const std::function<void(Worker&)>& body);

 private:
  struct Call;

  bool runOnAll(const std::function<void(Worker&)>& body);

  const uint32_t threads_;
  const PanelCacheSizes panel_sizes_;
  std::deque<Worker> workers_;  // by slot of the arena
  TaskArena arena_;
};

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

#include "runtime/worker.h"

#include <sched.h>

#include <deque>

#include "runtime/clock.h"
#include "runtime/host.h"
#include "runtime/pages.h"
#include "runtime/spin.h"
#include "runtime/task_arena.h"

namespace rt {

namespace {

// Blocks start this large: most kernels never make a worker grow.
constexpr size_t kSmallestBlock = size_t{256} << 10;

// In front of a block. Lanes that are masked off reach there, as `values[lane - 1]` does; loads of
// them take a hundred times as long where the page has never been touched.
constexpr size_t kMargin = kPageBytes;

}  // namespace

Worker::~Worker() { release(); }

void Worker::release() noexcept {
  if (block_ != nullptr) freePages(block_ - kMargin, kMargin + block_bytes_);
  block_ = nullptr;
  block_bytes_ = 0;
}

const WorkgroupMemory* Worker::prepare(const KernelImage& kernel) noexcept {
  size_t shared_bytes = roundUp(kernel.shared_bytes, kWorkgroupMemoryAlignment);
  size_t bytes = shared_bytes + kernel.scratch_bytes;
  if (bytes > block_bytes_) {
    release();
    size_t wanted = bytes < kSmallestBlock ? kSmallestBlock : roundToPages(bytes);
    std::byte* pages = allocatePages(kMargin + wanted);
    if (!pages) return nullptr;
    *static_cast<volatile std::byte*>(pages) = std::byte{0};
    block_ = pages + kMargin;
    block_bytes_ = wanted;
  }
  memory_ = {block_, block_ + shared_bytes};
  return &memory_;
}

// What the threads share. It stays behind where they may come to it when the pool has gone.
struct WorkerPool::Shared {
  explicit Shared(uint32_t threads)
      : sizes(panelCacheSizes(threads, usableMemory())), workers(threads), arena(threads) {
    for (uint32_t slot = 0; slot < threads; ++slot) workers[slot].number_ = slot;
  }

  static void serve(void* shared, uint32_t slot);
  void serve(Worker& worker, uint64_t& served);
  bool mayLeave(uint64_t served);
  bool mustLeave() const { return is_closing.load() || TbbCall::isOver(); }
  bool isCallAfter(uint64_t served) const {
    const uint64_t call = calls.load();
    return call % 2 != 0 && call != served;
  }
  void summonMissing();
  void waitFor(Worker& worker);

  const Home home;
  const PanelCacheSizes sizes;
  std::deque<Worker> workers;         // by slot of the arena
  std::atomic<int32_t> summoned = 0;  // threads of oneTBB's, those that have not come yet, too
  std::atomic<int32_t> present = 0;   // of those that came
  std::atomic<bool> is_closing = false;
  std::atomic<bool> is_caller_asleep = false;
  alignas(64) std::atomic<uint64_t> calls = 0;         // and ends of calls: odd while there is one
  const std::function<void(Worker&)>* body = nullptr;  // of the call
  TaskArena arena;
};

namespace {

// Nanoseconds that a worker looks for the next call. Small kernels that run on the caller alone lie
// between large ones.
constexpr uint64_t kLook = 50'000;

// Nanoseconds after which a worker goes back to oneTBB, which may want its thread elsewhere.
constexpr uint64_t kStay = 5'000'000;

// Nanoseconds that the caller looks whether a worker has returned before it sleeps.
constexpr uint64_t kLookForEnd = 50'000;

// Between two looks at the clock, which take longer than a look for a call.
constexpr int kLooks = 64;

}  // namespace

// A thread that comes when the process ends, or later, touches nothing.
void WorkerPool::Shared::serve(void* shared, uint32_t slot) {
  const TbbCall tbb;
  if (!tbb.isAllowed()) return;
  Shared& self = *static_cast<Shared*>(shared);
  self.present.fetch_add(1);
  uint64_t served = 0;
  do {
    self.serve(self.workers[slot], served);
  } while (!self.mayLeave(served));
  self.present.fetch_sub(1);
}

// Until no call comes for a while, or it is time to leave. `served`: the last call that has been.
void WorkerPool::Shared::serve(Worker& worker, uint64_t& served) {
  const uint64_t leaves = now() + kStay;
  for (uint64_t time = now(); time < leaves; time = now()) {
    if (!spinUntil(time + kLook, kLooks, [&] { return isCallAfter(served) || mustLeave(); }))
      return;
    if (mustLeave()) return;
    served = calls.load(std::memory_order_relaxed);
    // Either the caller sees that the worker is inside, or the worker that the call has ended.
    worker.is_inside_.exchange(1);
    if (served % 2 != 0 && calls.load() == served) (*body)(worker);
    worker.is_inside_.store(0);
    if (is_caller_asleep.load()) worker.is_inside_.notify_one();
  }
}

// Either a call that begins sees that the thread leaves, or the thread sees the call.
bool WorkerPool::Shared::mayLeave(uint64_t served) {
  summoned.fetch_sub(1);
  if (mustLeave() || !isCallAfter(served)) return true;
  summoned.fetch_add(1);
  return false;
}

void WorkerPool::Shared::summonMissing() {
  const int32_t missing = int32_t(workers.size()) - 1 - summoned.load();
  if (missing <= 0) return;
  const TbbCall tbb;
  if (!tbb.isAllowed()) return;
  summoned.fetch_add(missing);
  const uint32_t count = arena.summon(&Shared::serve, this, uint32_t(missing));
  summoned.fetch_sub(missing - int32_t(count));
}

void WorkerPool::Shared::waitFor(Worker& worker) {
  auto is_outside = [&] { return worker.is_inside_.load() == 0; };
  if (is_outside() || spinUntil(now() + kLookForEnd, kLooks, is_outside)) return;
  is_caller_asleep.store(true);
  worker.is_inside_.wait(1);
  is_caller_asleep.store(false);
}

WorkerPool::WorkerPool(uint32_t threads) : shared_(new Shared(threads)) {}

WorkerPool::~WorkerPool() {
  shared_->is_closing = true;
  if (shared_->arena.finish()) return;
  // Threads may come until oneTBB has gone. In a forked child those that were there are not.
  while (shared_->home.isHere() && shared_->present != 0) sched_yield();
  static_cast<void>(shared_.release());
}

uint32_t WorkerPool::threads() const { return uint32_t(shared_->workers.size()); }

const PanelCacheSizes& WorkerPool::panelSizes() const { return shared_->sizes; }

Worker& WorkerPool::caller() { return shared_->workers[0]; }

bool WorkerPool::isReady() const {
  return uint32_t(shared_->present.load(std::memory_order_relaxed)) + 1 == threads();
}

void WorkerPool::run(const std::function<void(Worker&)>& body) {
  Shared& shared = *shared_;
  if (threads() == 1 || TbbCall::isOver()) {
    body(caller());
    return;
  }
  shared.body = &body;
  shared.calls.fetch_add(1);
  shared.summonMissing();
  body(caller());
  shared.calls.fetch_add(1);
  for (size_t slot = 1; slot < shared.workers.size(); ++slot) shared.waitFor(shared.workers[slot]);
}

}  // namespace rt

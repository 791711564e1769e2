// SPDX-License-Identifier: Apache-2.0

#include "runtime/worker.h"

#include <atomic>

#include "runtime/host.h"
#include "runtime/pages.h"

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

// One run(). oneTBB orders the calls of `body` between its start and its end; `begun` and `ended`
// say so to the thread sanitizer, which does not see into it.
struct WorkerPool::Call {
  WorkerPool& pool;
  const std::function<void(Worker&)>& body;
  std::atomic<bool> begun = false;
  std::atomic<uint32_t> ended = 0;

  static void runOn(void* context, uint32_t slot) {
    Call& call = *static_cast<Call*>(context);
    call.begun.load(std::memory_order_acquire);
    Worker& worker = call.pool.workers_[slot];
    worker.may_leave_ = true;
    call.body(worker);
    call.ended.fetch_add(1, std::memory_order_release);
  }
};

WorkerPool::WorkerPool(uint32_t threads)
    : threads_(threads),
      panel_sizes_(panelCacheSizes(threads, usableMemory())),
      workers_(threads),
      arena_(threads) {}

void WorkerPool::run(const std::function<void(Worker&)>& body) {
  if (threads_ > 1 && runOnAll(body)) return;
  caller().may_leave_ = false;
  body(caller());
}

// False if there may be work left.
bool WorkerPool::runOnAll(const std::function<void(Worker&)>& body) {
  const TbbCall tbb;
  if (!tbb.isAllowed()) return false;
  Call call{*this, body};
  call.begun.store(true, std::memory_order_release);
  arena_.run(&Call::runOn, &call);
  call.ended.exchange(0, std::memory_order_acquire);
  return !TbbCall::isOver();
}

}  // namespace rt

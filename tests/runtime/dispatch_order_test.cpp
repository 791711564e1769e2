// SPDX-License-Identifier: Apache-2.0

// In which order workgroups start (docs/architecture/runtime.md, "Dispatch").
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "runtime/dispatch.h"
#include "tests/runtime/test_kernel.h"
#include "tests/runtime/worker_pools.h"

namespace rt {
namespace {

using test::burn;
using test::makeArgs;
using test::makeKernel;
using test::stateOf;

class DispatchOrderTest : public test::OnWorkers {};

INSTANTIATE_TEST_SUITE_P(Threads, DispatchOrderTest, test::numbersOfWorkers(),
                         testing::PrintToStringParamName());

struct Chain {
  std::vector<std::atomic<uint64_t>> sums;
  uint64_t nanoseconds;
};

// A scan with look-back: each workgroup spins for the one before it.
void lookBackKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t x, uint32_t,
                    uint32_t, uint32_t) {
  Chain& chain = stateOf<Chain>(args);
  if (x % 7 == 0) burn(chain.nanoseconds);
  uint64_t before = 0;
  if (x > 0) {
    while ((before = chain.sums[x - 1].load(std::memory_order_acquire)) == 0) {
      std::this_thread::yield();
    }
  }
  chain.sums[x].store(before + x + 1, std::memory_order_release);
}

TEST_P(DispatchOrderTest, WorkgroupsMayLookBack) {
  auto kernel = makeKernel(lookBackKernel);
  for (uint64_t nanoseconds : {0, 2'000, 20'000}) {
    constexpr uint32_t kCount = 3000;
    Chain chain{std::vector<std::atomic<uint64_t>>(kCount), nanoseconds};
    runDispatch(*kernel, *makeArgs(chain, {kCount, 1, 1}), workers_, stop_);
    EXPECT_EQ(chain.sums[kCount - 1], uint64_t{kCount} * (kCount + 1) / 2);
  }
}

struct Order {
  std::vector<uint32_t> started;
};

void orderKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t x, uint32_t y,
                 uint32_t z, uint32_t) {
  stateOf<Order>(args).started.push_back(test::linearIndex(args, x, y, z));
}

struct Started {
  std::atomic<uint32_t> count = 0;
  std::atomic<uint32_t> most_ahead = 0;
  bool waits = false;  // in workgroup 100 for one ahead of its turn
};

// Takes so long that threads take one workgroup at a time.
void aheadKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t x, uint32_t, uint32_t,
                 uint32_t) {
  Started& started = stateOf<Started>(args);
  const uint32_t before = started.count++, ahead = x - std::min(x, before);
  for (uint32_t most = started.most_ahead; most < ahead;)
    started.most_ahead.compare_exchange_weak(most, ahead);
  burn(20'000);
  const Deadline end = deadlineAfter(20'000'000'000);
  while (started.waits && x == 100 && started.most_ahead == 0 && now() < end)
    std::this_thread::yield();
}

// So that whoever waits for workgroups before its own does not wait for many.
TEST_P(DispatchOrderTest, WorkgroupsStartInAscendingOrder) {
  Started started;
  runDispatch(*makeKernel(aheadKernel), *makeArgs(started, {2000, 1, 1}), workers_, stop_);
  EXPECT_EQ(started.count, 2000u);
  EXPECT_LT(started.most_ahead, GetParam());  // a workgroup that a thread has taken has not begun
}

TEST_P(DispatchOrderTest, ThreadsHavePartsWhereNobodyCanTellTheOrder) {
  auto kernel = makeKernel(aheadKernel);
  kernel->is_unordered = true;
  Started started;
  started.waits = GetParam() > 1;
  runDispatch(*kernel, *makeArgs(started, {2000, 1, 1}), workers_, stop_);
  EXPECT_EQ(started.count, 2000u);
  if (started.waits) {
    EXPECT_GT(started.most_ahead, 2000 / (2 * test::kThreads));
  }
}

TEST(DispatchOrder, OneThreadRunsInAscendingOrder) {
  WorkerPool workers(1);
  Timeline stop;
  Order order;
  runDispatch(*makeKernel(orderKernel), *makeArgs(order, {5, 4, 3}), workers, stop);
  ASSERT_EQ(order.started.size(), 60u);
  for (uint32_t i = 0; i < 60; ++i) EXPECT_EQ(order.started[i], i);
}

}  // namespace
}  // namespace rt

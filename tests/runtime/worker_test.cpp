// SPDX-License-Identifier: Apache-2.0

#include "runtime/worker.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <set>

#include "runtime/clock.h"
#include "runtime/pages.h"
#include "tests/runtime/test_kernel.h"

namespace rt {
namespace {

TEST(Worker, MemoryGrowsAndStays) {
  Worker worker;
  KernelImage kernel;
  kernel.shared_bytes = 100;
  kernel.scratch_bytes = 1000;
  const WorkgroupMemory small = *worker.prepare(kernel);
  EXPECT_EQ(small.scratch - small.shared, 128);
  kernel.scratch_bytes = 5 << 20;
  const WorkgroupMemory large = *worker.prepare(kernel);
  std::fill_n(large.scratch, kernel.scratch_bytes, std::byte{1});
  kernel.scratch_bytes = 1000;
  EXPECT_EQ(worker.prepare(kernel)->shared, large.shared);
}

// What lanes that are masked off reach for.
TEST(Worker, ThereIsAPageInFrontOfTheMemory) {
  Worker worker;
  KernelImage kernel;
  kernel.shared_bytes = 64;
  for (size_t scratch : {size_t{0}, size_t{5} << 20}) {
    kernel.scratch_bytes = scratch;
    const std::byte* shared = worker.prepare(kernel)->shared;
    const auto* before = static_cast<const volatile std::byte*>(shared) - kPageBytes;
    EXPECT_TRUE(before[0] == std::byte{0} && before[kPageBytes - 1] == std::byte{0});
  }
}

TEST(WorkerPool, RunsTheBodyWithWorkersOfTheirOwn) {
  tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism, 5);
  for (uint32_t threads : {1u, 2u, 5u}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    std::set<Worker*> all;
    for (int i = 0; i < 100; ++i) {
      uint32_t before = 7;  // not atomic: run() orders it
      std::vector<Worker*> seen(threads);
      std::atomic<uint32_t> calls = 0;
      pool.run([&](Worker& worker) {
        EXPECT_EQ(before, 7u);
        seen[calls++] = &worker;
      });
      EXPECT_GE(calls, 1u);
      all.insert(seen.begin(), seen.begin() + calls);
    }
    EXPECT_LE(all.size(), threads);
    EXPECT_TRUE(all.contains(&pool.caller()));
  }
}

// Waking threads takes longer than many kernels.
TEST(WorkerPool, WorkersStayForAWhile) {
  tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism, 2);
  WorkerPool pool(2);
  const Deadline end = deadlineAfter(test::kSoon);
  while (!pool.isReady() && now() < end) pool.run([](Worker&) { test::burn(10'000); });
  EXPECT_TRUE(pool.isReady());
  // The application may want oneTBB's threads.
  while (pool.isReady() && now() < end) usleep(1000);
  EXPECT_FALSE(pool.isReady());
}

TEST(WorkerPool, ASlowWorkerIsWaitedForAsleep) {
  tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism, 2);
  WorkerPool pool(2);
  std::atomic<bool> has_come = false, has_ended = false;
  const uint64_t before = now(CLOCK_THREAD_CPUTIME_ID);
  pool.run([&](Worker& worker) {
    if (&worker == &pool.caller()) {
      for (const Deadline end = deadlineAfter(test::kSoon); !has_come && now() < end;) usleep(1000);
    } else if (!has_come.exchange(true)) {
      usleep(500'000);
      has_ended = true;
    }
  });
  EXPECT_TRUE(has_ended);
  EXPECT_LT(now(CLOCK_THREAD_CPUTIME_ID) - before, 250'000'000u);
}

TEST(WorkerPool, WithoutThreadsOfOneTbbsTheCallerIsAlone) {
  tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism, 1);
  for (int i = 0; i < 3; ++i) {
    WorkerPool pool(4);
    std::atomic<int> calls = 0;
    for (int k = 0; k < 3; ++k)
      pool.run([&](Worker& worker) {
        EXPECT_EQ(&worker, &pool.caller());
        ++calls;
      });
    EXPECT_EQ(calls, 3);
  }
}

// oneTBB's threads are not in a forked child: the calling thread does everything.
TEST(WorkerPool, IsOneThreadInAForkedChild) {
  tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism, 4);
  WorkerPool pool(4);
  std::atomic<int> calls = 0;
  pool.run([&](Worker&) { ++calls; });
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    bool alone = true;
    calls = 0;
    {
      WorkerPool own(4);
      own.run([&](Worker& worker) {
        ++calls;
        alone = &worker == &own.caller() && !worker.mustLeave();
      });
    }
    _exit(alone && calls == 1 ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  calls = 0;
  pool.run([&](Worker& worker) {
    EXPECT_FALSE(worker.mustLeave());
    ++calls;
  });
  EXPECT_GE(calls, 1);
}

}  // namespace
}  // namespace rt

#include "runtime/worker.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <atomic>
#include <set>

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

}  // namespace
}  // namespace rt

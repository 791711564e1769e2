// SPDX-License-Identifier: Apache-2.0

#include "runtime/dispatch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "runtime/kernel_library/find_panel.h"
#include "runtime/panel_cache.h"
#include "tests/runtime/test_kernel.h"
#include "tests/runtime/worker_pools.h"

namespace rt {
namespace {

using test::burn;
using test::Grid;
using test::makeArgs;
using test::makeKernel;
using test::stateOf;

class DispatchTest : public test::OnWorkers {};

INSTANTIATE_TEST_SUITE_P(Threads, DispatchTest, test::numbersOfWorkers(),
                         testing::PrintToStringParamName());

struct Counts {
  std::vector<std::atomic<uint32_t>> of;
  uint64_t nanoseconds = 0;
  explicit Counts(size_t workgroups) : of(workgroups) {}
};

void countKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t x, uint32_t y,
                 uint32_t z, uint32_t) {
  Counts& counts = stateOf<Counts>(args);
  if (counts.nanoseconds) burn(counts.nanoseconds);
  const uint32_t* base = args->base_workgroup;
  counts.of[test::linearIndex(args, x - base[0], y - base[1], z - base[2])].fetch_add(1);
}

TEST_P(DispatchTest, RunsEveryWorkgroupOnce) {
  auto kernel = makeKernel(countKernel);
  for (Grid grid :
       {Grid{1, 1, 1}, Grid{7, 5, 3}, Grid{1, 1, 4000}, Grid{1, 333, 7}, Grid{100'000, 1, 1}}) {
    for (uint64_t nanoseconds : {0, 3'000}) {
      Counts counts(size_t{grid[0]} * grid[1] * grid[2]);
      counts.nanoseconds = counts.of.size() > 5000 ? 0 : nanoseconds;
      for (bool is_unordered : {false, true}) {
        kernel->is_unordered = is_unordered;
        for (auto& count : counts.of) count = 0;
        runDispatch(*kernel, *makeArgs(counts, grid), workers_, stop_);
        for (auto& count : counts.of) ASSERT_EQ(count, 1u);
      }
    }
  }
}

// Two panels of its column and of its row; each must be what it was packed as.
void panelKernel(const DispatchArgs* args, const WorkgroupMemory* memory, uint32_t x, uint32_t y,
                 uint32_t z, uint32_t) {
  countKernel(args, memory, x, y, z, 1);
  for (const uint64_t key : {uint64_t{1} << 32 | x, uint64_t{2} << 32 | y}) {
    const TileDescriptor tile{key, 0, 0};
    std::byte* panel = findPanel(&tile, 1, 1, 1, 0, 100'000).memory;
    ASSERT_NE(panel, nullptr);
    const bool is_packed = reinterpret_cast<uintptr_t>(panel) % 2 == 0;
    if (!is_packed) std::memcpy(--panel, &key, sizeof key);
    EXPECT_EQ(std::memcmp(panel, &key, sizeof key), 0);
  }
}

TEST_P(DispatchTest, WorkgroupsSharePanels) {
  auto kernel = makeKernel(panelKernel);
  kernel->shares_panels = true;
  for (Grid grid : {Grid{1, 1, 1}, Grid{17, 23, 2}, Grid{300, 2, 1}}) {
    for (int i = 0; i < 2; ++i) {
      Counts counts(size_t{grid[0]} * grid[1] * grid[2]);
      runDispatch(*kernel, *makeArgs(counts, grid), workers_, stop_);
      for (auto& count : counts.of) ASSERT_EQ(count, 1u);
    }
    EXPECT_GE(kernel->measured_panels, 200'000u);
    EXPECT_LT(kernel->measured_panels, 210'000u);
  }
  EXPECT_EQ(findPanel(nullptr, 0, 0, 0, 0, 0).memory, nullptr) << "only while workgroups run";
}

TEST_P(DispatchTest, WorkgroupsWithTooLargePanelsShareNone) {
  auto kernel = makeKernel([](const DispatchArgs* args, const WorkgroupMemory* memory, uint32_t x,
                              uint32_t y, uint32_t z, uint32_t) {
    countKernel(args, memory, x, y, z, 1);
    const TileDescriptor tile{};
    EXPECT_EQ(findPanel(&tile, 1, 1, 1, 0, 64).memory, nullptr);
  });
  kernel->shares_panels = true;
  kernel->measured_panels = uint64_t{1} << 30;
  Counts counts(100);
  runDispatch(*kernel, *makeArgs(counts, {10, 10, 1}), workers_, stop_);
  for (auto& count : counts.of) ASSERT_EQ(count, 1u);
  EXPECT_GE(kernel->measured_panels, 64u);
  EXPECT_LT(kernel->measured_panels, 1000u) << "counted for the next dispatch, which shares again";
}

TEST_P(DispatchTest, CountsWhatIsReadInPlaceOfPanels) {
  auto kernel = makeKernel([](const DispatchArgs* args, const WorkgroupMemory* memory, uint32_t x,
                              uint32_t y, uint32_t z, uint32_t) {
    panelKernel(args, memory, x, y, z, 1);
    panelCache()->addReadInPlace(5'000);
  });
  kernel->shares_panels = true;
  for (int i = 0; i < 2; ++i) {
    Counts counts(64);
    runDispatch(*kernel, *makeArgs(counts, {8, 8, 1}), workers_, stop_);
    for (auto& count : counts.of) ASSERT_EQ(count, 1u);
    EXPECT_EQ(kernel->measured_in_place, 5'000u);
    EXPECT_GE(kernel->measured_panels, 205'000u);
  }
}

struct Rows {
  Counts counts;
  std::atomic<uint32_t> longest = 0;
};

void rowKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t x, uint32_t y, uint32_t z,
               uint32_t count) {
  Rows& rows = stateOf<Rows>(args);
  for (uint32_t longest = rows.longest; longest < count;)
    rows.longest.compare_exchange_weak(longest, count);
  for (uint32_t n = 0; n < count; ++n)
    rows.counts.of.at(test::linearIndex(args, x + n - args->base_workgroup[0], y, z)).fetch_add(1);
}

TEST_P(DispatchTest, RunsRowsOfWorkgroups) {
  auto kernel = makeKernel(rowKernel);
  kernel->workgroup_size = {16, 4, 1};
  for (bool runs_rows : {false, true}) {
    kernel->runs_rows = runs_rows;
    for (Grid grid : {Grid{1, 1, 1}, Grid{7, 5, 3}, Grid{1, 333, 7}, Grid{10'000, 2, 1}}) {
      Rows rows{Counts(size_t{grid[0]} * grid[1] * grid[2])};
      auto args = makeArgs(rows, grid);
      args->base_workgroup[0] = 100;
      runDispatch(*kernel, *args, workers_, stop_);
      for (auto& count : rows.counts.of) ASSERT_EQ(count, 1u);
      EXPECT_LE(rows.longest, runs_rows ? 512u / 16u : 1u);
      if (grid[0] == 10'000) {
        EXPECT_EQ(rows.longest > 1, runs_rows);
      }
    }
  }
}

// Who asks which workgroup it was that a dispatch ended in gets an answer.
TEST_P(DispatchTest, RunsOneWorkgroupAtATimeWhereSomebodyAsks) {
  auto kernel = makeKernel(rowKernel);
  kernel->workgroup_size = {16, 4, 1};
  kernel->runs_rows = true;
  Rows rows{Counts(1000)};
  std::optional<WorkgroupId> interrupted;
  runDispatch(*kernel, *makeArgs(rows, {1000, 1, 1}), workers_, stop_, &interrupted);
  for (auto& count : rows.counts.of) ASSERT_EQ(count, 1u);
  EXPECT_EQ(rows.longest, 1u);
}

TEST_P(DispatchTest, AddsTheBase) {
  Counts counts(24);
  auto args = makeArgs(counts, {2, 3, 4});
  args->base_workgroup[0] = 100;
  args->base_workgroup[1] = 0xffff0000;
  args->base_workgroup[2] = 7;
  runDispatch(*makeKernel(countKernel), *args, workers_, stop_);
  for (auto& count : counts.of) EXPECT_EQ(count, 1u);
}

TEST_P(DispatchTest, EmptyGridsRunNothing) {
  auto kernel = makeKernel(nullptr);
  int state = 0;
  for (Grid grid : {Grid{0, 1, 1}, Grid{5, 0, 1}, Grid{5, 5, 0}, Grid{0, 0, 0}}) {
    runDispatch(*kernel, *makeArgs(state, grid), workers_, stop_);
  }
}

struct Panels {
  uint32_t packed = 0;
};

// Reads four panels of its column, and four of its row.
void packingKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t x, uint32_t y,
                   uint32_t, uint32_t) {
  for (uint64_t k = 0; k < 4; ++k) {
    for (uint64_t operand : {0, 1}) {
      const TileDescriptor tile{operand == 0 ? x : y, k, 0};
      const auto memory = findPanel(&tile, 1, 1, 1, operand, 256 << 10).memory;
      stateOf<Panels>(args).packed += !memory || reinterpret_cast<uintptr_t>(memory) & 1;
    }
  }
}

// 24 MiB of panels, more than a worker's share of the processor's caches ever is, are packed once.
// In the first dispatch of a kernel too, but for those that told how many bytes they are.
TEST(Dispatch, PanelsThatAreReadAgainAreKept) {
  WorkerPool workers(1);
  if (workers.panelSizes().most < size_t{40} << 20) {
    GTEST_SKIP() << "memory for " << workers.panelSizes().most << " bytes of panels alone";
  }
  Timeline stop;
  auto kernel = makeKernel(packingKernel);
  kernel->shares_panels = true;
  for (uint32_t packed_twice : {8, 0}) {
    Panels panels;
    runDispatch(*kernel, *makeArgs(panels, {12, 12, 1}), workers, stop);
    EXPECT_EQ(panels.packed, 96 + packed_twice);
  }
}

struct Threads {
  std::atomic<uint32_t> elsewhere = 0;
  std::thread::id caller = std::this_thread::get_id();
};

void threadKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
                  uint32_t) {
  Threads& threads = stateOf<Threads>(args);
  if (std::this_thread::get_id() != threads.caller) ++threads.elsewhere;
}

TEST_P(DispatchTest, CheapDispatchesStayOnTheCallingThread) {
  auto kernel = makeKernel(threadKernel);
  int inline_dispatches = 0;
  for (int i = 0; i < 50; ++i) {
    Threads threads;
    runDispatch(*kernel, *makeArgs(threads, {8, 1, 1}), workers_, stop_);
    inline_dispatches += threads.elsewhere == 0;
  }
  EXPECT_GE(inline_dispatches, 40);  // all, but for those that were interrupted
}

struct Stopping {
  Timeline& stop;
  std::atomic<uint64_t> count = 0;
};

void stoppingKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
                    uint32_t) {
  Stopping& stopping = stateOf<Stopping>(args);
  if (++stopping.count == 100) stopping.stop.signal(1);
}

TEST_P(DispatchTest, HugeGridsEndEarlyWhenStopped) {
  Stopping stopping{stop_};
  Grid grid{~0u, 65535, 65535};  // more than could ever be run
  runDispatch(*makeKernel(stoppingKernel), *makeArgs(stopping, grid), workers_, stop_);
  EXPECT_GE(stopping.count, 100u);
}

struct Memory {
  std::atomic<uint32_t> failures = 0;
  uint32_t shared_bytes, scratch_bytes;
};

void memoryKernel(const DispatchArgs* args, const WorkgroupMemory* memory, uint32_t x, uint32_t,
                  uint32_t, uint32_t) {
  Memory& state = stateOf<Memory>(args);
  auto aligned = [](const void* p) {
    return reinterpret_cast<uintptr_t>(p) % kWorkgroupMemoryAlignment == 0;
  };
  if (!aligned(memory->shared) || !aligned(memory->scratch)) ++state.failures;
  std::memset(memory->shared, int(x), state.shared_bytes);
  std::memset(memory->scratch, int(x + 1), state.scratch_bytes);
  burn(1'000);
  for (uint32_t i = 0; i < state.shared_bytes; i += 97) {
    if (memory->shared[i] != std::byte(x)) ++state.failures;
  }
  for (uint32_t i = 0; i < state.scratch_bytes; i += 97) {
    if (memory->scratch[i] != std::byte(x + 1)) ++state.failures;
  }
}

TEST_P(DispatchTest, WorkgroupsHaveMemoryOfTheirOwn) {
  for (uint32_t bytes : {100u, 3000u, 300'000u, 2'500'001u}) {
    Memory state{.shared_bytes = bytes / 3, .scratch_bytes = bytes};
    auto kernel = makeKernel(memoryKernel, state.shared_bytes, state.scratch_bytes);
    runDispatch(*kernel, *makeArgs(state, {40, 1, 1}), workers_, stop_);
    EXPECT_EQ(state.failures, 0u);
  }
}

#if defined(__SSE__)
constexpr uint32_t kStickyFlags = 0x3f;

struct Control {
  std::atomic<uint32_t> wrong = 0;
};

void controlKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
                   uint32_t) {
  burn(2'000);
  if ((__builtin_ia32_stmxcsr() & ~kStickyFlags) != 0x1f80) ++stateOf<Control>(args).wrong;
}

TEST_P(DispatchTest, SetsAndRestoresMxcsr) {
  const uint32_t saved = __builtin_ia32_stmxcsr();
  constexpr uint32_t kFlushToZero = 0x9fc0;
  __builtin_ia32_ldmxcsr(kFlushToZero);
  Control control;
  runDispatch(*makeKernel(controlKernel), *makeArgs(control, {200, 1, 1}), workers_, stop_);
  const uint32_t after = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(saved);
  EXPECT_EQ(control.wrong, 0u);
  EXPECT_EQ(after & ~kStickyFlags, kFlushToZero);
}
#endif

}  // namespace
}  // namespace rt

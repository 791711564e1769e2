// SPDX-License-Identifier: Apache-2.0

// Every command, alone and in order.
#include "runtime/execute.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "runtime/check/checker.h"
#include "runtime/pages.h"
#include "tests/runtime/test_kernel.h"

namespace rt {
namespace {

using test::makeArgs;
using test::makeDispatch;
using test::makeKernel;
using test::makeList;
using test::stateOf;

class ExecuteTest : public testing::Test {
 protected:
  void run(const std::shared_ptr<const CommandList>& list) { execute(*list, workers_, stop_); }

  WorkerPool workers_{2};
  Timeline stop_;
};

std::byte* bytesOf(auto& container) { return reinterpret_cast<std::byte*>(container.data()); }

struct Total {
  std::atomic<uint64_t> workgroups = 0;
  uint32_t size[3] = {};
};

void totalKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
                 uint32_t) {
  Total& total = stateOf<Total>(args);
  if (total.workgroups++ == 0) std::copy_n(args->workgroup_count, 3, total.size);
}

TEST_F(ExecuteTest, Dispatch) {
  Total total;
  run(makeList(makeDispatch(makeKernel(totalKernel), total, {3, 4, 5})));
  EXPECT_EQ(total.workgroups, 60u);
}

TEST_F(ExecuteTest, DispatchIndirectReadsTheGridWhenItRuns) {
  Total total;
  std::array<uint32_t, 4> memory{99, 0, 0, 0};
  const std::array<uint32_t, 3> grid{2, 3, 7};
  std::vector<std::byte> data(12);
  std::memcpy(data.data(), grid.data(), 12);
  // From an address that is not aligned, too.
  std::byte* at = bytesOf(memory) + 1;
  run(makeList(UpdateBuffer{at, data},
               DispatchIndirect{makeKernel(totalKernel), makeArgs(total, {0, 0, 0}), at}));
  EXPECT_EQ(total.workgroups, 42u);
  EXPECT_EQ(total.size[0], 2u);
  EXPECT_EQ(total.size[2], 7u);
}

TEST_F(ExecuteTest, DispatchIndirectOfMoreThanTheLimitRunsTheLimit) {
  Total total;
  std::array<uint32_t, 3> grid{1, kMaxWorkgroupCount[1] + 1, 1};
  run(makeList(
      DispatchIndirect{makeKernel(totalKernel), makeArgs(total, {0, 0, 0}), bytesOf(grid)}));
  EXPECT_EQ(total.workgroups, kMaxWorkgroupCount[1]);
  EXPECT_EQ(total.size[1], kMaxWorkgroupCount[1]);
}

TEST_F(ExecuteTest, CopyBuffer) {
  for (size_t count : {size_t{0}, size_t{1}, size_t{1000}, (size_t{5} << 20) + 3}) {
    std::vector<uint8_t> source(count), destination(count + 1, 0xee);
    std::iota(source.begin(), source.end(), uint8_t{3});
    run(makeList(CopyBuffer{bytesOf(destination), bytesOf(source), count}));
    EXPECT_TRUE(std::equal(source.begin(), source.end(), destination.begin()));
    EXPECT_EQ(destination.back(), 0xee);
  }
}

TEST_F(ExecuteTest, FillBuffer) {
  for (uint32_t value : {0u, 0xffffffffu, 0x12345678u}) {
    for (size_t count : {size_t{0}, size_t{3}, (size_t{3} << 20) / 4 + 5}) {
      std::vector<uint32_t> memory(count + 1, 7);
      run(makeList(FillBuffer{bytesOf(memory), count * 4, value}));
      for (size_t i = 0; i < count; ++i) ASSERT_EQ(memory[i], value);
      EXPECT_EQ(memory.back(), 7u);
    }
  }
}

// What commands write is defined, and a copy is as defined as its source.
TEST_F(ExecuteTest, TheUninitCheckHearsOfWrites) {
  CheckSet checks;
  checks.add(Check::Uninit);
  Checker checker({.checks = checks}, [](const Finding&) {});
  std::byte* memory = allocatePages(kPageBytes);
  const auto address = reinterpret_cast<uintptr_t>(memory);
  ASSERT_TRUE(checker.shadow().add(address, kPageBytes, false));
  const auto list =
      makeList(FillBuffer{memory, 8, 1}, UpdateBuffer{memory + 100, std::vector<std::byte>(4)},
               CopyBuffer{memory + 200, memory + 4, 8});
  execute(*list, workers_, stop_, nullptr, &checker);
  auto undefined = [&](uint64_t offset) { return checker.shadow().isUndefined(address + offset); };
  EXPECT_FALSE(undefined(7));
  EXPECT_TRUE(undefined(8));
  EXPECT_FALSE(undefined(103));
  EXPECT_TRUE(undefined(104));
  EXPECT_FALSE(undefined(203));
  EXPECT_TRUE(undefined(204));
  checker.shadow().remove(address, kPageBytes);
  freePages(memory, kPageBytes);
}

TEST_F(ExecuteTest, CommandsTakeEffectInOrder) {
  std::array<uint32_t, 4> first{}, second{};
  auto secondary = makeList(CopyBuffer{bytesOf(second), bytesOf(first), 16});
  run(makeList(FillBuffer{bytesOf(first), 16, 1}, PipelineBarrier{}, ExecuteCommands{secondary},
               FillBuffer{bytesOf(first), 8, 2}, ExecuteCommands{makeList(PipelineBarrier{})},
               CopyBuffer{bytesOf(second) + 8, bytesOf(first), 8}));
  EXPECT_EQ(second, (std::array<uint32_t, 4>{1, 1, 2, 2}));
}

TEST_F(ExecuteTest, Events) {
  auto event = std::make_shared<Event>(), other = std::make_shared<Event>();
  run(makeList(SetEvent{event}, WaitEvents{{event}}));
  EXPECT_TRUE(event->isSet());
  run(makeList(ResetEvent{event}));
  EXPECT_FALSE(event->isSet());

  std::thread host([&] {
    event->set();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    other->set();
  });
  uint32_t value = 0;
  run(makeList(WaitEvents{{event, other}}, FillBuffer{reinterpret_cast<std::byte*>(&value), 4, 5}));
  EXPECT_EQ(value, 5u);
  host.join();
}

TEST_F(ExecuteTest, StoppedWaitEndsTheList) {
  std::thread stopper([&] { stop_.signal(1); });
  uint32_t value = 0;
  run(makeList(WaitEvents{{std::make_shared<Event>()}},
               FillBuffer{reinterpret_cast<std::byte*>(&value), 4, 5}));
  EXPECT_EQ(value, 0u);
  stopper.join();
}

TEST_F(ExecuteTest, CopyMemoryIndirectReadsTheRegionsWhenItRuns) {
  std::array<uint32_t, 4> source{1, 2, 3, 4}, destination{};
  // Two regions, with something between; the first comes with the list.
  std::array<uint64_t, 8> regions{0,
                                  0,
                                  0,
                                  99,
                                  reinterpret_cast<uintptr_t>(&source[3]),
                                  reinterpret_cast<uintptr_t>(&destination[0]),
                                  4,
                                  99};
  const std::array<uint64_t, 3> first{reinterpret_cast<uintptr_t>(&source[0]),
                                      reinterpret_cast<uintptr_t>(&destination[2]), 8};
  std::vector<std::byte> data(sizeof first);
  std::memcpy(data.data(), first.data(), sizeof first);
  run(makeList(UpdateBuffer{bytesOf(regions), data},
               CopyMemoryIndirect{bytesOf(regions), 4 * sizeof(uint64_t), 2}));
  EXPECT_EQ(destination, (std::array<uint32_t, 4>{4, 0, 1, 2}));
}

TEST_F(ExecuteTest, Timestamps) {
  auto pool = std::make_shared<QueryPool>(3);
  std::array<uint64_t, 4> results{1, 1, 1, 1};
  uint64_t before = now();
  run(makeList(ResetQueries{pool, 0, 3}, WriteTimestamp{pool, 0}, WriteTimestamp{pool, 1},
               CopyQueryResults{pool,
                                0,
                                2,
                                bytesOf(results),
                                16,
                                {.wide = true, .wait = true, .with_availability = true}}));
  EXPECT_GE(results[0], before);
  EXPECT_EQ(results[1], 1u);
  EXPECT_GE(results[2], results[0]);
  EXPECT_LE(results[2], now());
}

TEST_F(ExecuteTest, CountsInvocations) {
  auto pool = std::make_shared<QueryPool>(2);
  auto kernel = makeKernel(totalKernel);
  kernel->workgroup_size = {8, 2, 1};
  Total total;
  std::array<uint32_t, 3> grid{2, 3, 7};
  std::array<uint64_t, 2> results{};
  // A secondary command buffer counts for the queries around it.
  auto secondary = makeList(DispatchIndirect{kernel, makeArgs(total, {0, 0, 0}), bytesOf(grid)});
  run(makeList(makeDispatch(kernel, total, {5, 1, 1}), BeginQuery{pool, 0},
               makeDispatch(kernel, total, {3, 1, 1}), BeginQuery{pool, 1},
               ExecuteCommands{secondary}, EndQuery{pool, 0},
               makeDispatch(kernel, total, {0, 1, 1}), EndQuery{pool, 1},
               CopyQueryResults{pool, 0, 2, bytesOf(results), 8, {.wide = true, .wait = true}}));
  EXPECT_EQ(results[0], 16u * (3 + 42));
  EXPECT_EQ(results[1], 16u * 42);
}

}  // namespace
}  // namespace rt

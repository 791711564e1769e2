// SPDX-License-Identifier: Apache-2.0

#include "runtime/queue.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "runtime/device.h"
#include "tests/runtime/test_kernel.h"

namespace rt {
namespace {

using test::makeDispatch;
using test::makeKernel;
using test::makeList;
using test::stateOf;
using test::waitFor;

std::shared_ptr<Timeline> makeTimeline() { return std::make_shared<Timeline>(); }

class QueueTest : public testing::Test {
 protected:
  void submit(Submission submission) {
    std::vector<Submission> one;
    one.push_back(std::move(submission));
    device_.queue().submit(std::move(one));
  }
  WaitResult waitIdle() { return waitFor(device_.queue().idlePoint()); }

  Device device_{{}};
};

struct Log {
  std::vector<uint32_t> entries;  // ordered by the queue
};

struct Entry {
  Log& log;
  uint32_t number;
};

void logKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
               uint32_t) {
  Entry& entry = stateOf<Entry>(args);
  entry.log.entries.push_back(entry.number);
}

TEST_F(QueueTest, IdleAtFirst) {
  EXPECT_EQ(waitFor(device_.queue().idlePoint(), 0), WaitResult::Reached);
}

TEST_F(QueueTest, EmptySubmissionsSignalAtOnce) {
  auto done = makeTimeline();
  submit({{}, {}, {{done, 1}}});
  EXPECT_EQ(done->value(), 1u);
  device_.queue().submit({});
}

TEST_F(QueueTest, SubmissionsRunInOrder) {
  constexpr uint32_t kCount = 500;
  auto kernel = makeKernel(logKernel);
  auto done = makeTimeline();
  Log log;
  std::vector<Entry> entries;
  entries.reserve(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    entries.push_back({log, i});
    submit({{}, {makeList(makeDispatch(kernel, entries[i], {1, 1, 1}))}, {{done, i + 1}}});
    if (i % 3 == 0) submit({{}, {}, {{done, i + 1}}});
  }
  EXPECT_EQ(waitFor({done, kCount}), WaitResult::Reached);
  ASSERT_EQ(log.entries.size(), kCount);
  for (uint32_t i = 0; i < kCount; ++i) EXPECT_EQ(log.entries[i], i);
  EXPECT_EQ(waitIdle(), WaitResult::Reached);
}

TEST_F(QueueTest, WaitsForTheHostAndKeepsTheOrderMeanwhile) {
  auto host = makeTimeline(), done = makeTimeline();
  submit({{{host, 3}}, {}, {{done, 1}}});
  submit({{}, {}, {{done, 2}}});
  EXPECT_EQ(waitFor({done, 1}, 3'000'000), WaitResult::TimedOut);
  host->signal(2);
  EXPECT_EQ(waitFor({done, 1}, 1'000'000), WaitResult::TimedOut);
  host->signal(3);
  EXPECT_EQ(waitFor({done, 2}), WaitResult::Reached);
}

TEST_F(QueueTest, OneListMayBeSubmittedManyTimes) {
  Log log;
  Entry entry{log, 7};
  auto list = makeList(makeDispatch(makeKernel(logKernel), entry, {1, 1, 1}));
  for (int i = 0; i < 50; ++i) submit({{}, {list, list}, {}});
  EXPECT_EQ(waitIdle(), WaitResult::Reached);
  EXPECT_EQ(log.entries.size(), 100u);
}

TEST_F(QueueTest, OneListMayRunOnTwoDevicesAtOnce) {
  std::atomic<uint32_t> count = 0;
  auto list = makeList(makeDispatch(
      makeKernel([](const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
                    uint32_t) { ++stateOf<std::atomic<uint32_t>>(args); }),
      count, {1000, 1, 1}));
  Device other({});
  for (int i = 0; i < 20; ++i) {
    submit({{}, {list}, {}});
    std::vector<Submission> one(1);
    one[0].lists.push_back(list);
    other.queue().submit(std::move(one));
  }
  EXPECT_EQ(waitIdle(), WaitResult::Reached);
  EXPECT_EQ(waitFor(other.queue().idlePoint()), WaitResult::Reached);
  EXPECT_EQ(count, 40'000u);
}

TEST_F(QueueTest, ManyThreadsMaySubmit) {
  auto done = makeTimeline();
  std::atomic<uint32_t> count = 0;
  auto list = makeList(makeDispatch(
      makeKernel([](const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
                    uint32_t) { ++stateOf<std::atomic<uint32_t>>(args); }),
      count, {2, 1, 1}));
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        Event fence;
        submit({{}, {list}, {fence.point()}});
        EXPECT_EQ(waitFor(fence.point()), WaitResult::Reached);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 600u);
}

TEST_F(QueueTest, LetsGoOfListsBeforeItSignals) {
  for (int i = 0; i < 100; ++i) {
    auto code = std::make_shared<int>();
    auto kernel = makeKernel(logKernel);
    kernel->code = code;
    Log log;
    Entry entry{log, 0};
    Event fence;
    submit({{}, {makeList(makeDispatch(std::move(kernel), entry, {1, 1, 1}))}, {fence.point()}});
    EXPECT_EQ(waitFor(fence.point()), WaitResult::Reached);
    EXPECT_EQ(code.use_count(), 1);
  }
}

TEST_F(QueueTest, AFailureLosesTheDeviceAndNothingElse) {
  std::string message;
  auto log = std::make_shared<rt::Log>(LogLevel::Off);
  log->setSink([&](LogLevel, std::string_view text) { message = text; });
  Device device({.log = log});
  int state = 0;
  auto done = makeTimeline();
  auto failing = makeKernel([](const DispatchArgs*, const WorkgroupMemory*, uint32_t, uint32_t,
                               uint32_t, uint32_t) { throw std::runtime_error("for the test"); });
  std::vector<Submission> batches(3);
  batches[0].lists.push_back(makeList(makeDispatch(failing, state, {1, 1, 1})));
  batches[0].signals.push_back({done, 1});
  batches[1].waits.push_back({makeTimeline(), 1});  // never
  batches[1].signals.push_back({done, 2});
  batches[2].signals.push_back({done, 3});
  device.queue().submit(std::move(batches));
  EXPECT_EQ(waitFor({done, 3}), WaitResult::Reached);
  EXPECT_TRUE(device.lost());
  EXPECT_EQ(waitFor({makeTimeline(), 1}, kForever, &device.lostSignal()), WaitResult::Cancelled);
  EXPECT_EQ(waitFor(device.queue().idlePoint()), WaitResult::Reached);
  EXPECT_EQ(message, "device lost: for the test");
}

struct ThreadState {
  char name[16] = {};
  sigset_t mask;
  size_t stack_bytes = 0;
};

void threadKernel(const DispatchArgs* args, const WorkgroupMemory*, uint32_t, uint32_t, uint32_t,
                  uint32_t) {
  ThreadState& state = stateOf<ThreadState>(args);
  pthread_getname_np(pthread_self(), state.name, sizeof state.name);
  pthread_sigmask(SIG_SETMASK, nullptr, &state.mask);
  pthread_attr_t attributes;
  pthread_getattr_np(pthread_self(), &attributes);
  void* stack;
  pthread_attr_getstack(&attributes, &stack, &state.stack_bytes);
  pthread_attr_destroy(&attributes);
}

TEST_F(QueueTest, ItsThreadHasManners) {
  ThreadState state;
  submit({{}, {makeList(makeDispatch(makeKernel(threadKernel), state, {1, 1, 1}))}, {}});
  EXPECT_EQ(waitIdle(), WaitResult::Reached);
  EXPECT_STREQ(state.name, "tessera-queue");
  EXPECT_TRUE(sigismember(&state.mask, SIGINT));
  EXPECT_TRUE(sigismember(&state.mask, SIGALRM));
  EXPECT_FALSE(sigismember(&state.mask, SIGSEGV));
  EXPECT_GE(state.stack_bytes, size_t{8} << 20);
  sigset_t own;
  pthread_sigmask(SIG_SETMASK, nullptr, &own);
  EXPECT_FALSE(sigismember(&own, SIGINT));
}

}  // namespace
}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

#include "runtime/timeline.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "tests/runtime/test_kernel.h"

namespace rt {
namespace {

using test::kSoon;
using test::waitFor;

constexpr uint64_t kMillisecond = 1'000'000;

std::shared_ptr<Timeline> makeTimeline(uint64_t value = 0) {
  return std::make_shared<Timeline>(value);
}

TEST(Timeline, OnlyRises) {
  Timeline timeline(5);
  timeline.signal(3);
  EXPECT_EQ(timeline.value(), 5u);
  timeline.signal(9);
  EXPECT_EQ(timeline.value(), 9u);
  timeline.advance();
  EXPECT_EQ(timeline.value(), 10u);
}

TEST(Timeline, LooksWithoutWaiting) {
  auto timeline = makeTimeline(4);
  EXPECT_EQ(waitFor({timeline, 4}, 0), WaitResult::Reached);
  EXPECT_EQ(waitFor({timeline, 5}, 0), WaitResult::TimedOut);
  EXPECT_EQ(wait({}, WaitMode::All, 0), WaitResult::Reached);
  EXPECT_EQ(wait({}, WaitMode::Any, 0), WaitResult::Reached);
}

TEST(Timeline, AnyAndAll) {
  auto first = makeTimeline(1), second = makeTimeline(0);
  TimelinePoint points[] = {{first, 1}, {second, 1}};
  EXPECT_EQ(wait(points, WaitMode::Any, 0), WaitResult::Reached);
  EXPECT_EQ(wait(points, WaitMode::All, 0), WaitResult::TimedOut);
  second->signal(1);
  EXPECT_EQ(wait(points, WaitMode::All, 0), WaitResult::Reached);
}

TEST(Timeline, TimesOutNotBeforeTheDeadline) {
  auto timeline = makeTimeline();
  for (uint64_t timeout : {uint64_t{1}, 2'000 * uint64_t{1}, 10 * kMillisecond}) {
    uint64_t start = now();
    EXPECT_EQ(waitFor({timeline, 1}, timeout), WaitResult::TimedOut);
    EXPECT_GE(now() - start, timeout);
  }
}

TEST(Timeline, HugeTimeoutsAreForEver) {
  EXPECT_EQ(deadlineAfter(UINT64_MAX), kForever);
  EXPECT_EQ(deadlineAfter(UINT64_MAX - 1), kForever);
  EXPECT_EQ(deadlineAfter(0), 0u);
  auto timeline = makeTimeline();
  std::thread signaller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    timeline->signal(1);
  });
  // Later than the system's clock can say.
  EXPECT_EQ(waitFor({timeline, 1}, uint64_t{INT64_MAX} + 5), WaitResult::Reached);
  signaller.join();
}

TEST(Timeline, WakesManyWaiters) {
  constexpr int kWaiters = 24;
  auto timeline = makeTimeline(), other = makeTimeline();
  std::atomic<int> reached = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kWaiters; ++i) {
    threads.emplace_back([&, i] {
      TimelinePoint points[] = {{timeline, uint64_t(i) + 1}, {other, uint64_t(i) + 1}};
      WaitMode mode = i % 2 ? WaitMode::All : WaitMode::Any;
      if (wait(points, mode, deadlineAfter(kSoon)) == WaitResult::Reached) ++reached;
    });
  }
  for (int i = 1; i <= kWaiters; ++i) {
    timeline->advance();
    std::this_thread::yield();
    other->signal(uint64_t(i));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(reached, kWaiters);
}

TEST(Timeline, PassesWritesToTheWaiter) {
  for (int i = 0; i < 200; ++i) {
    auto there = makeTimeline(), back = makeTimeline();
    int data = 0;
    std::thread thread([&] {
      EXPECT_EQ(waitFor({there, 1}), WaitResult::Reached);
      EXPECT_EQ(data, 1);
      data = 2;
      back->signal(1);
    });
    data = 1;
    there->signal(1);
    EXPECT_EQ(waitFor({back, 1}), WaitResult::Reached);
    EXPECT_EQ(data, 2);
    thread.join();
  }
}

TEST(Timeline, CancelEndsAWait) {
  auto timeline = makeTimeline();
  Timeline cancel;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel.signal(1);
  });
  EXPECT_EQ(waitFor({timeline, 1}, kSoon, &cancel), WaitResult::Cancelled);
  canceller.join();
  EXPECT_EQ(waitFor({timeline, 1}, 0, &cancel), WaitResult::Cancelled);
  timeline->signal(1);
  EXPECT_EQ(waitFor({timeline, 1}, 0, &cancel), WaitResult::Reached);
}

TEST(Timeline, SignalsOfTheSystemDoNotEndAWait) {
  struct sigaction action = {}, saved;
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, &saved);  // without SA_RESTART
  auto timeline = makeTimeline();
  std::atomic<bool> ended = false;
  std::thread waiter([&] {
    EXPECT_EQ(waitFor({timeline, 1}), WaitResult::Reached);
    ended = true;
  });
  for (int i = 0; i < 20; ++i) {
    pthread_kill(waiter.native_handle(), SIGUSR1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(ended);
  timeline->signal(1);
  waiter.join();
  sigaction(SIGUSR1, &saved, nullptr);
}

TEST(Timeline, MayGoAsSoonAsTheWaiterKnows) {
  for (int i = 0; i < 200; ++i) {
    auto timeline = makeTimeline();
    std::thread signaller([timeline] { timeline->signal(1); });
    EXPECT_EQ(waitFor({timeline, 1}), WaitResult::Reached);
    timeline.reset();
    signaller.join();
  }
}

}  // namespace
}  // namespace rt

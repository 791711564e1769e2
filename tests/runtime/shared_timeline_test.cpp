// SPDX-License-Identifier: Apache-2.0

#include "runtime/shared_timeline.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "runtime/event.h"
#include "tests/runtime/test_kernel.h"

namespace rt {
namespace {

using test::kSoon;
using test::waitFor;

constexpr uint64_t kMillisecond = 1'000'000;

std::shared_ptr<Timeline> makeShared(SharedKind kind = SharedKind::TimelineSemaphore,
                                     uint64_t value = 0, uint64_t target = 0) {
  return std::make_shared<Timeline>(*SharedTimeline::create(kind, value, target));
}

std::shared_ptr<Timeline> importOf(const Timeline& timeline,
                                   SharedKind kind = SharedKind::TimelineSemaphore) {
  return std::make_shared<Timeline>(*SharedTimeline::adopt(timeline.file()->duplicate(), kind));
}

// Runs `body` in a process of its own; true if it says so.
bool inAnotherProcess(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(SharedTimeline, IsTheSameForAll) {
  auto first = makeShared(SharedKind::TimelineSemaphore, 5, 7);
  auto second = importOf(*first);
  EXPECT_EQ(second->value(), 5u);
  EXPECT_EQ(second->target(), 7u);
  second->signal(9);
  second->target() = 10;
  second->signal(8);
  EXPECT_EQ(first->value(), 9u);
  EXPECT_EQ(first->target(), 10u);
  first->advance();
  first.reset();
  EXPECT_EQ(second->value(), 10u);
}

TEST(SharedTimeline, WakesThoseWhoSleepOnAnyOfItsTimelines) {
  auto first = makeShared(), second = importOf(*first), third = importOf(*second);
  auto own = std::make_shared<Timeline>();
  std::vector<std::thread> waiters;
  for (const auto& timeline : {first, second, third}) {
    waiters.emplace_back([&, timeline] {
      // In steps: each sleep ends with the signal that it is for.
      for (uint64_t value = 1; value <= 20; ++value) {
        const TimelinePoint points[] = {{timeline, value}, {own, 1}};
        EXPECT_EQ(wait(points, WaitMode::Any, deadlineAfter(kSoon)), WaitResult::Reached);
        EXPECT_GE(timeline->value(), value);
      }
    });
  }
  for (uint64_t value = 1; value <= 20; ++value) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    (value % 2 ? first : second)->signal(value);
  }
  for (std::thread& waiter : waiters) waiter.join();
}

// Of points that are waited for together, some are signalled through the system, some are not.
TEST(SharedTimeline, OwnTimelinesWakeTheSameSleeper) {
  auto shared = makeShared(), signaller = importOf(*shared);
  auto first = std::make_shared<Timeline>(), second = std::make_shared<Timeline>();
  std::thread thread([&] {
    for (Timeline* timeline : {first.get(), signaller.get(), second.get()}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      timeline->signal(1);
    }
  });
  const TimelinePoint points[] = {{shared, 1}, {first, 1}, {second, 1}};
  EXPECT_EQ(wait(points, WaitMode::All, deadlineAfter(kSoon)), WaitResult::Reached);
  thread.join();
}

TEST(SharedTimeline, TimesOut) {
  auto shared = makeShared();
  const uint64_t start = now();
  EXPECT_EQ(waitFor({shared, 1}, 3 * kMillisecond), WaitResult::TimedOut);
  EXPECT_GE(now() - start, 3 * kMillisecond);
}

// More than the system can sleep on at once.
TEST(SharedTimeline, ManyAtOnce) {
  std::vector<TimelinePoint> points;
  for (int i = 0; i < 200; ++i) points.push_back({makeShared(), 1});
  EXPECT_EQ(wait(points, WaitMode::Any, deadlineAfter(3 * kMillisecond)), WaitResult::TimedOut);
  auto last = importOf(*points.back().timeline);
  std::thread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    last->signal(1);
  });
  EXPECT_EQ(wait(points, WaitMode::Any, deadlineAfter(kSoon)), WaitResult::Reached);
  thread.join();
}

TEST(SharedTimeline, ProcessesWakeEachOther) {
  auto mine = makeShared();
  std::thread partner([&] {
    EXPECT_EQ(waitFor({mine, 1}, kSoon), WaitResult::Reached);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    mine->signal(2);
  });
  EXPECT_TRUE(inAnotherProcess([&] {
    auto theirs = importOf(*mine);
    usleep(3000);
    theirs->signal(1);
    return waitFor({theirs, 2}, kSoon) == WaitResult::Reached;
  }));
  partner.join();
}

TEST(SharedTimeline, AnEventIsResetForAll) {
  Event first(makeShared(SharedKind::Fence, 0, 1));
  Event second(importOf(*first.point().timeline, SharedKind::Fence));
  EXPECT_FALSE(second.isSet());
  first.set();
  EXPECT_TRUE(second.isSet());
  second.reset();
  EXPECT_FALSE(first.isSet());
  first.reset();
  second.set();
  EXPECT_TRUE(first.isSet());
}

TEST(SharedTimeline, OtherFilesAreNotTakenOver) {
  auto fence = makeShared(SharedKind::Fence);
  const int file = fence->file()->duplicate();
  EXPECT_FALSE(SharedTimeline::adopt(file, SharedKind::BinarySemaphore));
  EXPECT_NE(fcntl(file, F_GETFD), -1);
  close(file);
  // Memory of the same size.
  auto memory = SharedFile::create(64);
  ASSERT_TRUE(memory);
  EXPECT_FALSE(SharedTimeline::adopt(memory->descriptor(), SharedKind::Fence));
  EXPECT_NE(fcntl(memory->descriptor(), F_GETFD), -1);
  EXPECT_FALSE(SharedTimeline::adopt(-1, SharedKind::Fence));
}

}  // namespace
}  // namespace rt

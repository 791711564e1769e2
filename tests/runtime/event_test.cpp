// SPDX-License-Identifier: Apache-2.0

#include "runtime/event.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/runtime/test_kernel.h"

namespace rt {
namespace {

TEST(Event, SetsAndResets) {
  Event event;
  EXPECT_FALSE(event.isSet());
  event.set();
  EXPECT_TRUE(event.isSet());
  event.set();
  event.reset();
  EXPECT_FALSE(event.isSet());
  event.reset();
  EXPECT_FALSE(event.isSet());
  event.set();
  EXPECT_TRUE(event.isSet());
}

TEST(Event, MayBeginSet) {
  Event event(true);
  EXPECT_TRUE(event.isSet());
  EXPECT_EQ(test::waitFor(event.point(), 0), WaitResult::Reached);
  event.reset();
  EXPECT_FALSE(event.isSet());
}

TEST(Event, SignallingItsPointSetsIt) {
  Event event;
  for (int i = 0; i < 3; ++i) {
    TimelinePoint point = event.point();
    point.timeline->signal(point.value);
    EXPECT_TRUE(event.isSet());
    event.reset();
    EXPECT_FALSE(event.isSet());
    point.timeline->signal(point.value);
    EXPECT_FALSE(event.isSet()) << "an old point must not set it again";
  }
}

TEST(Event, WakesWaiters) {
  Event event;
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    event.set();
  });
  EXPECT_EQ(test::waitFor(event.point()), WaitResult::Reached);
  setter.join();
}

}  // namespace
}  // namespace rt

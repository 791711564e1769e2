// SPDX-License-Identifier: Apache-2.0

#include "runtime/spin.h"

#include <gtest/gtest.h>

namespace rt {
namespace {

TEST(LatelyAverageTest, FollowsWhatIsAdded) {
  LatelyAverage average(1'000, 10'000);
  EXPECT_EQ(average.value(), 1'000u);
  average.add(2'000);
  EXPECT_EQ(average.value(), 1'250u);
  for (int i = 0; i < 100; ++i) average.add(1'000'000);
  EXPECT_GT(average.value(), 9'000u);
  EXPECT_LE(average.value(), 10'000u) << "of one, only so much counts";
}

TEST(SpinPlaceTest, LooksForTwoWakeUpsWhereWaitsAreShort) {
  const uint64_t two = std::max<uint64_t>(2 * wake_up_nanoseconds.value(), 15'000);
  SpinPlace place;
  EXPECT_EQ(place.nanoseconds(), two) << "at first too";
  for (int i = 0; i < 20; ++i) place.add(10'000'000);
  EXPECT_EQ(place.nanoseconds(), 15'000u);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(place.spinUntil([] { return true; }));
  EXPECT_EQ(place.nanoseconds(), two) << "they are short again";
}

TEST(SpinPlaceTest, EndsWithoutWhatItLooksFor) {
  SpinPlace place;
  const uint64_t begin = now();
  EXPECT_FALSE(place.spinUntil([] { return false; }));
  EXPECT_GE(now() - begin, place.nanoseconds());
}

TEST(SpinPlaceTest, EndsAtADeadline) {
  SpinPlace place;
  int calls = 0;
  EXPECT_FALSE(place.spinUntil(
      [&calls] {
        ++calls;
        return false;
      },
      now()));
  EXPECT_EQ(calls, 4) << "looked at once, without a pause for others";
}

}  // namespace
}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/barrier_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr BarrierRecord::Site kA = "a", kB = "b", kAlways = "always";

// Two streams that go from barrier to barrier in turn; `always` is known to be everybody's.
std::vector<BarrierRecord::Site> found(const std::vector<BarrierRecord::Site>& first,
                                       const std::vector<BarrierRecord::Site>& second) {
  BarrierRecord record;
  record.begin(2);
  const std::vector<BarrierRecord::Site>* streams[] = {&first, &second};
  std::vector<BarrierRecord::Site> wrong;
  for (size_t round = 0; round <= std::max(first.size(), second.size()); ++round)
    for (uint32_t stream = 0; stream < 2; ++stream) {
      const auto& sites = *streams[stream];
      if (round < sites.size()) record.arrive(stream, sites[round], sites[round] != kAlways, true);
      if (round == sites.size())
        for (BarrierRecord::Site site : record.end(stream)) wrong.push_back(site);
    }
  return wrong;
}

TEST(BarrierRecord, TheSameOnesAreRight) {
  EXPECT_THAT(found({}, {}), IsEmpty());
  EXPECT_THAT(found({kA, kB, kA}, {kA, kB, kA}), IsEmpty());
}

TEST(BarrierRecord, FindsTheOneThatAStreamLacks) {
  EXPECT_THAT(found({kA}, {}), ElementsAre(kA));
  EXPECT_THAT(found({kA, kA}, {kA, kA, kA}), ElementsAre(kA));
  EXPECT_THAT(found({kA, kB, kB}, {kB, kB}), ElementsAre(kA)) << "those behind it are shifted";
  EXPECT_THAT(found({kA, kAlways}, {kAlways}), ElementsAre(kA));
}

TEST(BarrierRecord, FindsOthersInOneRound) {
  EXPECT_THAT(found({kA}, {kB}), UnorderedElementsAre(kA, kB));
  EXPECT_THAT(found({kA, kB}, {kB, kA}), UnorderedElementsAre(kA, kB));
  EXPECT_THAT(found({kA, kAlways}, {kAlways, kA}), ElementsAre(kA));
}

TEST(BarrierRecord, ArrivalsAreCountedAndWaitForNobody) {
  BarrierRecord record;
  record.begin(2);
  record.arrive(0, kA, true, false);
  record.arrive(0, kB, true, true);
  record.arrive(1, kB, true, true);
  EXPECT_THAT(record.end(0), IsEmpty());
  EXPECT_THAT(record.end(1), ElementsAre(kA));
}

TEST(BarrierRecord, AWorkgroupThatWasEndedEarlyIsForgotten) {
  BarrierRecord record;
  record.begin(2);
  record.arrive(0, kA, true, true);
  record.begin(2);
  EXPECT_THAT(record.end(0), IsEmpty());
  EXPECT_THAT(record.end(1), IsEmpty());
}

}  // namespace
}  // namespace rt

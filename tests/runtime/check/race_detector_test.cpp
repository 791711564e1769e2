// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/race_detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace rt {
namespace {

constexpr uint64_t kBuffer = uint64_t{1} << 32;

// What was found: instructions, actors and addresses.
using Found = std::tuple<uint32_t, RaceActor, uint32_t, RaceActor, uint64_t>;

// Accesses to several words may be found at the first of them alone.
std::set<Found> byBlock(const std::vector<Found>& all) {
  std::set<Found> found;
  for (Found one : all) {
    std::get<4>(one) /= RacePage::kBlockBytes;
    found.insert(one);
  }
  return found;
}

struct Recorder {
  std::vector<Found> found;
  RaceDetector detector{[this](const Race& race) {
    found.emplace_back(race.before.site, race.before.actor, race.now.site, race.now.actor,
                       race.address);
  }};

  void store(RaceActor actor, const RaceLines& lines) {
    detector.access({.is_store = true}, actor, 0, 1, lines, false);
  }
  void load(RaceActor actor, const RaceLines& lines) {
    detector.access({}, actor, 0, 2, lines, false);
  }
};

TEST(RaceDetector, StoreIntoWhatManyWorkgroupsHaveLoadedIsFound) {
  Recorder recorder;
  RaceDetector& detector = recorder.detector;
  detector.orderCommands();
  detector.beginDispatch();
  // So many that nobody looks at single words any more.
  const RaceLines all{.address = kBuffer, .bytes = 64, .count = 8192, .stride = 64};
  for (uint32_t workgroup = 0; workgroup < 4; ++workgroup) {
    detector.beginStream({workgroup, 0, 0}, 0, 16);
    for (unsigned repeated = 0; repeated < 64; ++repeated) recorder.load(kSubgroupActor, all);
  }
  EXPECT_TRUE(recorder.found.empty());
  const uint64_t written = kBuffer + 300000;
  recorder.store(5, {.address = written, .bytes = 4});
  ASSERT_EQ(recorder.found.size(), 2u);  // with two of the loads
  EXPECT_EQ(std::get<4>(recorder.found[0]), written);
  recorder.found.clear();
  // And what loads it then.
  detector.beginStream({4, 0, 0}, 0, 16);
  recorder.load(kSubgroupActor, all);
  ASSERT_EQ(recorder.found.size(), 1u);
  EXPECT_EQ(std::get<4>(recorder.found[0]), written);
  EXPECT_EQ(std::get<0>(recorder.found[0]), 1u);
}

TEST(RaceDetector, OrderOfCommandsForgetsWhatManyWorkgroupsHaveLoaded) {
  Recorder recorder;
  RaceDetector& detector = recorder.detector;
  const RaceLines all{.address = kBuffer, .bytes = 64, .count = 8192, .stride = 64};
  for (unsigned command = 0; command < 2; ++command) {
    detector.orderCommands();
    detector.beginDispatch();
    for (uint32_t workgroup = 0; workgroup < 4; ++workgroup) {
      detector.beginStream({workgroup, 0, 0}, 0, 16);
      for (unsigned repeated = 0; repeated < 64; ++repeated) recorder.load(kSubgroupActor, all);
    }
  }
  detector.orderCommands();
  detector.beginDispatch();
  detector.beginStream({0, 0, 0}, 0, 16);
  recorder.store(5, {.address = kBuffer, .bytes = 4});
  EXPECT_TRUE(recorder.found.empty());
}

// Accesses to many words at once give what accesses to each of them give.
class RandomAccesses : public testing::TestWithParam<unsigned> {};

TEST_P(RandomAccesses, OfLinesAreAsThoseOfTheirWords) {
  std::mt19937 random(GetParam());
  auto below = [&](uint32_t end) { return static_cast<uint32_t>(random() % end); };
  const bool has_private = below(4) == 0;
  Recorder whole, parts;
  bool has_found = false;
  auto both = [&](auto&& act) {
    act(whole.detector);
    act(parts.detector);
  };
  for (unsigned command = 0; command < 3; ++command) {
    if (below(2) == 0) both([](RaceDetector& d) { d.orderCommands(); });
    both([](RaceDetector& d) { d.beginDispatch(); });
    for (uint32_t workgroup = 0; workgroup < 6; ++workgroup) {
      both([&](RaceDetector& d) { d.beginStream({workgroup, 0, 0}, 0, 16); });
      for (unsigned step = 0; step < 60; ++step) {
        if (below(8) == 0) {
          const bool shared = below(4) != 0, buffers = below(4) != 0, full = below(4) != 0;
          both([&](RaceDetector& d) { d.passBarrier(0, shared, buffers, full); });
          continue;
        }
        if (below(30) == 0) {
          both([&](RaceDetector& d) { d.passSubgroupBarrier(0, true, true); });
          continue;
        }
        const bool is_shared = below(2) == 0;
        RaceAccess access{.is_store = below(3) == 0};
        if (below(8) == 0) access.scope = static_cast<RaceAccess::Scope>(below(3));
        access.is_private = has_private && below(10) == 0;
        access.is_atomic = !access.is_private && below(12) == 0;
        access.is_matrix = !access.is_atomic && below(3) == 0;
        const auto actor =
            static_cast<RaceActor>(access.is_matrix ? kSubgroupActor + below(2) : below(32));
        const uint32_t bytes = below(6) == 0 ? 2 : 4 << below(4);
        const uint64_t place = uint64_t{below(40)} * (below(10) == 0 ? 256 : 32);
        RaceLines lines{.address = kBuffer + place,
                        .bytes = access.is_atomic ? 4 : bytes,
                        .count = access.is_atomic ? 1 : 1 + below(4),
                        .stride = 64 << below(3)};
        if (!access.is_atomic && !access.is_matrix && below(2) == 0) {
          constexpr uint32_t kLaneBytes[] = {2, 4, 8, 12, 16};
          lines.lane_bytes = kLaneBytes[below(5)];
          lines.bytes = lines.lane_bytes * (1 + below(16));
          lines.count = 1;
        }
        const uint32_t site = 1 + below(5);
        whole.detector.access(access, actor, 0, site, lines, is_shared);
        const uint32_t lane_bytes = lines.lane_bytes != 0 ? lines.lane_bytes : lines.bytes;
        const uint32_t word = std::min(lane_bytes, 4u);
        for (uint32_t line = 0; line < lines.count; ++line)
          for (uint32_t at = 0; at < lines.bytes; at += word)
            parts.detector.access(
                access, static_cast<RaceActor>(actor + at / lane_bytes), 0, site,
                {.address = lines.address + static_cast<uint64_t>(lines.stride) * line + at,
                 .bytes = word},
                is_shared);
        has_found |= !whole.found.empty();
        ASSERT_EQ(byBlock(whole.found), byBlock(parts.found))
            << "after step " << step << " of workgroup " << workgroup;
        whole.found.clear();
        parts.found.clear();
      }
    }
  }
  EXPECT_TRUE(has_found);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomAccesses, testing::Range(0u, 200u));

}  // namespace
}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

// What has happened before, as a set of accesses. Internal to the check of races.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

namespace rt {

// Accesses are told apart by segments, which are numbered through all workgroups in the order in
// which they run (race_detector.h), and within a segment by who made them.
class RaceClock {
 public:
  bool empty() const { return intervals_.empty() && parts_.empty(); }

  // All accesses of segments [begin, end).
  void addAll(uint32_t begin, uint32_t end);
  // Those of one actor in segments [begin, end).
  void add(uint32_t begin, uint32_t end, uint32_t actor);
  void add(const RaceClock& other);

  bool contains(uint32_t segment, uint32_t actor) const;

 private:
  struct Interval {
    uint32_t begin, end;
  };
  struct Part {
    uint32_t actor, begin, end;
    auto operator<=>(const Part&) const = default;
  };
  static bool touches(const Part& a, const Part& b) {
    return a.actor == b.actor && a.begin <= b.end && b.begin <= a.end;
  }
  static Part join(const Part& a, const Part& b) {
    return {.actor = a.actor, .begin = std::min(a.begin, b.begin), .end = std::max(a.end, b.end)};
  }
  void addInterval(uint32_t begin, uint32_t end);
  bool isInInterval(uint32_t begin, uint32_t end) const;

  // Ascending, with gaps between them: intervals, and the parts of each actor that no interval has
  // the whole of.
  std::vector<Interval> intervals_;
  std::vector<Part> parts_;
};

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

// What has happened before, as a set of accesses. Internal to the check of races.
#pragma once

#include <cstdint>
#include <vector>

namespace rt {

// Accesses are told apart by segments, which are numbered through all workgroups in the order in
// which they run (race_detector.h), and within a segment by who made them.
class RaceClock {
 public:
  bool empty() const { return intervals_.empty() && points_.empty(); }

  // All accesses of segments [begin, end).
  void addAll(uint32_t begin, uint32_t end);
  // Those of one actor in a segment.
  void add(uint32_t segment, uint32_t actor) {
    if (!contains(segment, actor)) points_.push_back({segment, actor});
  }
  void add(const RaceClock& other);

  bool contains(uint32_t segment, uint32_t actor) const;

 private:
  struct Interval {
    uint32_t begin, end;
  };
  struct Point {
    uint32_t segment, actor;
  };
  std::vector<Interval> intervals_;  // ascending, with gaps between them
  std::vector<Point> points_;        // that no interval has
};

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/race_clock.h"

#include <algorithm>

namespace rt {

void RaceClock::addAll(uint32_t begin, uint32_t end) {
  if (begin >= end) return;
  auto first = std::find_if(intervals_.begin(), intervals_.end(),
                            [&](const Interval& i) { return i.end >= begin; });
  auto last = first;
  for (; last != intervals_.end() && last->begin <= end; ++last) {
    begin = std::min(begin, last->begin);
    end = std::max(end, last->end);
  }
  first = intervals_.erase(first, last);
  intervals_.insert(first, {begin, end});
  std::erase_if(points_, [&](const Point& p) { return begin <= p.segment && p.segment < end; });
}

void RaceClock::add(const RaceClock& other) {
  for (const Interval& interval : other.intervals_) addAll(interval.begin, interval.end);
  for (const Point& point : other.points_) add(point.segment, point.actor);
}

bool RaceClock::contains(uint32_t segment, uint32_t actor) const {
  for (const Interval& interval : intervals_)
    if (interval.begin <= segment && segment < interval.end) return true;
  return std::any_of(points_.begin(), points_.end(),
                     [&](const Point& p) { return p.segment == segment && p.actor == actor; });
}

}  // namespace rt

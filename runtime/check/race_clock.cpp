// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/race_clock.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace rt {

void RaceClock::addInterval(uint32_t begin, uint32_t end) {
  auto first = std::lower_bound(intervals_.begin(), intervals_.end(), begin,
                                [](const Interval& i, uint32_t at) { return i.end < at; });
  auto last = first;
  for (; last != intervals_.end() && last->begin <= end; ++last) {
    begin = std::min(begin, last->begin);
    end = std::max(end, last->end);
  }
  first = intervals_.erase(first, last);
  intervals_.insert(first, {begin, end});
}

bool RaceClock::isInInterval(uint32_t begin, uint32_t end) const {
  auto after = std::upper_bound(intervals_.begin(), intervals_.end(), begin,
                                [](uint32_t at, const Interval& i) { return at < i.begin; });
  return after != intervals_.begin() && end <= std::prev(after)->end;
}

void RaceClock::addAll(uint32_t begin, uint32_t end) {
  if (begin >= end || isInInterval(begin, end)) return;
  addInterval(begin, end);
  std::erase_if(parts_, [&](const Part& p) { return isInInterval(p.begin, p.end); });
}

void RaceClock::add(uint32_t begin, uint32_t end, uint32_t actor) {
  if (begin >= end || isInInterval(begin, end)) return;
  const Part part{.actor = actor, .begin = begin, .end = end};
  auto first = std::lower_bound(parts_.begin(), parts_.end(), part);
  if (first != parts_.begin() && touches(*std::prev(first), part)) --first;
  Part joined = part;
  auto last = first;
  for (; last != parts_.end() && touches(*last, joined); ++last) joined = join(*last, joined);
  first = parts_.erase(first, last);
  parts_.insert(first, joined);
}

void RaceClock::add(const RaceClock& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  for (const Interval& interval : other.intervals_)
    if (!isInInterval(interval.begin, interval.end)) addInterval(interval.begin, interval.end);
  std::vector<Part> parts;
  parts.reserve(parts_.size() + other.parts_.size());
  std::merge(parts_.begin(), parts_.end(), other.parts_.begin(), other.parts_.end(),
             std::back_inserter(parts));
  parts_.clear();
  for (const Part& part : parts) {
    if (isInInterval(part.begin, part.end)) continue;
    if (!parts_.empty() && touches(parts_.back(), part))
      parts_.back() = join(parts_.back(), part);
    else
      parts_.push_back(part);
  }
}

bool RaceClock::contains(uint32_t segment, uint32_t actor) const {
  if (isInInterval(segment, segment + 1)) return true;
  auto after = std::upper_bound(parts_.begin(), parts_.end(),
                                Part{.actor = actor, .begin = segment, .end = ~0u});
  return after != parts_.begin() && std::prev(after)->actor == actor &&
         segment < std::prev(after)->end;
}

}  // namespace rt

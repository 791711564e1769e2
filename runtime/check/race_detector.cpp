// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/race_detector.h"

#include <algorithm>

namespace rt {

namespace {

constexpr uint32_t kMostSites = 0xffff;
// As long as nothing orders what is older.
constexpr size_t kMostWorkgroups = size_t{1} << 22;

}  // namespace

uint32_t RaceDetector::siteOf(const char* description) {
  KnownSite& known = known_sites_[reinterpret_cast<uintptr_t>(description) / 16 % kKnownSites];
  if (known.description == description) return known.number;
  auto [entry, is_new] =
      site_numbers_.try_emplace(description, static_cast<uint32_t>(sites_.size()));
  if (is_new) sites_.emplace_back(description);
  known = {description, std::min(entry->second, kMostSites)};
  return known.number;
}

void RaceDetector::beginDispatch() {
  known_sites_.fill({});
  streams_.clear();
  has_weak_releases_ = false;
  dispatch_segment_ = next_segment_;
  if (ordered_segment_ == next_segment_ || workgroups_.size() > kMostWorkgroups) {
    workgroups_.clear();
    synchronization_[false].released_at.clear();
  }
}

void RaceDetector::beginStream(const std::array<uint32_t, 3>& workgroup, uint32_t number,
                               uint32_t subgroup_size) {
  if (number == 0 || streams_.empty() || workgroup != workgroup_) {
    workgroup_ = workgroup;
    subgroup_size_ = std::max(subgroup_size, 1u);
    segment_ = next_segment_;
    next_segment_ += 2;
    workgroups_.push_back({segment_, workgroup});
    streams_.clear();
    barriers_.clear();
    subgroup_streams_.clear();
    for (Synchronization& of : synchronization_) {
      of.knowledge.clear();
      of.workgroup = {};
    }
    synchronization_[true].released_at.clear();
  }
  stream(number) = {};
}

RaceDetector::Stream& RaceDetector::stream(uint32_t number) {
  if (number >= streams_.size()) streams_.resize(number + 1);
  return streams_[number];
}

uint32_t RaceDetector::segmentOf(const Stream& stream) const {
  return segment_ + stream.segments + (stream.is_between ? 1 : 0);
}

void RaceDetector::passBarrier(uint32_t number, bool orders_shared, bool orders_buffers,
                               bool is_full) {
  Stream& of = stream(number);
  if (of.segments / 2 == barriers_.size()) reachBarrier(orders_buffers, is_full);
  of.is_between = false;
  of.segments += 2;
  if (orders_shared) of.ordered_shared = of.segments;
  if (orders_shared && is_full) of.full_shared = of.segments;
  next_segment_ = std::max(next_segment_, segment_ + of.segments + 2);
}

// The first stream goes on behind a barrier: all others wait there.
void RaceDetector::reachBarrier(bool orders_buffers, bool is_full) {
  const auto number = static_cast<uint32_t>(barriers_.size());
  bool are_all_fenced = true;
  if (!orders_buffers) {
    for (Stream& of : streams_) {
      are_all_fenced &= of.is_fenced;
      if (of.is_fenced && of.segments / 2 == number) of.fenced_barriers.push_back(number);
    }
  }
  barriers_.push_back({.orders_buffers = are_all_fenced, .is_full = is_full});
  // What some have acquired all of the workgroup have now.
  for (Synchronization& of : synchronization_) {
    for (auto& [actor, knowledge] : of.knowledge) {
      of.workgroup.add(knowledge.acquired);
      knowledge.acquired = {};
    }
  }
}

void RaceDetector::updateOrder(Stream& of) const {
  for (; of.seen_barriers < of.segments / 2; ++of.seen_barriers) {
    const Barrier& barrier = barriers_[of.seen_barriers];
    if (!barrier.orders_buffers) continue;
    of.ordered_buffers = 2 * of.seen_barriers + 2;
    if (barrier.is_full) of.full_buffers = of.ordered_buffers;
  }
}

void RaceDetector::arriveAtBarrier(uint32_t number) { stream(number).is_between = true; }

void RaceDetector::passSubgroupBarrier(uint32_t number, bool orders_shared, bool orders_buffers) {
  Stream& of = stream(number);
  if (orders_shared) ++of.subgroup_shared;
  if (orders_buffers || of.is_fenced) ++of.subgroup_buffers;
}

void RaceDetector::noteActors(RaceActor actor, uint32_t number, const RaceLines& lines) {
  if (actor >= kWorkgroupActor) return;
  const uint32_t first = subgroupOf(actor) - kSubgroupActor;
  uint32_t last = first;
  if (lines.lane_bytes != 0) {
    const uint32_t lanes = lines.bytes / lines.lane_bytes;
    last = (actor + std::max(lanes, 1u) - 1) / subgroup_size_;
  }
  if (last >= subgroup_streams_.size()) subgroup_streams_.resize(last + 1, ~0u);
  for (uint32_t subgroup = first; subgroup <= last; ++subgroup)
    subgroup_streams_[subgroup] = number;
}

// Whether who made an access of this workgroup has passed a fence and then a barrier, which
// the access that is looked at comes after.
bool RaceDetector::isFenced(const Entry& before) const {
  if (before.maker.actor >= kWorkgroupActor) return false;
  const uint32_t subgroup = subgroupOf(before.maker.actor) - kSubgroupActor;
  if (subgroup >= subgroup_streams_.size() || subgroup_streams_[subgroup] >= streams_.size())
    return false;
  const std::vector<uint32_t>& barriers = streams_[subgroup_streams_[subgroup]].fenced_barriers;
  const uint32_t earliest = (orderedFrom(before.segment) - segment_) / 2 - 1;
  auto barrier = std::lower_bound(barriers.begin(), barriers.end(), earliest);
  return barrier != barriers.end() && *barrier < barriers_passed_;
}

// After updateOrder() of the stream.
RaceClock RaceDetector::publishedBy(RaceActor actor, const Stream& of, bool is_shared) const {
  const Synchronization& known = synchronization_[is_shared];
  RaceClock clock = known.workgroup;
  if (auto own = known.knowledge.find(actor); own != known.knowledge.end())
    clock.add(own->second.acquired);
  // Segments of a barrier that has been passed.
  clock.addAll(segment_, segment_ + (is_shared ? of.ordered_shared : of.ordered_buffers));
  clock.add(segment_, segmentOf(of) + 1, actor);
  return clock;
}

void RaceDetector::synchronize(RaceActor actor, uint32_t number, uint64_t address, bool is_store,
                               bool is_load, RaceMemories releases, RaceMemories acquires) {
  Stream& of = stream(number);
  updateOrder(of);
  for (const bool is_shared : {false, true}) {
    Synchronization& memory = synchronization_[is_shared];
    auto at = memory.released_at.find(address);
    if (is_load && at != memory.released_at.end()) {
      Knowledge& knowledge = memory.knowledge[actor];
      if (acquires.has(is_shared)) knowledge.acquired.add(at->second);
      knowledge.read.add(at->second);
    }
    if (!is_store) continue;
    RaceClock published;
    if (releases.has(is_shared)) {
      published = publishedBy(actor, of, is_shared);
    } else if (auto known = memory.knowledge.find(actor);
               known != memory.knowledge.end() && known->second.has_released) {
      published = known->second.released;
    }
    if (at == memory.released_at.end()) {
      if (!published.empty()) memory.released_at[address] = std::move(published);
    } else if (is_load) {  // goes on with what others have released
      at->second.add(published);
    } else {
      at->second = std::move(published);
    }
  }
}

void RaceDetector::fence(RaceActor actor, uint32_t number, RaceMemories releases,
                         RaceMemories acquires) {
  Stream& of = stream(number);
  updateOrder(of);
  if (releases.buffers || acquires.buffers) of.is_fenced = true;
  for (const bool is_shared : {false, true}) {
    if (!releases.has(is_shared) && !acquires.has(is_shared)) continue;
    Knowledge& knowledge = synchronization_[is_shared].knowledge[actor];
    if (acquires.has(is_shared)) knowledge.acquired.add(knowledge.read);
    if (releases.has(is_shared)) {
      knowledge.released = publishedBy(actor, of, is_shared);
      knowledge.has_released = true;
    }
  }
}

}  // namespace rt

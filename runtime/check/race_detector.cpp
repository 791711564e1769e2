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
  auto known = known_sites_.find(description);
  if (known != known_sites_.end()) return known->second;
  auto [entry, is_new] =
      site_numbers_.try_emplace(description, static_cast<uint32_t>(sites_.size()));
  if (is_new) sites_.emplace_back(description);
  return known_sites_[description] = std::min(entry->second, kMostSites);
}

void RaceDetector::beginDispatch() {
  known_sites_.clear();
  streams_.clear();
  has_weak_releases_ = false;
  dispatch_segment_ = next_segment_;
  if (ordered_segment_ == next_segment_ || workgroups_.size() > kMostWorkgroups) {
    workgroups_.clear();
    released_at_.clear();
  }
}

void RaceDetector::beginStream(const std::array<uint32_t, 3>& workgroup, uint32_t number,
                               uint32_t subgroup_size) {
  if (number == 0 || streams_.empty() || workgroup != workgroup_) {
    workgroup_ = workgroup;
    subgroup_size_ = std::max(subgroup_size, 1u);
    segment_ = next_segment_;
    shared_segment_ = next_shared_segment_;
    next_segment_ += 2;
    next_shared_segment_ += 2;
    workgroups_.push_back({segment_, workgroup});
    streams_.clear();
    knowledge_.clear();
    workgroup_clock_ = {};
  }
  stream(number) = {};
}

RaceDetector::Stream& RaceDetector::stream(uint32_t number) {
  if (number >= streams_.size()) streams_.resize(number + 1);
  return streams_[number];
}

uint32_t RaceDetector::segmentOf(const Stream& stream, bool is_shared) const {
  return (is_shared ? shared_segment_ + stream.shared : segment_ + stream.buffers) +
         (stream.is_between ? 1 : 0);
}

void RaceDetector::passBarrier(uint32_t number, bool orders_shared, bool orders_buffers,
                               bool is_full) {
  Stream& of = stream(number);
  of.is_between = false;
  if (orders_shared) of.shared += 2;
  if (orders_buffers || of.is_fenced) of.buffers += 2;
  if (is_full) {
    if (orders_shared) of.full_shared = of.shared;
    if (orders_buffers || of.is_fenced) of.full_buffers = of.buffers;
  }
  next_segment_ = std::max(next_segment_, segment_ + of.buffers + 2);
  next_shared_segment_ = std::max(next_shared_segment_, shared_segment_ + of.shared + 2);
  // What some have acquired all of the workgroup have now.
  for (const auto& [actor, knowledge] : knowledge_) workgroup_clock_.add(knowledge.acquired);
  knowledge_.clear();
}

void RaceDetector::arriveAtBarrier(uint32_t number) { stream(number).is_between = true; }

void RaceDetector::passSubgroupBarrier(uint32_t number, bool orders_shared, bool orders_buffers) {
  Stream& of = stream(number);
  if (orders_shared) ++of.subgroup_shared;
  if (orders_buffers || of.is_fenced) ++of.subgroup_buffers;
}

RaceClock RaceDetector::publishedBy(RaceActor actor, const Stream& of) const {
  RaceClock clock = workgroup_clock_;
  if (auto known = knowledge_.find(actor); known != knowledge_.end())
    clock.add(known->second.acquired);
  const uint32_t segment = segmentOf(of, false);
  // Segments of a barrier that has been passed.
  clock.addAll(segment_, seenFrom(segment));
  clock.add(segment, actor);
  return clock;
}

void RaceDetector::synchronize(RaceActor actor, uint32_t number, uint64_t address, bool is_store,
                               bool is_load, bool releases, bool acquires) {
  const Stream& of = stream(number);
  auto at = released_at_.find(address);
  if (is_load && at != released_at_.end()) {
    Knowledge& knowledge = knowledge_[actor];
    if (acquires) knowledge.acquired.add(at->second);
    knowledge.read.add(at->second);
  }
  if (!is_store) return;
  RaceClock published;
  if (releases) {
    published = publishedBy(actor, of);
  } else if (auto known = knowledge_.find(actor);
             known != knowledge_.end() && known->second.has_released) {
    published = known->second.released;
  }
  if (at == released_at_.end()) {
    if (!published.empty()) released_at_[address] = std::move(published);
  } else if (is_load) {  // goes on with what others have released
    at->second.add(published);
  } else {
    at->second = std::move(published);
  }
}

void RaceDetector::fence(RaceActor actor, uint32_t number, bool releases, bool acquires) {
  Stream& of = stream(number);
  of.is_fenced = true;
  Knowledge& knowledge = knowledge_[actor];
  if (acquires) knowledge.acquired.add(knowledge.read);
  if (releases) {
    knowledge.released = publishedBy(actor, of);
    knowledge.has_released = true;
  }
}

}  // namespace rt

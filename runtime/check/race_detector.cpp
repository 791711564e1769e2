// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/race_detector.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace rt {

namespace {

constexpr uint16_t kStore = 1, kAtomic = 2, kMatrix = 4, kPrivate = 8;
constexpr unsigned kScopeShift = 4;
constexpr uint32_t kMostSites = 0xffff;
// As long as nothing orders what is older.
constexpr size_t kMostWorkgroups = size_t{1} << 22;

uint16_t flagsOf(const RaceAccess& access) {
  return static_cast<uint16_t>((access.is_store ? kStore : 0) | (access.is_atomic ? kAtomic : 0) |
                               (access.is_matrix ? kMatrix : 0) |
                               (access.is_private ? kPrivate : 0) |
                               static_cast<unsigned>(access.scope) << kScopeShift);
}

RaceAccess::Scope scopeOf(uint16_t flags) {
  return static_cast<RaceAccess::Scope>(flags >> kScopeShift & 3);
}

// Of an entry's segment: the first one after a barrier that orders it; and the one from which on an
// access sees what others stored.
uint32_t orderedFrom(uint32_t segment) { return (segment & 1) != 0 ? segment + 3 : segment + 2; }
uint32_t seenFrom(uint32_t segment) { return segment & ~1u; }

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

RacePage& RaceDetector::pageOf(uint64_t number, bool is_shared) {
  RecentPage& recent = recent_[is_shared][number % kRecentPages];
  if (recent.number != number) {
    std::unique_ptr<RacePage>& entry = (is_shared ? shared_ : buffers_)[number];
    if (entry == nullptr) entry = std::make_unique<RacePage>();
    recent = {number, entry.get()};
  }
  return *recent.page;
}

RaceActor RaceDetector::subgroupOf(RaceActor actor) const {
  if (actor >= kSubgroupActor) return actor;  // the workgroup is none
  return static_cast<RaceActor>(kSubgroupActor + actor / subgroup_size_);
}

// Whether a load sees what was stored, where its order alone does not make it available and
// visible.
bool RaceDetector::isPassedOn(const Entry& before, const Entry& now, RaceAccess::Scope to) {
  if ((before.maker.flags & kStore) == 0) return true;
  if ((before.maker.flags & kAtomic) == 0 && scopeOf(before.maker.flags) < to) return false;
  return (now.maker.flags & (kStore | kAtomic)) != 0 || scopeOf(now.maker.flags) >= to;
}

// Whether `before` comes before `now` by what the shader says.
bool RaceDetector::isOrdered(const Entry& before, const Entry& now, bool is_shared) const {
  const uint32_t first = is_shared ? shared_segment_ : segment_;
  if (!is_shared && before.segment < ordered_segment_) return true;
  if (before.segment < first) {
    if (is_shared) return true;  // another workgroup's memory
    if (has_weak_releases_ && !isPassedOn(before, now, RaceAccess::Scope::Device)) return false;
    if (workgroup_clock_.contains(before.segment, before.maker.actor)) return true;
    auto known = knowledge_.find(now.maker.actor);
    return known != knowledge_.end() &&
           known->second.acquired.contains(before.segment, before.maker.actor);
  }
  const bool is_collective = before.maker.actor >= kSubgroupActor;
  if (before.maker.actor == now.maker.actor && !is_collective) return true;
  const bool is_one_subgroup = subgroupOf(before.maker.actor) == subgroupOf(now.maker.actor);
  if (is_one_subgroup) {
    // All of a matrix is loaded before any of what is made of it is stored; one instruction has no
    // order with itself, but stores what it stores once.
    const bool are_matrices = (before.maker.flags & now.maker.flags & kMatrix) != 0;
    if (are_matrices && ((before.maker.flags & kStore) == 0 || before.maker.site == now.maker.site))
      return true;
    // Several lanes that stored one word in one instruction load it.
    if (before.maker.actor == now.maker.actor && (now.maker.flags & (kStore | kMatrix)) == 0)
      return true;
  }
  if (((before.maker.flags | now.maker.flags) & kPrivate) != 0) return false;
  if (orderedFrom(before.segment) <= seenFrom(now.segment) &&
      (orderedFrom(before.segment) <= full_segment_ ||
       isPassedOn(before, now, RaceAccess::Scope::Workgroup)))
    return true;
  if (is_one_subgroup && before.maker.subgroup_segment < now.maker.subgroup_segment) return true;
  if (is_shared) return false;
  auto known = knowledge_.find(now.maker.actor);
  return known != knowledge_.end() &&
         known->second.acquired.contains(before.segment, before.maker.actor);
}

bool RaceDetector::conflicts(const Entry& before, const Entry& now, bool is_shared) const {
  if (before.segment == 0) return false;
  const RaceOrder full{.from = order_.from, .own = order_.own, .end = full_end_};
  if (full.has(before.segment) && ((before.maker.flags | now.maker.flags) & kPrivate) == 0)
    return false;
  if (((before.maker.flags | now.maker.flags) & kStore) == 0) return false;
  if ((before.maker.flags & now.maker.flags & kAtomic) != 0) {
    const bool is_same_workgroup = is_shared || before.segment >= segment_;
    const RaceAccess::Scope needed =
        is_same_workgroup ? (subgroupOf(before.maker.actor) == subgroupOf(now.maker.actor)
                                 ? RaceAccess::Scope::Subgroup
                                 : RaceAccess::Scope::Workgroup)
                          : RaceAccess::Scope::Device;
    if (scopeOf(before.maker.flags) >= needed && scopeOf(now.maker.flags) >= needed) return false;
  }
  return !isOrdered(before, now, is_shared);
}

void RaceDetector::found(const Entry& before, const Entry& now, uint64_t address,
                         bool is_shared) const {
  auto side = [](const Entry& entry) {
    return Race::Side{.site = entry.maker.site,
                      .actor = entry.maker.actor,
                      .workgroup = {},
                      .is_store = (entry.maker.flags & kStore) != 0,
                      .is_atomic = (entry.maker.flags & kAtomic) != 0};
  };
  Race race{.now = side(now),
            .before = side(before),
            .in_workgroup_memory = is_shared,
            .in_other_command = !is_shared && before.segment < dispatch_segment_,
            .address = address};
  race.now.workgroup = race.before.workgroup = workgroup_;
  if (!is_shared && before.segment < segment_) {
    auto after = std::upper_bound(
        workgroups_.begin(), workgroups_.end(), before.segment,
        [](uint32_t segment, const Workgroup& of) { return segment < of.first_segment; });
    if (after != workgroups_.begin()) race.before.workgroup = std::prev(after)->id;
  }
  report_(race);
}

// To a cell with which it may conflict.
void RaceDetector::access(RacePage& page, uint64_t cell, const Entry& now, uint64_t address,
                          bool is_shared, const std::byte* value) {
  const bool is_store = (now.maker.flags & kStore) != 0;
  const bool is_atomic = (now.maker.flags & kAtomic) != 0;
  const Entry stored = page.get(kStored, cell), modified = page.get(kAtomicallyStored, cell);
  if (conflicts(stored, now, is_shared)) {
    // What is there already may be stored again, by whoever it is.
    const bool is_same = value != nullptr && std::memcmp(reinterpret_cast<const void*>(address),
                                                         value, page.cellBytes()) == 0;
    if (!is_same) found(stored, now, address, is_shared);
  }
  if (conflicts(modified, now, is_shared)) found(modified, now, address, is_shared);
  if (!is_store) return page.load(cell, 1, now, {}, loads_);
  for (const Kind kind : {kLoaded, kLoadedToo}) {
    const Entry load = page.get(kind, cell);
    if (conflicts(load, now, is_shared)) found(load, now, address, is_shared);
    page.forget(kind, cell);
  }
  page.set(is_atomic ? kAtomicallyStored : kStored, cell, now);
  if (!is_atomic) page.forget(kAtomicallyStored, cell);
}

// To cells of a page of which each access, by its segment alone, is ordered; false: not done.
bool RaceDetector::accessQuickly(RacePage& page, uint64_t blocks, uint64_t cell, uint64_t count,
                                 const Entry& now, const RaceLanes& lanes) {
  if ((now.maker.flags & kAtomic) != 0) return false;
  const bool is_store = (now.maker.flags & kStore) != 0;
  if (((page.loaded | page.stored) & blocks) == 0) {
    page.fill(is_store ? kStored : kLoaded, cell, count, now, lanes);
    return true;
  }
  RaceOrder order = order_;
  if (page.has_narrow) order.end = full_end_;
  if (page.has_private) order.end = order.own;
  auto areOrdered = [&](Kind kind) {
    return page.areOrdered(kind == kLoadedToo ? kLoaded : kind, blocks, order) ||
           page.areOrdered(kind, cell, count, now, lanes, order);
  };
  if ((page.stored & blocks) != 0 && !(areOrdered(kStored) && areOrdered(kAtomicallyStored)))
    return false;
  if (!is_store) {
    page.load(cell, count, now, lanes, loads_);
    return true;
  }
  if (!areOrdered(kLoaded) || !areOrdered(kLoadedToo)) return false;
  page.store(cell, count, now, lanes);
  return true;
}

// That a load says nothing that is not known, as nobody has stored since all was ordered.
bool RaceDetector::isKnownLoad(RacePage& page, uint64_t number, uint64_t first_byte,
                               uint64_t bytes) {
  const uint64_t blocks = RacePage::blocks(first_byte, bytes);
  if (page.stored != 0) return false;
  if ((page.full & blocks) == blocks) return true;
  if ((page.loaded & blocks) != blocks || !page.areFull(first_byte, bytes, loads_)) return false;
  page.full |= blocks;
  if (page.full != ~uint64_t{0}) return true;
  const uint64_t region = number / kRegionPages;
  for (uint64_t k = 0; k < kRegionPages; ++k) {
    auto other = buffers_.find(region * kRegionPages + k);
    if (other == buffers_.end() || other->second->since != ordered_segment_ ||
        other->second->full != ~uint64_t{0})
      return true;
  }
  full_regions_[region] = ordered_segment_;
  return true;
}

// That all of the lines, few or many, are in pages of which no load says more.
bool RaceDetector::areInFullRegions(const RaceLines& lines) const {
  // Looking for a region costs about as much as a line.
  const uint64_t other_end =
      lines.address + static_cast<uint64_t>(lines.stride) * (lines.count - 1);
  const uint64_t first = std::min(lines.address, other_end) / kRegionBytes;
  const uint64_t last = (std::max(lines.address, other_end) + lines.bytes - 1) / kRegionBytes;
  if (last - first >= lines.count / 2) return false;
  for (uint64_t region = first; region <= last; ++region) {
    auto known = full_regions_.find(region);
    if (known == full_regions_.end() || known->second != ordered_segment_) return false;
  }
  return true;
}

void RaceDetector::access(const RaceAccess& access, RaceActor actor, uint32_t stream_number,
                          uint32_t site, const RaceLines& lines, bool is_shared) {
  Stream& of = stream(stream_number);
  if (!is_shared) of.is_fenced = false;
  full_segment_ = is_shared ? shared_segment_ + of.full_shared : segment_ + of.full_buffers;
  Entry now{.segment = segmentOf(of, is_shared), .maker = {}};
  now.maker = {.actor = actor,
               .site = static_cast<uint16_t>(site),
               .subgroup_segment =
                   static_cast<uint16_t>(is_shared ? of.subgroup_shared : of.subgroup_buffers),
               .flags = flagsOf(access)};
  const uint32_t own = is_shared ? shared_segment_ : segment_;
  loads_ = {.ordered = is_shared ? own : ordered_segment_, .own = own};
  // All up to the barrier before, but what is between its arrival and its wait: orderedFrom().
  const uint32_t seen = seenFrom(now.segment);
  order_ = {.from = loads_.ordered, .own = own, .end = std::max(own + 1, seen) - 1};
  full_end_ = std::max(own + 1, std::min(seen, full_segment_)) - 1;
  if (!is_shared && !access.is_store && areInFullRegions(lines)) return;
  for (uint32_t line = 0; line < lines.count; ++line)
    accessLine(now, lines.address + static_cast<uint64_t>(lines.stride) * line, lines, is_shared);
}

void RaceDetector::accessLine(const Entry& now, uint64_t address, const RaceLines& lines,
                              bool is_shared) {
  const uint32_t lane_bytes = lines.lane_bytes;
  const uint32_t needed = RacePage::cellBytesFor(address, lines.bytes | lane_bytes);
  const bool is_store = (now.maker.flags & kStore) != 0;
  const uint64_t line_end = address + lines.bytes;
  for (uint64_t at = address, end = at; at < line_end; at = end) {
    const uint64_t number = at / RacePage::kBytes;
    RacePage& page = pageOf(number, is_shared);
    if (page.cellBytes() > needed) page.divide(needed);
    if ((now.maker.flags & kPrivate) != 0) page.has_private = true;
    if (scopeOf(now.maker.flags) < RaceAccess::Scope::Workgroup) page.has_narrow = true;
    page.forgetBefore(order_.from);
    end = std::min(line_end, (number + 1) * RacePage::kBytes);
    const uint64_t first_byte = at % RacePage::kBytes;
    if (!is_store && !is_shared && isKnownLoad(page, number, first_byte, end - at)) continue;
    const uint64_t blocks = RacePage::blocks(first_byte, end - at);
    const uint32_t cell_bytes = page.cellBytes();
    const uint64_t cell = first_byte / cell_bytes, count = (end - at) / cell_bytes;
    Entry first = now;
    RaceLanes lanes;
    uint64_t offset = at - address;
    if (lane_bytes != 0) {
      first.maker.actor = static_cast<RaceActor>(first.maker.actor + offset / lane_bytes);
      lanes = {.cells = lane_bytes / cell_bytes,
               .first = static_cast<uint32_t>(offset % lane_bytes / cell_bytes)};
    }
    if (!accessQuickly(page, blocks, cell, count, first, lanes))
      for (uint64_t c = 0; c < count; ++c, offset += cell_bytes) {
        Entry one = now;
        const std::byte* value = reinterpret_cast<const std::byte*>(lines.values);
        if (lane_bytes != 0) {
          const uint64_t lane = offset / lane_bytes;
          one.maker.actor = static_cast<RaceActor>(now.maker.actor + lane);
          if (value != nullptr)
            value = reinterpret_cast<const std::byte*>(lines.values + lane * lines.value_step) +
                    offset % lane_bytes;
        } else if (value != nullptr) {
          value += offset;
        }
        access(page, cell + c, one, address + offset, is_shared, value);
      }
    (is_store ? page.stored : page.loaded) |= blocks;
    page.note(!is_store                          ? kLoaded
              : (now.maker.flags & kAtomic) != 0 ? kAtomicallyStored
                                                 : kStored,
              blocks, now.segment);
    if (is_store && page.full != 0) {
      full_regions_.erase(number / kRegionPages);
      page.full = 0;
    }
  }
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

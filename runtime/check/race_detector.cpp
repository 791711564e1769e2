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
// Looking at all of a page is as much work as so many looks at parts.
constexpr uint32_t kPartsBeforeLook = 64;
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

RaceDetector::Page& RaceDetector::pageOf(uint64_t number, bool is_shared) {
  RecentPage& recent = recent_[is_shared][number % kRecentPages];
  if (recent.number != number) {
    std::unique_ptr<Page>& entry = (is_shared ? shared_ : buffers_)[number];
    if (entry == nullptr) entry = std::make_unique<Page>();
    recent = {number, entry.get()};
  }
  return *recent.page;
}

RaceDetector::Page::Page() {
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    segments[kind].resize(kPageBytes / 4);
    makers[kind].resize(kPageBytes / 4);
  }
}

void RaceDetector::Page::divide(uint32_t bytes) {
  const uint32_t parts = cell_bytes / bytes;
  auto divided = [parts](const auto& whole) {
    std::decay_t<decltype(whole)> all;
    all.reserve(whole.size() * parts);
    for (const auto& one : whole) all.insert(all.end(), parts, one);
    return all;
  };
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    segments[kind] = divided(segments[kind]);
    makers[kind] = divided(makers[kind]);
  }
  cell_bytes = bytes;
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
  if (isQuicklyOrdered(before) && ((before.maker.flags | now.maker.flags) & kPrivate) == 0)
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

void RaceDetector::access(Page& page, uint64_t cell, const Entry& now, uint64_t address,
                          bool is_shared, const std::byte* value) {
  const bool is_store = (now.maker.flags & kStore) != 0;
  const bool is_atomic = (now.maker.flags & kAtomic) != 0;
  const Entry stored = page.get(kStored, cell), modified = page.get(kAtomicallyStored, cell);
  if (conflicts(stored, now, is_shared)) {
    // What is there already may be stored again, by whoever it is.
    const bool is_same = value != nullptr && std::memcmp(reinterpret_cast<const void*>(address),
                                                         value, page.cell_bytes) == 0;
    if (!is_same) found(stored, now, address, is_shared);
  }
  if (conflicts(modified, now, is_shared)) found(modified, now, address, is_shared);
  if (!is_store) {
    keepLoad(page, cell, now, is_shared);
    return;
  }
  for (const Kind kind : {kLoaded, kLoadedToo}) {
    const Entry load = page.get(kind, cell);
    if (conflicts(load, now, is_shared)) found(load, now, address, is_shared);
    page.segments[kind][cell] = 0;
  }
  page.last_store = now.segment;
  page.full_since = 0;
  page.set(is_atomic ? kAtomicallyStored : kStored, cell, now);
  if (!is_atomic) page.segments[kAtomicallyStored][cell] = 0;
}

// A load takes the place of one that is ordered before all that is to come, or of this workgroup's:
// of two that other workgroups have made, a store is ordered with neither or with what it has
// acquired.
void RaceDetector::keepLoad(Page& page, uint64_t cell, const Entry& now, bool is_shared) const {
  const uint32_t first = is_shared ? shared_segment_ : segment_;
  const uint32_t ordered = is_shared ? first : ordered_segment_;
  const Entry kept = page.get(kLoaded, cell);
  const bool is_own = kept.segment >= first;
  if (kept.segment < ordered || (is_own && kept.maker.actor == now.maker.actor)) {
    page.set(kLoaded, cell, now);
    return;
  }
  const uint32_t other = page.segments[kLoadedToo][cell];
  if (is_own) {  // the later of this workgroup's first
    page.set(kLoadedToo, cell, kept);
    page.set(kLoaded, cell, now);
  } else if (other < ordered || other >= first) {
    page.set(kLoadedToo, cell, now);
  }
}

// Where nobody has stored since all was ordered, there is nothing to look for.
bool RaceDetector::loadsFreely(Page& page, uint64_t cell, uint64_t count, const Entry& now,
                               bool is_shared) {
  if ((now.maker.flags & kStore) != 0 || is_shared || page.last_store >= ordered_segment_)
    return false;
  if (page.full_since == ordered_segment_) return true;
  auto isFull = [&](uint64_t c) {
    const uint32_t kept = page.segments[kLoaded][c], other = page.segments[kLoadedToo][c];
    return kept >= ordered_segment_ && kept < segment_ && other >= ordered_segment_ &&
           other < segment_;
  };
  bool are_full = true;
  for (uint64_t c = cell; c < cell + count; ++c) {
    if (isFull(c)) continue;
    are_full = false;
    keepLoad(page, c, now, false);
  }
  if (!are_full || ++page.full_parts % kPartsBeforeLook != 0) return true;
  for (uint64_t c = 0; c < page.segments[kLoaded].size(); ++c)
    if (!isFull(c)) return true;
  page.full_since = ordered_segment_;
  return true;
}

void RaceDetector::access(const RaceAccess& access, RaceActor actor, uint32_t stream_number,
                          uint32_t site, const RaceLines& lines, bool is_shared,
                          const uint64_t* value) {
  Stream& of = stream(stream_number);
  if (!is_shared) of.is_fenced = false;
  full_segment_ = is_shared ? shared_segment_ + of.full_shared : segment_ + of.full_buffers;
  Entry now{.segment = segmentOf(of, is_shared), .maker = {}};
  now.maker = {.actor = actor,
               .site = static_cast<uint16_t>(site),
               .subgroup_segment =
                   static_cast<uint16_t>(is_shared ? of.subgroup_shared : of.subgroup_buffers),
               .flags = flagsOf(access)};
  quick_from_ = is_shared ? shared_segment_ : ordered_segment_;
  quick_begin_ = is_shared ? shared_segment_ : segment_;
  // Between the arrival and the wait, a segment is ordered from three on.
  quick_end_ = std::max(std::min(seenFrom(now.segment), full_segment_), 2u) - 2;
  for (uint32_t line = 0; line < lines.count; ++line)
    accessLine(now, lines.address + static_cast<uint64_t>(lines.stride) * line, lines.bytes,
               is_shared, reinterpret_cast<const std::byte*>(value));
}

void RaceDetector::accessLine(const Entry& now, uint64_t address, uint32_t bytes, bool is_shared,
                              const std::byte* stored) {
  const uint64_t bits = address | bytes;
  const uint32_t needed = (bits & 3) == 0 ? 4 : (bits & 1) == 0 ? 2 : 1;
  for (uint64_t at = address; at < address + bytes;) {
    Page& page = pageOf(at / kPageBytes, is_shared);
    if (page.cell_bytes > needed) page.divide(needed);
    const uint64_t end = std::min(address + bytes, (at / kPageBytes + 1) * kPageBytes);
    const uint64_t cell = at % kPageBytes / page.cell_bytes;
    if (loadsFreely(page, cell, (end - at) / page.cell_bytes, now, is_shared)) {
      at = end;
      continue;
    }
    for (uint64_t c = cell; at < end; at += page.cell_bytes, ++c)
      this->access(page, c, now, at, is_shared,
                   stored != nullptr ? stored + (at - address) : nullptr);
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

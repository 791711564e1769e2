// SPDX-License-Identifier: Apache-2.0

// Accesses, and whether they are ordered.

#include "runtime/check/race_detector.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace rt {

namespace {

constexpr uint8_t kStore = RaceMaker::kStore, kAtomic = RaceMaker::kAtomic,
                  kMatrix = RaceMaker::kMatrix, kPrivate = RaceMaker::kPrivate;

// Or 0. Without a population count, which the oldest processors lack.
bool isPowerOfTwo(uint32_t value) { return (value & (value - 1)) == 0; }

uint8_t flagsOf(const RaceAccess& access) {
  return static_cast<uint8_t>((access.is_store ? kStore : 0) | (access.is_atomic ? kAtomic : 0) |
                              (access.is_matrix ? kMatrix : 0) |
                              (access.is_private ? kPrivate : 0) |
                              static_cast<unsigned>(access.scope) << RaceMaker::kScopeShift);
}

RacePage::Kind firstOfTwo(RacePage::Kind kind) {
  switch (kind) {
    case RacePage::kLoadedToo:
      return RacePage::kLoaded;
    case RacePage::kAtomicallyStoredToo:
      return RacePage::kAtomicallyStored;
    default:
      return kind;
  }
}

RaceAccess::Scope scopeOf(uint8_t flags) {
  return static_cast<RaceAccess::Scope>(flags >> RaceMaker::kScopeShift & 3);
}

}  // namespace

RaceDetector::Region& RaceDetector::regionOf(uint64_t number, bool is_shared) {
  RecentRegion& recent = recent_[is_shared][number % kRecentRegions];
  if (recent.number != number) {
    std::unique_ptr<Region>& entry = (is_shared ? shared_ : buffers_)[number];
    if (entry == nullptr) entry = std::make_unique<Region>();
    recent = {number, entry.get()};
  }
  return *recent.region;
}

void RaceDetector::Region::noteFull(uint32_t since) {
  for (const std::unique_ptr<RacePage>& page : pages)
    if (page == nullptr || page->since != since || page->full != ~uint64_t{0}) return;
  full_since = since;
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
  if (!is_shared && before.segment < ordered_segment_) return true;
  const Synchronization& known = synchronization_[is_shared];
  if (before.segment < segment_) {
    if (is_shared) return true;  // another workgroup's memory
    if (has_weak_releases_ && !isPassedOn(before, now, RaceAccess::Scope::Device)) return false;
    return known.workgroup.contains(before.segment, before.maker.actor) ||
           known.hasAcquired(before, now.maker.actor);
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
  if (orderedFrom(before.segment) <= seen_ &&
      (orderedFrom(before.segment) <= full_segment_ ||
       isPassedOn(before, now, RaceAccess::Scope::Workgroup)))
    return true;
  if (is_one_subgroup && before.maker.subgroup_segment < now.maker.subgroup_segment) return true;
  if (!is_shared && isFenced(before) && isPassedOn(before, now, RaceAccess::Scope::Workgroup))
    return true;
  return known.hasAcquired(before, now.maker.actor);
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
  const Entry stored = page.get(kStored, cell);
  if (conflicts(stored, now, is_shared)) {
    // What is there already may be stored again, by whoever it is.
    const bool is_same = value != nullptr && std::memcmp(reinterpret_cast<const void*>(address),
                                                         value, page.cellBytes()) == 0;
    if (!is_same) found(stored, now, address, is_shared);
  }
  for (const Kind kind : {kAtomicallyStored, kAtomicallyStoredToo}) {
    const Entry modified = page.get(kind, cell);
    if (conflicts(modified, now, is_shared)) found(modified, now, address, is_shared);
  }
  if (!is_store) return page.load(cell, 1, now, {}, order_);
  for (const Kind kind : {kLoaded, kLoadedToo}) {
    const Entry load = page.get(kind, cell);
    if (conflicts(load, now, is_shared)) found(load, now, address, is_shared);
  }
  if (is_atomic)
    page.storeAtomically(cell, now, order_);
  else
    page.store(cell, 1, now, {});
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
  const RaceOrder order = orderIn(page);
  auto areOrdered = [&](Kind kind) {
    return page.areOrdered(firstOfTwo(kind), blocks, order) ||
           page.areOrdered(kind, cell, count, now, lanes, order);
  };
  if ((page.stored & blocks) != 0 &&
      !(areOrdered(kStored) && areOrdered(kAtomicallyStored) && areOrdered(kAtomicallyStoredToo)))
    return false;
  if (!is_store) {
    page.load(cell, count, now, lanes, order_);
    return true;
  }
  if (!areOrdered(kLoaded) || !areOrdered(kLoadedToo)) return false;
  page.store(cell, count, now, lanes);
  return true;
}

// That a load says nothing that is not known, as nobody has stored since all was ordered.
bool RaceDetector::isKnownLoad(Region& region, RacePage& page, uint64_t first_byte,
                               uint64_t bytes) const {
  const uint64_t blocks = RacePage::blocks(first_byte, bytes);
  if (page.stored != 0) return false;
  if ((page.full & blocks) == blocks) return true;
  if ((page.loaded & blocks) != blocks || !page.areFull(first_byte, bytes, order_)) return false;
  page.full |= blocks;
  if (page.full == ~uint64_t{0}) region.noteFull(ordered_segment_);
  return true;
}

// That all of the lines are in pages of which no load says more.
bool RaceDetector::areInFullRegions(const RaceLines& lines) {
  const uint64_t other_end =
      lines.address + static_cast<uint64_t>(lines.stride) * (lines.count - 1);
  const uint64_t first = std::min(lines.address, other_end) / Region::kBytes;
  const uint64_t last = (std::max(lines.address, other_end) + lines.bytes - 1) / Region::kBytes;
  // Where there are few lines, a look at each is as quick.
  if (last - first >= std::max(lines.count / 2, 1u)) return false;
  for (uint64_t number = first; number <= last; ++number)
    if (regionOf(number, false).full_since != ordered_segment_) return false;
  return true;
}

void RaceDetector::access(const RaceAccess& access, RaceActor actor, uint32_t stream_number,
                          uint32_t site, const RaceLines& lines, bool is_shared) {
  Stream& of = stream(stream_number);
  if (!is_shared) {
    of.is_fenced = false;
    updateOrder(of);
    noteActors(actor, stream_number, lines);
  }
  barriers_passed_ = of.segments / 2;
  full_segment_ = segment_ + (is_shared ? of.full_shared : of.full_buffers);
  Entry now{.segment = segmentOf(of), .maker = {}};
  now.maker = {.actor = actor,
               .site = static_cast<uint16_t>(site),
               .subgroup_segment =
                   static_cast<uint16_t>(is_shared ? of.subgroup_shared : of.subgroup_buffers),
               .flags = flagsOf(access)};
  const uint32_t own = segment_;
  // All up to the barrier before, but what is between its arrival and its wait: orderedFrom().
  seen_ = segment_ + (is_shared ? of.ordered_shared : of.ordered_buffers);
  order_ = {
      .from = is_shared ? own : ordered_segment_, .own = own, .end = std::max(own + 1, seen_) - 1};
  full_end_ = std::max(own + 1, std::min(seen_, full_segment_)) - 1;
  if (!is_shared && !access.is_store && areInFullRegions(lines)) return;
  for (uint32_t line = 0; line < lines.count;) {
    const uint64_t address = lines.address + static_cast<uint64_t>(lines.stride) * line;
    const uint32_t together = accessLinesOfPage(now, address, lines.count - line, lines, is_shared);
    if (together == 0) accessLine(now, address, lines, is_shared);
    line += std::max(together, 1u);
  }
}

RacePage& RaceDetector::pageOf(Region& region, uint64_t address, const Entry& now,
                               uint32_t cell_bytes) const {
  std::unique_ptr<RacePage>& entry = region.pages[address / RacePage::kBytes % Region::kPages];
  if (entry == nullptr) entry = std::make_unique<RacePage>();
  RacePage& page = *entry;
  if (page.cellBytes() > cell_bytes) page.divide(cell_bytes);
  if ((now.maker.flags & kPrivate) != 0) page.has_private = true;
  if (scopeOf(now.maker.flags) < RaceAccess::Scope::Workgroup) page.has_narrow = true;
  page.forgetBefore(order_.from);
  return page;
}

void RaceDetector::noteBlocks(Region& region, RacePage& page, bool is_store, uint64_t blocks) {
  (is_store ? page.stored : page.loaded) |= blocks;
  if (is_store) page.full = region.full_since = 0;
}

void RaceDetector::note(Region& region, RacePage& page, const Entry& now, uint64_t blocks) {
  const bool is_store = (now.maker.flags & kStore) != 0;
  page.note(!is_store                          ? kLoaded
            : (now.maker.flags & kAtomic) != 0 ? kAtomicallyStored
                                               : kStored,
            blocks, now.segment);
  noteBlocks(region, page, is_store, blocks);
}

// The lines of one actor from an address on, `most` of them, that lie in its page, if a look at the
// page's blocks tells that all is ordered: how many. 0: this one has to be looked at by itself.
uint32_t RaceDetector::accessLinesOfPage(const Entry& now, uint64_t address, uint32_t most,
                                         const RaceLines& lines, bool is_shared) {
  const bool is_store = (now.maker.flags & kStore) != 0;
  if (lines.lane_bytes != 0 || most < 2 || (now.maker.flags & kAtomic) != 0) return 0;
  const auto stride = static_cast<uint64_t>(lines.stride);
  uint64_t blocks = 0;
  uint32_t count = 0;
  // Of a line before the page the number is past its end, too.
  for (uint64_t byte = address % RacePage::kBytes;
       count < most && byte < RacePage::kBytes && byte + lines.bytes <= RacePage::kBytes;
       ++count, byte += stride)
    blocks |= RacePage::blocks(byte, lines.bytes);
  if (count < 2) return 0;
  RacePage& page = pageOf(regionOf(address / Region::kBytes, is_shared), address, now,
                          RacePage::cellBytesFor(address | stride, lines.bytes));
  // What may be known to be full by now is noted line by line.
  if (!is_store && !is_shared && page.stored == 0 && (page.loaded & blocks) != 0) return 0;
  page.settle();
  const RaceOrder order = orderIn(page);
  if ((page.stored & blocks) != 0 && !(page.areOrdered(kStored, blocks, order) &&
                                       page.areOrdered(kAtomicallyStored, blocks, order)))
    return 0;
  if (is_store && (page.loaded & blocks) != 0 && !page.areOrdered(kLoaded, blocks, order)) return 0;
  uint64_t byte = address % RacePage::kBytes;
  const uint64_t cells = page.cells(lines.bytes);
  for (uint32_t line = 0; line < count; ++line, byte += stride) {
    if (is_store)
      page.store(page.cells(byte), cells, now, {});
    else
      page.load(page.cells(byte), cells, now, {}, order_);
  }
  note(regionOf(address / Region::kBytes, is_shared), page, now, blocks);
  return count;
}

RaceOrder RaceDetector::orderIn(const RacePage& page) const {
  RaceOrder order = order_;
  if (page.has_narrow) order.end = full_end_;
  if (page.has_private) order.end = order.own;
  return order;
}

void RaceDetector::accessLine(const Entry& now, uint64_t address, const RaceLines& lines,
                              bool is_shared) {
  const uint32_t lane_bytes = lines.lane_bytes;
  // Lanes of 2 to 16 bytes may share a cell, others have whole ones.
  const uint32_t lane_cell = isPowerOfTwo(lane_bytes) ? 0 : lane_bytes;
  const uint32_t needed = RacePage::cellBytesFor(address, lines.bytes | lane_cell);
  const bool is_store = (now.maker.flags & kStore) != 0;
  const uint64_t line_end = address + lines.bytes;
  for (uint64_t at = address, end = at; at < line_end; at = end) {
    Region& region = regionOf(at / Region::kBytes, is_shared);
    RacePage& page = pageOf(region, at, now, needed);
    end = std::min(line_end, (at / RacePage::kBytes + 1) * RacePage::kBytes);
    const uint64_t first_byte = at % RacePage::kBytes;
    if (!is_store && !is_shared && isKnownLoad(region, page, first_byte, end - at)) continue;
    const uint64_t blocks = RacePage::blocks(first_byte, end - at);
    const auto offset = static_cast<uint32_t>(at - address);
    Entry first = now;
    RaceLanes lanes;
    if (lane_bytes != 0) {
      const uint32_t cell_bytes = page.cellBytes();
      first.maker.actor = static_cast<RaceActor>(first.maker.actor + offset / lane_bytes);
      if (lane_bytes < cell_bytes) {
        lanes.in_cell = cell_bytes / lane_bytes;
        first.maker.lane_bits = static_cast<uint8_t>(std::countr_zero(lanes.in_cell));
      } else {
        lanes.cells = lane_bytes / cell_bytes;
        lanes.first = offset % lane_bytes / cell_bytes;
      }
    }
    if ((now.maker.flags & kAtomic) == 0 && page.keepRun(blocks, first, lanes)) {
      noteBlocks(region, page, is_store, blocks);
      continue;
    }
    page.settle();
    if (!accessQuickly(page, blocks, page.cells(first_byte), page.cells(end - at), first, lanes))
      accessCells(page, now, at, end - at, offset, lines, is_shared);
    note(region, page, now, blocks);
  }
}

// To bytes of a page, from an offset in the line on, one cell after the other.
void RaceDetector::accessCells(RacePage& page, const Entry& now, uint64_t address, uint64_t bytes,
                               uint64_t offset, const RaceLines& lines, bool is_shared) {
  const uint32_t lane_bytes = lines.lane_bytes;
  uint32_t needed = std::min(page.cellBytes(), page.finestLane());
  if (lane_bytes != 0 && isPowerOfTwo(lane_bytes)) needed = std::min(needed, lane_bytes);
  if (page.cellBytes() > needed) page.divide(needed);
  const uint32_t cell_bytes = page.cellBytes();
  uint64_t cell = page.cells(address % RacePage::kBytes);
  for (const uint64_t end = address + bytes; address < end;
       address += cell_bytes, offset += cell_bytes, ++cell) {
    Entry one = now;
    const auto* value = reinterpret_cast<const std::byte*>(lines.values);
    if (lane_bytes != 0) {
      const uint64_t lane = offset / lane_bytes;
      one.maker.actor = static_cast<RaceActor>(now.maker.actor + lane);
      if (value != nullptr)
        value = reinterpret_cast<const std::byte*>(lines.values + lane * lines.value_step) +
                offset % lane_bytes;
    } else if (value != nullptr) {
      value += offset;
    }
    access(page, cell, one, address, is_shared, value);
  }
}

}  // namespace rt

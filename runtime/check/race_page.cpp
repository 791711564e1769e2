// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/race_page.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace rt {

// Loops over cells have no way out in their middle, so that the compiler makes vectors of them.

RacePage::RacePage() {
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    segments_[kind].resize(kBytes / cell_bytes_);
    makers_[kind].resize(kBytes / cell_bytes_);
  }
}

void RacePage::divide(uint32_t bytes) {
  const uint32_t parts = cell_bytes_ / bytes;
  auto divided = [parts](const auto& whole) {
    std::decay_t<decltype(whole)> all;
    all.reserve(whole.size() * parts);
    for (const auto& one : whole) all.insert(all.end(), parts, one);
    return all;
  };
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    segments_[kind] = divided(segments_[kind]);
    makers_[kind] = divided(makers_[kind]);
  }
  cell_bytes_ = bytes;
}

void RacePage::note(Kind kind, uint64_t blocks, uint32_t segment) {
  Latest& latest = latest_[kind];
  if (segment > latest.segment)
    latest = {.segment = segment, .before = latest.segment, .blocks = blocks};
  else if (segment == latest.segment)
    latest.blocks |= blocks;
  else
    latest.before = std::max(latest.before, segment);
}

bool RacePage::areOrdered(Kind kind, uint64_t blocks, const RaceOrder& order) const {
  const Latest& latest = latest_[kind];
  const uint32_t segment = (latest.blocks & blocks) != 0 ? latest.segment : latest.before;
  // Those of other workgroups since `from` are not in order.
  return segment < order.from || (order.from == order.own && segment < order.end);
}

bool RacePage::areOrdered(Kind kind, uint64_t cell, uint64_t count, const RaceEntry& now,
                          const RaceLanes& lanes, const RaceOrder& order) const {
  const uint32_t* segments = segments_[kind].data() + cell;
  const uint32_t length = order.end - order.own;
  bool are = true;
  for (uint64_t c = 0; c < count; ++c)
    are &= (segments[c] < order.from) | (segments[c] - order.own < length);
  if (are || now.maker.actor >= kSubgroupActor) return are;
  const uint64_t* makers = makers_[kind].data() + cell;
  are = true;
  for (uint64_t c = 0; c < count; ++c) {
    const auto actor = static_cast<RaceActor>(makers[c]);
    are &= (segments[c] < order.from) | (segments[c] - order.own < length) |
           ((segments[c] >= order.own) & (actor == lanes.actorOf(now.maker.actor, c)));
  }
  return are;
}

void RacePage::fill(Kind kind, uint64_t cell, uint64_t count, const RaceEntry& now,
                    const RaceLanes& lanes) {
  std::fill_n(segments_[kind].begin() + static_cast<ptrdiff_t>(cell), count, now.segment);
  uint64_t* makers = makers_[kind].data() + cell;
  const auto maker = std::bit_cast<uint64_t>(now.maker);
  if (lanes.cells == 1) {
    for (uint64_t c = 0; c < count; ++c) makers[c] = maker + c;
    return;
  }
  const uint32_t each = lanes.cells == 0 ? static_cast<uint32_t>(count) : lanes.cells;
  uint64_t lane = 0;
  for (uint64_t c = 0, end = each - lanes.first; c < count; ++lane, end += each)
    for (; c < std::min(end, count); ++c) makers[c] = maker + lane;
}

void RacePage::store(uint64_t cell, uint64_t count, const RaceEntry& now, const RaceLanes& lanes) {
  fill(kStored, cell, count, now, lanes);
  for (const Kind kind : {kAtomicallyStored, kLoaded, kLoadedToo})
    std::fill_n(segments_[kind].begin() + static_cast<ptrdiff_t>(cell), count, 0);
}

void RacePage::load(uint64_t cell, uint64_t count, const RaceEntry& now, const RaceLanes& lanes,
                    const RaceLoads& loads) {
  const uint32_t* segments = segments_[kLoaded].data() + cell;
  const uint64_t* makers = makers_[kLoaded].data() + cell;
  bool are_ordered = true, are_own = true, are_same = true, are_others = true;
  for (uint64_t c = 0; c < count; ++c) {
    are_ordered &= segments[c] < loads.ordered;
    are_own &= segments[c] >= loads.own;
  }
  if (are_own && lanes.cells == 0)
    for (uint64_t c = 0; c < count; ++c) {
      const bool is_same = static_cast<RaceActor>(makers[c]) == now.maker.actor;
      are_same &= is_same;
      are_others &= !is_same;
    }
  if (are_ordered || (are_own && lanes.cells == 0 && are_same))
    return fill(kLoaded, cell, count, now, lanes);
  if (are_own && lanes.cells == 0 && are_others) {
    std::copy_n(segments, count, segments_[kLoadedToo].data() + cell);
    std::copy_n(makers, count, makers_[kLoadedToo].data() + cell);
    return fill(kLoaded, cell, count, now, lanes);
  }
  for (uint64_t c = 0; c < count; ++c) {
    const RaceEntry before = get(kLoaded, cell + c);
    RaceEntry load = now;
    load.maker.actor = lanes.actorOf(now.maker.actor, c);
    const bool is_own = before.segment >= loads.own;
    if (before.segment < loads.ordered || (is_own && before.maker.actor == load.maker.actor)) {
      set(kLoaded, cell + c, load);
      continue;
    }
    const uint32_t other = segments_[kLoadedToo][cell + c];
    if (is_own) {  // the later of this workgroup's first
      set(kLoadedToo, cell + c, before);
      set(kLoaded, cell + c, load);
    } else if (other < loads.ordered || other >= loads.own) {
      set(kLoadedToo, cell + c, load);
    }
  }
}

bool RacePage::areFull(uint64_t first_byte, uint64_t bytes, const RaceLoads& loads) const {
  const uint64_t cell = first_byte / kBlockBytes * (kBlockBytes / cell_bytes_);
  const uint64_t end = ((first_byte + bytes - 1) / kBlockBytes + 1) * (kBlockBytes / cell_bytes_);
  const uint32_t *kept = segments_[kLoaded].data(), *others = segments_[kLoadedToo].data();
  const uint32_t length = loads.own - loads.ordered;  // ordered <= own
  bool are = true;
  for (uint64_t c = cell; c < end; ++c)
    are &= (kept[c] - loads.ordered < length) & (others[c] - loads.ordered < length);
  return are;
}

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/race_page.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace rt {

// Loops over cells have no way out in their middle, so that the compiler makes vectors of them.

void RacePage::makeCells(Kind kind) {
  cells_[kind].segments.resize(cells(kBytes));
  cells_[kind].makers.resize(cells(kBytes));
}

bool RacePage::keepRun(uint64_t blocks, const RaceEntry& now, const RaceLanes& lanes) {
  if (has_cells_ || cellBytes() != kBlockBytes || lanes.cells > 1) return false;
  const uint64_t others = loaded | stored;
  const uint32_t step = lanes.cells + lanes.in_cell;  // one of them is 0
  RaceMaker maker = now.maker;
  maker.actor =
      static_cast<RaceActor>(maker.actor - step * static_cast<uint32_t>(std::countr_zero(blocks)));
  const auto bits = std::bit_cast<uint64_t>(maker);
  for (unsigned r = run_count_; r-- > 0;) {
    Run& run = runs_[r];
    if (run.maker != bits || run.segment != now.segment || run.step != step) continue;
    if ((others & blocks & ~run.blocks) != 0) return false;
    run.blocks |= blocks;
    return true;
  }
  if ((others & blocks) != 0 || run_count_ == kRuns) return false;
  runs_[run_count_++] = {.blocks = blocks, .maker = bits, .segment = now.segment, .step = step};
  return true;
}

void RacePage::settleRuns() {
  for (unsigned r = 0; r < run_count_; ++r) {
    const Run& run = runs_[r];
    RaceEntry entry{.segment = run.segment, .maker = std::bit_cast<RaceMaker>(run.maker)};
    const RaceActor actor = entry.maker.actor;
    const bool shares_cells = entry.maker.lane_bits != 0;
    const RaceLanes lanes{.cells = shares_cells ? 0 : run.step,
                          .in_cell = shares_cells ? run.step : 0};
    const Kind kind = (entry.maker.flags & RaceMaker::kStore) != 0 ? kStored : kLoaded;
    for (uint64_t left = run.blocks; left != 0;) {
      const auto first = static_cast<uint32_t>(std::countr_zero(left));
      const auto count = static_cast<uint32_t>(std::countr_one(left >> first));
      entry.maker.actor = static_cast<RaceActor>(actor + run.step * first);
      fill(kind, first, count, entry, lanes);
      left &= ~RacePage::blocks(first * kBlockBytes, count * kBlockBytes);
    }
    note(kind, run.blocks, run.segment);
  }
  run_count_ = 0;
}

void RacePage::divide(uint32_t bytes) {
  settle();
  const uint32_t parts = cellBytes() / bytes;
  const auto part_bits = static_cast<uint32_t>(std::countr_zero(parts));
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    std::vector<uint32_t> segments;
    std::vector<uint64_t> makers;
    segments.reserve(cells_[kind].segments.size() * parts);
    makers.reserve(cells_[kind].segments.size() * parts);
    for (uint64_t cell = 0; cell < cells_[kind].segments.size(); ++cell) {
      RaceEntry part = get(static_cast<Kind>(kind), cell);
      const RaceActor actor = part.maker.actor;
      const uint32_t lane_bits = part.maker.lane_bits;
      part.maker.lane_bits = static_cast<uint8_t>(std::max(lane_bits, part_bits) - part_bits);
      for (uint32_t k = 0; k < parts; ++k) {
        part.maker.actor = static_cast<RaceActor>(actor + ((k << lane_bits) >> part_bits));
        segments.push_back(part.segment);
        makers.push_back(std::bit_cast<uint64_t>(part.maker));
      }
    }
    cells_[kind].segments = std::move(segments);
    cells_[kind].makers = std::move(makers);
  }
  cell_bits_ = static_cast<uint8_t>(std::countr_zero(bytes));
}

void RacePage::note(Kind kind, uint64_t blocks, uint32_t segment) {
  Cells& cells = cells_[kind];
  if (segment > cells.latest) {
    cells.before = std::exchange(cells.latest, segment);
    cells.blocks = blocks;
  } else if (segment == cells.latest) {
    cells.blocks |= blocks;
  } else {
    cells.before = std::max(cells.before, segment);
  }
}

bool RacePage::areOrdered(Kind kind, uint64_t blocks, const RaceOrder& order) const {
  const Cells& cells = cells_[kind];
  const uint32_t segment = (cells.blocks & blocks) != 0 ? cells.latest : cells.before;
  // Those of other workgroups since `from` are not in order.
  return segment < order.from || (order.from == order.own && segment < order.end);
}

bool RacePage::areOrdered(Kind kind, uint64_t cell, uint64_t count, const RaceEntry& now,
                          const RaceLanes& lanes, const RaceOrder& order) const {
  if (cells_[kind].segments.empty()) return true;
  const uint32_t* segments = cells_[kind].segments.data() + cell;
  const uint32_t length = order.end - order.own;
  bool are = true;
  for (uint64_t c = 0; c < count; ++c)
    are &= (segments[c] < order.from) | (segments[c] - order.own < length);
  if (are || now.maker.actor >= kSubgroupActor) return are;
  const uint64_t* makers = cells_[kind].makers.data() + cell;
  are = true;
  for (uint64_t c = 0; c < count; ++c) {
    const auto maker = std::bit_cast<RaceMaker>(makers[c]);
    const bool is_same =
        maker.actor == lanes.actorOf(now.maker.actor, c) && maker.lane_bits == now.maker.lane_bits;
    are &= (segments[c] < order.from) | (segments[c] - order.own < length) |
           ((segments[c] >= order.own) & is_same);
  }
  return are;
}

void RacePage::fill(Kind kind, uint64_t cell, uint64_t count, const RaceEntry& now,
                    const RaceLanes& lanes) {
  need(kind);
  std::fill_n(cells_[kind].segments.begin() + static_cast<ptrdiff_t>(cell), count, now.segment);
  uint64_t* makers = cells_[kind].makers.data() + cell;
  const auto maker = std::bit_cast<uint64_t>(now.maker);
  if (now.maker.lane_bits != 0)
    finest_lane_ =
        static_cast<uint8_t>(std::min<uint32_t>(finest_lane_, cellBytes() >> now.maker.lane_bits));
  if (lanes.cells <= 1) {
    const uint64_t step = lanes.cells + lanes.in_cell;  // one of them is 0
    for (uint64_t c = 0; c < count; ++c) makers[c] = maker + c * step;
    return;
  }
  uint64_t lane = 0;
  for (uint64_t c = 0, end = lanes.cells - lanes.first; c < count; ++lane, end += lanes.cells)
    for (; c < std::min(end, count); ++c) makers[c] = maker + lane;
}

void RacePage::store(uint64_t cell, uint64_t count, const RaceEntry& now, const RaceLanes& lanes) {
  fill(kStored, cell, count, now, lanes);
  for (const Kind kind : {kAtomicallyStored, kAtomicallyStoredToo, kLoaded, kLoadedToo})
    if (!cells_[kind].segments.empty())
      std::fill_n(cells_[kind].segments.begin() + static_cast<ptrdiff_t>(cell), count, 0);
}

void RacePage::storeAtomically(uint64_t cell, const RaceEntry& now, const RaceOrder& order) {
  const RaceEntry before = get(kAtomicallyStored, cell);
  const uint32_t other = get(kAtomicallyStoredToo, cell).segment;
  // One of another workgroup stays rather than one of this.
  const bool is_other_needed = order.from <= other && other < order.own;
  const bool is_others = before.segment < order.own;
  if (!order.has(before.segment) && (is_others || before.maker.actor != now.maker.actor) &&
      (is_others || !is_other_needed))
    set(kAtomicallyStoredToo, cell, before);
  set(kAtomicallyStored, cell, now);
}

void RacePage::load(uint64_t cell, uint64_t count, const RaceEntry& now, const RaceLanes& lanes,
                    const RaceOrder& order) {
  need(kLoaded);
  need(kLoadedToo);
  const uint32_t* segments = cells_[kLoaded].segments.data() + cell;
  const uint64_t* makers = cells_[kLoaded].makers.data() + cell;
  // Of few cells one after the other is quicker.
  constexpr uint64_t kFew = 4;
  bool are_ordered = count > kFew, are_own = count > kFew, are_same = true, are_others = true;
  for (uint64_t c = 0; c < count && count > kFew; ++c) {
    are_ordered &= segments[c] < order.from;
    are_own &= segments[c] >= order.own;
  }
  const bool is_one_actor = lanes.cells == 0 && lanes.in_cell == 0;
  if (are_own && is_one_actor)
    for (uint64_t c = 0; c < count; ++c) {
      const auto maker = std::bit_cast<RaceMaker>(makers[c]);
      const bool is_same = maker.actor == now.maker.actor && maker.lane_bits == 0;
      are_same &= is_same;
      are_others &= !is_same;
    }
  if (are_ordered || (are_own && is_one_actor && are_same))
    return fill(kLoaded, cell, count, now, lanes);
  if (are_own && is_one_actor && are_others) {
    std::copy_n(segments, count, cells_[kLoadedToo].segments.data() + cell);
    std::copy_n(makers, count, cells_[kLoadedToo].makers.data() + cell);
    return fill(kLoaded, cell, count, now, lanes);
  }
  for (uint64_t c = 0; c < count; ++c) {
    const RaceEntry before = get(kLoaded, cell + c);
    RaceEntry load = now;
    load.maker.actor = lanes.actorOf(now.maker.actor, c);
    const bool is_own = before.segment >= order.own;
    const bool is_same =
        before.maker.actor == load.maker.actor && before.maker.lane_bits == load.maker.lane_bits;
    if (before.segment < order.from || (is_own && is_same)) {
      set(kLoaded, cell + c, load);
      continue;
    }
    const uint32_t other = cells_[kLoadedToo].segments[cell + c];
    if (is_own) {  // the later of this workgroup's first
      set(kLoadedToo, cell + c, before);
      set(kLoaded, cell + c, load);
    } else if (other < order.from || other >= order.own) {
      set(kLoadedToo, cell + c, load);
    }
  }
  if (now.maker.lane_bits != 0)
    finest_lane_ =
        static_cast<uint8_t>(std::min<uint32_t>(finest_lane_, cellBytes() >> now.maker.lane_bits));
}

bool RacePage::areFull(uint64_t first_byte, uint64_t bytes, const RaceOrder& order) const {
  if (cells_[kLoadedToo].segments.empty()) return false;
  const uint64_t cell = first_byte / kBlockBytes * cells(kBlockBytes);
  const uint64_t end = ((first_byte + bytes - 1) / kBlockBytes + 1) * cells(kBlockBytes);
  const uint32_t *kept = cells_[kLoaded].segments.data(),
                 *others = cells_[kLoadedToo].segments.data();
  const uint32_t length = order.own - order.from;  // from <= own
  bool are = true;
  for (uint64_t c = cell; c < end; ++c)
    are &= (kept[c] - order.from < length) & (others[c] - order.from < length);
  return are;
}

}  // namespace rt

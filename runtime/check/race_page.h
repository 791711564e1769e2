// SPDX-License-Identifier: Apache-2.0

// What the check of races keeps of a page of memory: each word has a cell with the last store and
// two loads of different invocations since.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace rt {

// Who makes an access: an invocation by its number in the workgroup; several or all of a subgroup
// together; all of the workgroup together.
using RaceActor = uint16_t;
inline constexpr RaceActor kSubgroupActor = 0x4000;  // + the subgroup's number
inline constexpr RaceActor kWorkgroupActor = 0x8000;

// Who has made an access, and how; the actor is the lowest bits of the whole.
struct RaceMaker {
  RaceActor actor = 0;
  uint16_t site = 0;
  uint16_t subgroup_segment = 0;
  static constexpr uint8_t kStore = 1, kAtomic = 2, kMatrix = 4, kPrivate = 8;
  static constexpr unsigned kScopeShift = 4;  // RaceAccess::Scope
  uint8_t flags = 0;
  // Of a cell whose bytes are several invocations', evenly and one after the other from the actor
  // on: the logarithm to base 2 of their number. For none but RacePage, which divides such cells
  // before anyone looks at them.
  uint8_t lane_bits = 0;
};
struct RaceEntry {
  uint32_t segment = 0;  // 0: none
  RaceMaker maker;
};

// Of an entry's segment: the first one after a barrier that orders it; and the one from which on an
// access sees what others stored.
inline uint32_t orderedFrom(uint32_t segment) {
  return (segment & 1) != 0 ? segment + 3 : segment + 2;
}
inline uint32_t seenFrom(uint32_t segment) { return segment & ~1u; }

// Whose the cells of an access are, from its first one on: the actor's, unless one of these is set.
struct RaceLanes {
  // Of lanes as large as a cell or larger: cells of each, and those of the first lane that lie
  // before. Lanes are numbered one after the other from the actor on.
  uint32_t cells = 0, first = 0;
  uint32_t in_cell = 0;  // of smaller lanes: how many a cell has, RaceMaker::lane_bits
  RaceActor actorOf(RaceActor actor, uint64_t cell) const {
    return static_cast<RaceActor>(cells != 0 ? actor + (first + cell) / cells
                                             : actor + cell * in_cell);
  }
};

// The segments that are ordered before an access whoever it was: older than `from`, or of its
// workgroup (from `own` on) and before `end`.
struct RaceOrder {
  uint32_t from = 0, own = 0, end = 0;
  bool has(uint32_t segment) const {
    return segment < from || segment - own < end - own;  // own <= end
  }
};

class alignas(64) RacePage {
 public:
  static constexpr uint64_t kBytes = 2048;
  // A bit of a mask stands for so many.
  static constexpr uint64_t kBlockBytes = kBytes / 64;
  // The last store that was not atomic; since then the last atomic one, and one before it of
  // another workgroup or unordered with it; and two loads of different makers.
  enum Kind : uint8_t {
    kStored,
    kAtomicallyStored,
    kAtomicallyStoredToo,
    kLoaded,
    kLoadedToo,
    kKinds
  };

  // A cell is for so many bytes: a block's, or as few as the smallest access to the page has.
  uint32_t cellBytes() const { return uint32_t{1} << cell_bits_; }
  uint64_t cells(uint64_t bytes) const { return bytes >> cell_bits_; }
  // The most for an access to these bytes.
  static uint32_t cellBytesFor(uint64_t address, uint64_t bytes) {
    return uint32_t{1} << std::countr_zero(address | bytes | kBlockBytes);
  }
  void divide(uint32_t bytes);
  // The bytes of the smallest lane that has only a part of its cell.
  uint32_t finestLane() const { return finest_lane_; }

  RaceEntry get(Kind kind, uint64_t cell) const {
    if (cells_[kind].segments.empty()) return {};
    return {cells_[kind].segments[cell], std::bit_cast<RaceMaker>(cells_[kind].makers[cell])};
  }
  void set(Kind kind, uint64_t cell, const RaceEntry& entry) {
    need(kind);
    cells_[kind].segments[cell] = entry.segment;
    cells_[kind].makers[cell] = std::bit_cast<uint64_t>(entry.maker);
  }

  // Before an access, from where on segments are not ordered yet whoever they are of: what is older
  // is of no use any more.
  void forgetBefore(uint32_t segment) {
    if (since == segment) return;
    since = segment;
    loaded = stored = full = 0;
    has_cells_ = false;
    run_count_ = 0;
  }
  // The blocks that bytes of the page are in, as a mask.
  static uint64_t blocks(uint64_t first_byte, uint64_t bytes) {
    const uint64_t first = first_byte / kBlockBytes, last = (first_byte + bytes - 1) / kBlockBytes;
    return (~uint64_t{0} >> (63 - (last - first))) << first;
  }

  // After an access of this kind (the first of two) to blocks.
  void note(Kind kind, uint64_t blocks, uint32_t segment);
  // Whether all that was done to blocks in this way (the first of two: both) is ordered, as a look
  // at their latest segments tells.
  bool areOrdered(Kind kind, uint64_t blocks, const RaceOrder& order) const;

  // Of `count` cells from `cell` on. Whether all that was done to them in this way is ordered, by
  // its segment or as the same invocation did it.
  bool areOrdered(Kind kind, uint64_t cell, uint64_t count, const RaceEntry& now,
                  const RaceLanes& lanes, const RaceOrder& order) const;
  // Keeps an access of this kind alone.
  void fill(Kind kind, uint64_t cell, uint64_t count, const RaceEntry& now, const RaceLanes& lanes);
  // A store that was not atomic, of what nothing conflicts with.
  void store(uint64_t cell, uint64_t count, const RaceEntry& now, const RaceLanes& lanes);
  // An atomic one. Loads are kept: who is ordered after it need not be after them.
  void storeAtomically(uint64_t cell, const RaceEntry& now, const RaceOrder& order);
  // A load takes the place of one that is ordered before all that is to come (before
  // RaceOrder::from), or of this workgroup's: of two that other workgroups have made, a store is
  // ordered with neither or with what it has acquired.
  void load(uint64_t cell, uint64_t count, const RaceEntry& now, const RaceLanes& lanes,
            const RaceOrder& order);
  // That no further load of these blocks says more: there are two of other workgroups.
  bool areFull(uint64_t first_byte, uint64_t bytes, const RaceOrder& order) const;

  // Keeps an access that was not atomic as a run: one to blocks that nobody has accessed since
  // forgetBefore(), or the same as before. Cheap, and most pages of a buffer that each invocation
  // reads its own part of have nothing but a few. False: not done, as it is none, or as the page
  // has cells; settle() then comes before everything else that is said of the blocks.
  bool keepRun(uint64_t blocks, const RaceEntry& now, const RaceLanes& lanes);
  // Makes cells of the runs. Until the next forgetBefore() there are no others.
  void settle() {
    has_cells_ = true;
    if (run_count_ != 0) settleRuns();
  }

  // What each access needs: a line of the cache, with the first run.
  uint32_t since = 0;  // what forgetBefore() was told last
  // That there was a private access (RaceAccess), which nothing orders; or one that says itself for
  // whom it is, and those are fewer than a workgroup, so that barriers have to.
  bool has_private = false, has_narrow = false;
  // Masks of blocks that were loaded, and stored, since then; and of those that are full, if
  // nothing is stored.
  uint64_t loaded = 0, stored = 0, full = 0;

 private:
  // Accesses of a segment from one instruction, each block by invocations that follow those of the
  // block before: by a subgroup, or by all of them one after the other.
  struct Run {
    uint64_t blocks = 0;
    uint64_t maker = 0;  // RaceMaker; of the page's first block, were it among them
    uint32_t segment = 0;
    uint32_t step = 0;  // invocations from a block to the next
  };
  static constexpr uint8_t kRuns = 8;

  void settleRuns();
  // Of most pages only some kinds are ever needed.
  void need(Kind kind) {
    if (cells_[kind].segments.empty()) makeCells(kind);
  }
  void makeCells(Kind kind);

  // Cells of a kind, none before the first access; and the last segment that has such accesses, in
  // which blocks, and the last one before.
  struct alignas(64) Cells {
    std::vector<uint32_t> segments;
    std::vector<uint64_t> makers;  // RaceMaker
    uint64_t blocks = 0;
    uint32_t latest = 0, before = 0;
  };
  bool has_cells_ = false;  // that are newer than `since`
  uint8_t run_count_ = 0;
  uint8_t cell_bits_ = std::countr_zero(kBlockBytes);  // logarithm of a cell's bytes
  uint8_t finest_lane_ = kBlockBytes;
  Run runs_[kRuns];
  Cells cells_[kKinds];
};

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

// The check of races: which accesses to memory are not ordered, although one of them is a store and
// not both are atomic.
//
// A device that checks races runs its workgroups on one thread, one after the other, so that what
// is found is the same each time. Whether two accesses are ordered depends on what the shader says,
// not on the order in which they ran: by barriers, by atomic operations that release and acquire,
// by commands' barriers.
//
// The memory of a workgroup's execution between two barriers is a segment. Segments are numbered
// through all workgroups; a barrier goes on by two, as between the arrival and the wait of a split
// barrier there is one of its own: what is stored there, the barrier does not order any more.
// What was done to each word last is kept by pages of memory (race_page.h). Source: Vulkan
// Specification, "Memory Model"; Flanagan and Freund, FastTrack, PLDI 2009.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/check/finding.h"
#include "runtime/check/race_clock.h"
#include "runtime/check/race_page.h"

namespace rt {

struct RaceAccess {
  enum class Scope : uint8_t { Subgroup, Workgroup, Device };
  bool is_store = false;
  bool is_atomic = false;
  bool is_matrix = false;   // by all of a subgroup or of the workgroup
  bool is_private = false;  // of the Vulkan memory model: nothing orders it
  // Of an atomic access its scope; of another one for whom it is available (a store) or sees what
  // is (a load) by itself: Subgroup: for nobody.
  Scope scope = Scope::Device;
};

// Which memory is released or acquired.
struct RaceMemories {
  bool buffers = false, shared = false;
  bool has(bool is_shared) const { return is_shared ? shared : buffers; }
};

// The memory of an access: pieces of so many bytes, the lines of a matrix.
struct RaceLines {
  uint64_t address;
  uint32_t bytes;
  uint32_t count = 1;
  int64_t stride = 0;
  // Bytes of each lane, those of the first actor, the next one and so on side by side; 0: all are
  // of one actor.
  uint32_t lane_bytes = 0;
  // What the lanes store, each from `value_step` on; null: not known.
  const uint64_t* values = nullptr;
  uint64_t value_step = 0;
};

// Two accesses that are not ordered.
struct Race {
  struct Side {
    uint32_t site = 0;
    RaceActor actor = 0;
    std::array<uint32_t, 3> workgroup{};
    bool is_store = false, is_atomic = false;
  };
  Side now, before;
  bool in_workgroup_memory = false;
  bool in_other_command = false;
  uint64_t address = 0;
};

// One per device; for the thread that runs kernels.
class RaceDetector {
 public:
  using Report = std::function<void(const Race&)>;
  // `reports_same_values`: stores of the value that is there are races, too.
  explicit RaceDetector(Report report, bool reports_same_values = false)
      : report_(std::move(report)), reports_same_values_(reports_same_values) {}

  bool reportsSameValues() const { return reports_same_values_; }

  // The number of a site by its description, which need not live longer than the dispatch.
  uint32_t siteOf(const char* description);
  const std::string& site(uint32_t number) const { return sites_[number]; }

  uint32_t subgroupSize() const { return subgroup_size_; }

  void beginDispatch();
  // Of commands: what follows comes after all that was.
  void orderCommands() { ordered_segment_ = next_segment_; }
  // Of a subgroup (its first one begins the workgroup) with so many invocations each.
  void beginStream(const std::array<uint32_t, 3>& workgroup, uint32_t stream,
                   uint32_t subgroup_size);

  // A barrier that a stream has come to: which memory it orders.
  // `is_full`: it makes all of it available and visible.
  void passBarrier(uint32_t stream, bool orders_shared, bool orders_buffers, bool is_full);
  void arriveAtBarrier(uint32_t stream);
  void passSubgroupBarrier(uint32_t stream, bool orders_shared, bool orders_buffers);

  void access(const RaceAccess& access, RaceActor actor, uint32_t stream, uint32_t site,
              const RaceLines& lines, bool is_shared);
  // What an atomic access means for others, after access(); and what a fence does.
  void synchronize(RaceActor actor, uint32_t stream, uint64_t address, bool is_store, bool is_load,
                   RaceMemories releases, RaceMemories acquires);
  void fence(RaceActor actor, uint32_t stream, RaceMemories releases, RaceMemories acquires);
  // An atomic access or a fence has released without making anything available.
  void releaseWithoutAvailability() { has_weak_releases_ = true; }

 private:
  using Maker = RaceMaker;
  using Entry = RaceEntry;
  using Kind = RacePage::Kind;
  static constexpr Kind kStored = RacePage::kStored;
  static constexpr Kind kAtomicallyStored = RacePage::kAtomicallyStored;
  static constexpr Kind kAtomicallyStoredToo = RacePage::kAtomicallyStoredToo;
  static constexpr Kind kLoaded = RacePage::kLoaded;
  static constexpr Kind kLoadedToo = RacePage::kLoadedToo;
  // Pages beside each other, so that a matrix whose rows are in many is looked at as one.
  struct Region {
    static constexpr uint64_t kPages = 32;
    static constexpr uint64_t kBytes = kPages * RacePage::kBytes;
    std::unique_ptr<RacePage> pages[kPages];
    // Since when all of all pages is full (RacePage::full, RacePage::since).
    uint32_t full_since = 0;
    void noteFull(uint32_t since);
  };
  using Shadow = std::unordered_map<uint64_t, std::unique_ptr<Region>>;
  struct Stream {
    uint32_t segments = 0;  // since the workgroup's first
    uint32_t subgroup_shared = 0, subgroup_buffers = 0;
    bool is_between = false;  // arrival and wait
    bool is_fenced = true;    // since its last access to a buffer
    // The segments after the last barriers that order all accesses to a memory, and after the last
    // ones that made all available and visible.
    uint32_t ordered_shared = 0, full_shared = 0, ordered_buffers = 0, full_buffers = 0;
    uint32_t seen_barriers = 0;  // those that ordered_buffers is up to date with
    // Barriers that order nobody's accesses to buffers by themselves, but this stream's, as a fence
    // comes before them.
    std::vector<uint32_t> fenced_barriers;
  };
  // One that the workgroup has come to, numbered from its first one on.
  struct Barrier {
    bool orders_buffers = false;  // all accesses before it: by itself, or there are fences
    bool is_full = false;
  };
  // What an invocation has acquired since the last barrier, and may acquire or release by a fence.
  struct Knowledge {
    RaceClock acquired, read, released;
    bool has_released = false;
  };
  // How accesses to one memory are synchronized.
  struct Synchronization {
    RaceClock workgroup;  // what all of the workgroup have acquired
    std::unordered_map<RaceActor, Knowledge> knowledge;
    std::unordered_map<uint64_t, RaceClock> released_at;  // by address
    bool hasAcquired(const Entry& before, RaceActor actor) const {
      auto known = knowledge.find(actor);
      return known != knowledge.end() &&
             known->second.acquired.contains(before.segment, before.maker.actor);
    }
  };
  struct Workgroup {
    uint32_t first_segment;
    std::array<uint32_t, 3> id;
  };

  Region& regionOf(uint64_t number, bool is_shared);
  bool areInFullRegions(const RaceLines& lines);
  RacePage& pageOf(Region& region, uint64_t address, const Entry& now, uint32_t cell_bytes) const;
  // After an access to blocks; note(): one that the page has in cells.
  static void noteBlocks(Region& region, RacePage& page, bool is_store, uint64_t blocks);
  static void note(Region& region, RacePage& page, const Entry& now, uint64_t blocks);
  RaceOrder orderIn(const RacePage& page) const;
  uint32_t accessLinesOfPage(const Entry& now, uint64_t address, uint32_t most,
                             const RaceLines& lines, bool is_shared);
  void accessCells(RacePage& page, const Entry& now, uint64_t address, uint64_t bytes,
                   uint64_t offset, const RaceLines& lines, bool is_shared);
  void accessLine(const Entry& now, uint64_t address, const RaceLines& lines, bool is_shared);
  void access(RacePage& page, uint64_t cell, const Entry& now, uint64_t address, bool is_shared,
              const std::byte* value);
  bool accessQuickly(RacePage& page, uint64_t blocks, uint64_t cell, uint64_t count,
                     const Entry& now, const RaceLanes& lanes);
  bool isKnownLoad(Region& region, RacePage& page, uint64_t first_byte, uint64_t bytes) const;
  Stream& stream(uint32_t number);
  uint32_t segmentOf(const Stream& stream) const;
  void reachBarrier(bool orders_buffers, bool is_full);
  // After the last barrier of a stream.
  void updateOrder(Stream& stream) const;
  void noteActors(RaceActor actor, uint32_t stream, const RaceLines& lines);
  bool isFenced(const Entry& before) const;
  RaceClock publishedBy(RaceActor actor, const Stream& stream, bool is_shared) const;
  bool isOrdered(const Entry& before, const Entry& now, bool is_shared) const;
  static bool isPassedOn(const Entry& before, const Entry& now, RaceAccess::Scope to);
  bool conflicts(const Entry& before, const Entry& now, bool is_shared) const;
  void found(const Entry& before, const Entry& now, uint64_t address, bool is_shared) const;
  RaceActor subgroupOf(RaceActor actor) const;

  const Report report_;
  const bool reports_same_values_;
  std::deque<std::string> sites_{std::string()};
  std::unordered_map<std::string, uint32_t> site_numbers_;
  // Of this dispatch's kernel, by the low bits of the description's address.
  struct KnownSite {
    const char* description = nullptr;
    uint32_t number = 0;
  };
  static constexpr size_t kKnownSites = 256;
  std::array<KnownSite, kKnownSites> known_sites_{};
  Shadow buffers_, shared_;
  // Regions that were looked for lately, by the low bits of their numbers: rows of a matrix are in
  // many.
  struct RecentRegion {
    uint64_t number = ~uint64_t{0};
    Region* region = nullptr;
  };
  static constexpr uint64_t kRecentRegions = 2048;
  std::vector<RecentRegion> recent_[2] = {std::vector<RecentRegion>(kRecentRegions),
                                          std::vector<RecentRegion>(kRecentRegions)};

  uint32_t next_segment_ = 2, ordered_segment_ = 2, dispatch_segment_ = 2;
  uint32_t segment_ = 2;  // the workgroup's first
  // Of the access that is looked at: barriers that its stream has passed, and the segment after the
  // last one that orders what it accesses. What is in order, if all that was done was to be seen by
  // the workgroup; and if a barrier has to make it so.
  uint32_t barriers_passed_ = 0, seen_ = 0;
  RaceOrder order_;
  uint32_t full_end_ = 0;
  uint32_t full_segment_ = 0;
  bool has_weak_releases_ = false;
  uint32_t subgroup_size_ = 1;
  std::array<uint32_t, 3> workgroup_{};
  std::vector<Workgroup> workgroups_;  // of all dispatches since the last order of commands
  std::vector<Stream> streams_;
  std::vector<Barrier> barriers_;  // of the workgroup
  std::vector<uint32_t>
      subgroup_streams_;                // the stream of each subgroup that has accessed something
  Synchronization synchronization_[2];  // of buffers, and of shared memory
};

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

// Panels of matrices, packed for the microkernels, that a worker keeps from one workgroup to the
// next: workgroups of a row of a product share what they read of A, those of a column what they
// read of B.
//
// That is right for one dispatch whose workgroups have no means to wait for each other: what one of
// them writes, another may not read. The compiler looks panels up in such kernels alone
// (KernelImage::shares_panels).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/pages.h"

namespace rt {

// A ring of memory, and a table of what lies where; the oldest goes first. Used by one thread.
class PanelCache {
 public:
  static constexpr size_t kGranularity = size_t{1} << 20;

  PanelCache() = default;
  PanelCache(const PanelCache&) = delete;
  PanelCache& operator=(const PanelCache&) = delete;
  ~PanelCache();

  // Of which dispatch the following calls are: numbers never return. What was packed for another
  // is forgotten. At most `bytes` are kept, a multiple of kGranularity, in memory that is taken
  // with the first panel and stays; of 0, nothing is found and panels are only counted.
  void begin(uint64_t dispatch, size_t bytes) noexcept;

  struct Panel {
    std::byte* memory = nullptr;  // aligned to 64 bytes; null when there is no room
    bool is_packed = false;       // else the caller packs it, now
    // Of a packed panel, the one that was asked for after it the last time, among those of its
    // form, or null; of one to pack, where another would be packed after it. A guess at what comes
    // next, good for prefetching alone.
    const std::byte* next = nullptr;
  };
  // The panel that `key` and `form` tell from all others, of `bytes` bytes. It stays at least until
  // the next call but one. The forms of the two operands of a product differ in the lowest bit.
  // With its key, a panel is at most an eighth of the cache; the first one larger than a sixteenth
  // and than all before it is not kept.
  Panel find(std::span<const uint64_t> key, uint64_t form, size_t bytes) noexcept;

  // Bytes of panels, with what tells them apart, that stay until all of them have been found again,
  // in a cache of `bytes`, none of them larger than a sixteenth of it; and of the smallest cache
  // where that many stay.
  static constexpr uint64_t reach(uint64_t bytes) { return bytes - bytes / kMarginPart; }
  static constexpr uint64_t bytesToReach(uint64_t reach) {
    return roundUp(reach / (kMarginPart - 1) * kMarginPart + kMarginPart, kGranularity);
  }

  // Bytes of the panels that were asked for since the last begin(), and of what is read in place of
  // others.
  uint64_t bytesFound() const { return bytes_found_; }
  uint64_t bytesInPlace() const { return bytes_in_place_; }  // the latter alone
  void addReadInPlace(uint64_t bytes) {
    bytes_found_ += bytes;
    bytes_in_place_ += bytes;
  }

 private:
  struct Entry {
    uint64_t hash;
    uint64_t position;  // in a ring without an end; 0: nothing
  };
  static constexpr size_t kWays = 4;
  static constexpr size_t kMinEntries = 4096, kBytesPerEntry = 4096;  // few panels are smaller
  static constexpr uint64_t kMarginPart = 8;
  struct Latest {
    uint64_t form, position, next;  // next: position of what followed the last time, 0: nothing did
  };
  static constexpr size_t kForms = 8;

  // What is this close to being overwritten is packed anew, so that panels in use stay: the next
  // call may take the largest panel's bytes, and nearly as many again that are left at the ring's
  // end.
  uint64_t margin() const { return std::max(bytes_ / kMarginPart, 2 * largest_); }
  // Takes memory for bytes_ if there is less; false without, nothing is kept then.
  bool takeMemory() noexcept;
  bool isAlive(uint64_t position) const;
  // Notes that `position` is used, after what was found last of its form; returns `position`
  // as a packed panel.
  Panel follow(uint64_t form, uint64_t position);
  bool isSame(uint64_t position, std::span<const uint64_t> key, uint64_t form, size_t bytes) const;
  // `position`, or the ring's next start if `bytes` from there do not fit before it.
  uint64_t inOnePiece(uint64_t position, size_t bytes) const;
  std::byte* at(uint64_t position) const { return ring_ + position % bytes_; }

  size_t bytes_ = 0;
  size_t ring_bytes_ = 0;  // taken, at least bytes_ once there is a panel
  std::byte* ring_ = nullptr;
  std::vector<Entry> table_;             // a power of two of sets
  std::array<Latest, kForms> latest_{};  // by the form's lowest bits
  uint64_t dispatch_ = 0;
  uint64_t bytes_found_ = 0;
  uint64_t bytes_in_place_ = 0;
  uint64_t largest_ = 0;  // panel of the dispatch, with its key
  uint64_t first_ = 1;    // position where the dispatch began
  uint64_t end_ = 1;      // position where the next panel goes
};

// Bytes that a worker's cache may keep, multiples of PanelCache::kGranularity.
struct PanelCacheSizes {
  size_t usual;  // what is the worker's of the processor's caches, within reason
  // Where more panels are read again: one that comes from memory costs less than to pack it anew.
  size_t most;
};

// For each of `threads` workers on a machine with `memory` bytes, of which all take a small part.
PanelCacheSizes panelCacheSizes(uint32_t threads, uint64_t memory);

// Bytes of a core's second-level cache.
size_t secondLevelBytes();

// The cache of the worker that runs on this thread, or null; set for as long as it runs workgroups.
PanelCache* panelCache() noexcept;
void setPanelCache(PanelCache* cache) noexcept;

}  // namespace rt

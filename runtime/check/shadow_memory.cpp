// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/shadow_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "runtime/pages.h"

namespace rt {

namespace {

uint64_t pageBegin(uint64_t address) { return address / kPageBytes * kPageBytes; }
uint64_t pageEnd(uint64_t address) { return pageBegin(address + kPageBytes - 1); }

void* shadowOf(uint64_t address) { return reinterpret_cast<void*>(address - kShadowDistance); }

bool mapShadow(uint64_t begin, uint64_t end) {
  if (begin < kShadowDistance) return false;
  void* wanted = shadowOf(begin);
  void* got = mmap(wanted, end - begin, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return false;
  if (got == wanted) return true;
  munmap(got, end - begin);  // a system that does not know the last flag
  return false;
}

// Large ranges give their pages back, as all of it is zero.
void clear(uint64_t begin, uint64_t end) {
  constexpr uint64_t kMostCleared = 64 * kPageBytes;
  const uint64_t first = pageEnd(begin), last = pageBegin(end);
  if (last <= first || last - first < kMostCleared) {
    std::memset(shadowOf(begin), 0, end - begin);
    return;
  }
  std::memset(shadowOf(begin), 0, first - begin);
  if (madvise(shadowOf(first), last - first, MADV_DONTNEED) != 0)
    std::memset(shadowOf(first), 0, last - first);
  std::memset(shadowOf(last), 0, end - last);
}

}  // namespace

ShadowMemory::~ShadowMemory() {
  while (!ranges_.empty()) {
    const Range range = ranges_.back();
    ranges_.pop_back();
    for (const Range& piece : uncovered(range))
      munmap(shadowOf(piece.begin), piece.end - piece.begin);
  }
}

// What of a range no other has.
std::vector<ShadowMemory::Range> ShadowMemory::uncovered(Range range) const {
  std::vector<Range> pieces{range};
  for (const Range& other : ranges_) {
    std::vector<Range> left;
    for (const Range& piece : pieces) {
      if (other.end <= piece.begin || piece.end <= other.begin) {
        left.push_back(piece);
        continue;
      }
      if (piece.begin < other.begin) left.push_back({piece.begin, other.begin});
      if (other.end < piece.end) left.push_back({other.end, piece.end});
    }
    pieces = std::move(left);
  }
  return pieces;
}

bool ShadowMemory::covers(Range range) const {
  return range.begin < range.end && uncovered(range).empty();
}

bool ShadowMemory::add(uint64_t address, uint64_t bytes, bool is_defined) {
  const Range range{pageBegin(address), pageEnd(address + bytes)};
  std::lock_guard lock(mutex_);
  std::vector<Range> mapped;
  for (const Range& piece : uncovered(range)) {
    if (mapShadow(piece.begin, piece.end)) {
      mapped.push_back(piece);
      continue;
    }
    for (const Range& done : mapped) munmap(shadowOf(done.begin), done.end - done.begin);
    return false;
  }
  ranges_.push_back(range);
  if (!is_defined) unsettled_.push_back({address, address + bytes});
  return true;
}

void ShadowMemory::remove(uint64_t address, uint64_t bytes) {
  const Range range{pageBegin(address), pageEnd(address + bytes)};
  std::lock_guard lock(mutex_);
  const auto found = std::find(ranges_.begin(), ranges_.end(), range);
  if (found == ranges_.end()) return;
  ranges_.erase(found);
  std::erase(unsettled_, Range{address, address + bytes});
  for (const Range& piece : uncovered(range))
    munmap(shadowOf(piece.begin), piece.end - piece.begin);
}

void ShadowMemory::define(uint64_t address, uint64_t bytes) {
  const Range range{address, address + bytes};
  std::lock_guard lock(mutex_);
  if (!covers(range)) return;
  if (std::erase(unsettled_, range) != 0) return;  // all of it, and nothing was set yet
  settleWithLock();
  clear(range.begin, range.end);
}

void ShadowMemory::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  std::lock_guard lock(mutex_);
  settleWithLock();
  if (!covers({to, to + bytes})) return;
  if (covers({from, from + bytes}))
    std::memcpy(shadowOf(to), shadowOf(from), bytes);
  else
    clear(to, to + bytes);
}

void ShadowMemory::settle() {
  std::lock_guard lock(mutex_);
  settleWithLock();
}

void ShadowMemory::settleWithLock() {
  for (const Range& range : unsettled_)
    std::memset(shadowOf(range.begin), 0xff, range.end - range.begin);
  unsettled_.clear();
}

bool ShadowMemory::isUndefined(uint64_t address) const {
  std::lock_guard lock(mutex_);
  if (!covers({address, address + 1})) return false;
  for (const Range& range : unsettled_)
    if (range.begin <= address && address < range.end) return true;
  return *static_cast<const uint8_t*>(shadowOf(address)) != 0;
}

}  // namespace rt

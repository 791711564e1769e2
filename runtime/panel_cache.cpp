// SPDX-License-Identifier: Apache-2.0

#include "runtime/panel_cache.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace rt {

namespace {

constexpr size_t kLine = 64;

// Before each panel, followed by the words of the key.
struct Header {
  uint64_t form;
  uint64_t bytes;
  uint64_t key_words;
  uint64_t next;  // position of the panel that followed it, 0: none yet
};

constexpr size_t headerBytes(size_t key_words) {
  return roundUp(sizeof(Header) + key_words * sizeof(uint64_t), kLine);
}

// Some words of a long key tell panels apart as a rule; the whole key is compared anyhow.
uint64_t hashOf(std::span<const uint64_t> key, uint64_t form) {
  uint64_t hash = form;
  auto add = [&](uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  };
  const size_t step = std::max<size_t>(key.size() / 8, 1);
  for (size_t i = 0; i < key.size(); i += step) add(key[i]);
  add(key.back());
  return hash;
}

thread_local PanelCache* current = nullptr;

}  // namespace

PanelCache::~PanelCache() { freePages(ring_, ring_bytes_); }

void PanelCache::begin(uint64_t dispatch, size_t bytes) noexcept {
  if (dispatch == dispatch_ && bytes == bytes_) return;
  dispatch_ = dispatch;
  bytes_ = bytes;
  bytes_found_ = 0;
  bytes_in_place_ = 0;
  largest_ = 0;
  if (bytes == 0) return;
  // From the start of the ring again, which the processor's caches are more likely to have.
  end_ = roundUp(end_, bytes);
  first_ = end_;
}

bool PanelCache::takeMemory() noexcept {
  if (bytes_ <= ring_bytes_) return bytes_ != 0;
  freePages(ring_, ring_bytes_);
  ring_bytes_ = 0;
  ring_ = allocatePages(bytes_);
  try {
    if (ring_)
      table_.assign(std::bit_floor(std::max(bytes_ / kBytesPerEntry, kMinEntries)), Entry{});
  } catch (const std::bad_alloc&) {
    freePages(ring_, bytes_);
    ring_ = nullptr;
  }
  if (!ring_) {
    bytes_ = 0;
    return false;
  }
  ring_bytes_ = bytes_;
  return true;
}

bool PanelCache::isAlive(uint64_t position) const {
  return position >= first_ && position + bytes_ - margin() >= end_;
}

uint64_t PanelCache::inOnePiece(uint64_t position, size_t bytes) const {
  const uint64_t left = bytes_ - position % bytes_;
  return left < bytes ? position + left : position;
}

bool PanelCache::isSame(uint64_t position, std::span<const uint64_t> key, uint64_t form,
                        size_t bytes) const {
  Header header;
  std::memcpy(&header, at(position), sizeof header);
  return header.form == form && header.bytes == bytes && header.key_words == key.size() &&
         std::memcmp(at(position) + sizeof header, key.data(), key.size_bytes()) == 0;
}

PanelCache::Panel PanelCache::follow(uint64_t form, uint64_t position) {
  Header header;
  Latest& latest = latest_[form % kForms];
  if (latest.form == form && isAlive(latest.position))
    std::memcpy(at(latest.position) + offsetof(Header, next), &position, sizeof position);
  std::memcpy(&header, at(position), sizeof header);
  latest = {form, position, header.next};
  Panel panel{at(position) + headerBytes(header.key_words), true};
  if (!isAlive(header.next)) return panel;
  const std::byte* next = at(header.next);
  panel.next = next + headerBytes(header.key_words);
  for (; next != panel.next; next += kLine) __builtin_prefetch(next, 0, 2);  // to be compared soon
  return panel;
}

PanelCache::Panel PanelCache::find(std::span<const uint64_t> key, uint64_t form,
                                   size_t bytes) noexcept {
  const size_t header_bytes = headerBytes(key.size());
  const size_t whole = header_bytes + roundUp(bytes, kLine);
  bytes_found_ += whole;
  if (whole > bytes_ / kMarginPart || key.empty() || !takeMemory()) return {};
  if (whole > largest_) {
    // What the call before found may lie where this one would go.
    const bool is_safe = 2 * whole <= margin();
    largest_ = whole;
    if (!is_safe) return {};
  }
  auto isIt = [&](uint64_t position) {
    return isAlive(position) && isSame(position, key, form, bytes);
  };
  const Latest& latest = latest_[form % kForms];
  if (latest.form == form && isIt(latest.next)) return follow(form, latest.next);
  const uint64_t hash = hashOf(key, form);
  Entry* set = &table_[hash * kWays % table_.size()];
  Entry* oldest = set;
  for (Entry* entry = set; entry != set + kWays; ++entry) {
    if (entry->hash == hash && isIt(entry->position)) return follow(form, entry->position);
    if (entry->position < oldest->position) oldest = entry;
  }
  end_ = inOnePiece(end_, whole);
  const Header header{form, bytes, key.size(), 0};
  std::memcpy(at(end_), &header, sizeof header);
  std::memcpy(at(end_) + sizeof header, key.data(), key.size_bytes());
  *oldest = {hash, end_};
  end_ += whole;
  follow(form, oldest->position);
  return {at(oldest->position) + header_bytes, false, at(inOnePiece(end_, whole)) + header_bytes};
}

PanelCacheSizes panelCacheSizes(uint32_t threads, uint64_t memory) {
  constexpr size_t kMiB = PanelCache::kGranularity;
  // Of the memory, for all workers.
  constexpr uint64_t kMemoryPart = 32;
  threads = std::max(threads, 1u);
  const size_t third = size_t(std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 0l));
  const size_t share = secondLevelBytes() + third / threads;
  const size_t usual = std::clamp(share / kMiB * kMiB, 2 * kMiB, 16 * kMiB);
  const uint64_t affordable = memory / kMemoryPart / threads / kMiB * kMiB;
  // Measured on Zen 4, products of 4096 cubed in 4x4 tiles of f64, with 16, 40, 72, 136 and 264
  // MiB: 0.66, 0.74, 0.76 to 0.79, 0.80 and 0.80 of the peak.
  return {usual, std::clamp<uint64_t>(affordable, usual, 128 * kMiB)};
}

size_t secondLevelBytes() {
  static const size_t bytes = size_t(std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 0l));
  return bytes;
}

PanelCache* panelCache() noexcept { return current; }

void setPanelCache(PanelCache* cache) noexcept { current = cache; }

}  // namespace rt

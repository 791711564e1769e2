// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/memory_map.h"

#include <algorithm>
#include <mutex>

#include "runtime/quantity.h"

namespace rt {

namespace {

constexpr size_t kRemembered = 256;

}  // namespace

void MemoryMap::addAllocation(const Range& range) {
  std::lock_guard lock(mutex_);
  allocations_.emplace(range.begin, range);
  longest_allocation_ = std::max(longest_allocation_, range.bytes());
}

void MemoryMap::addBuffer(const Range& range) {
  std::lock_guard lock(mutex_);
  buffers_.emplace(range.begin, range);
  longest_buffer_ = std::max(longest_buffer_, range.bytes());
}

void MemoryMap::remove(uint64_t object) {
  std::lock_guard lock(mutex_);
  auto is_it = [&](const auto& entry) { return entry.second.object == object; };
  auto allocation = std::find_if(allocations_.begin(), allocations_.end(), is_it);
  auto forget = [&](Ranges::iterator buffer) {
    if (gone_.size() == kRemembered) gone_.pop_front();
    gone_.push_back({buffer->second, nameOf(buffer->second.object)});
    return buffers_.erase(buffer);
  };
  if (allocation != allocations_.end()) {
    const Range gone = allocation->second;
    allocations_.erase(allocation);
    // What was bound to it has no memory any more, unless the same memory was imported twice.
    for (auto buffer = buffers_.lower_bound(gone.begin);
         buffer != buffers_.end() && buffer->first < gone.end;) {
      const bool is_elsewhere =
          find(allocations_, longest_allocation_, buffer->first, 1).has_value();
      buffer = is_elsewhere ? std::next(buffer) : forget(buffer);
    }
  } else if (auto buffer = std::find_if(buffers_.begin(), buffers_.end(), is_it);
             buffer != buffers_.end()) {
    forget(buffer);
  }
  names_.erase(object);
}

void MemoryMap::rename(uint64_t object, std::string name) {
  std::lock_guard lock(mutex_);
  if (name.empty())
    names_.erase(object);
  else
    names_[object] = std::move(name);
}

// Ranges may overlap: of those that begin at or before the address, none that begins further before
// it than the longest one is long can reach it.
std::optional<MemoryMap::Range> MemoryMap::find(const Ranges& ranges, uint64_t longest,
                                                uint64_t address, uint64_t bytes) {
  std::optional<Range> best;
  for (auto after = ranges.upper_bound(address); after != ranges.begin();) {
    --after;
    if (address - after->first > longest) break;
    if (after->second.contains(address, bytes) && (!best || after->second.bytes() < best->bytes()))
      best = after->second;
  }
  return best;
}

std::optional<MemoryMap::Range> MemoryMap::bufferAt(uint64_t address, uint64_t bytes) const {
  std::shared_lock lock(mutex_);
  return find(buffers_, longest_buffer_, address, bytes);
}

std::optional<MemoryMap::Range> MemoryMap::allocationAt(uint64_t address, uint64_t bytes) const {
  std::shared_lock lock(mutex_);
  return find(allocations_, longest_allocation_, address, bytes);
}

std::vector<MemoryMap::NamedBuffer> MemoryMap::buffers() const {
  std::shared_lock lock(mutex_);
  std::vector<NamedBuffer> result;
  for (const auto& [begin, range] : buffers_) {
    if (!find(allocations_, longest_allocation_, begin, range.bytes())) continue;
    const auto name = names_.find(range.object);
    result.push_back({range, name != names_.end() ? name->second : ""});
  }
  return result;
}

std::string MemoryMap::nameOf(uint64_t object) const {
  auto name = names_.find(object);
  return name != names_.end() ? "'" + name->second + "'" : describeAddress(object);
}

std::string MemoryMap::describe(const char* kind, uint64_t object) const {
  std::shared_lock lock(mutex_);
  return std::string(kind) + " " + nameOf(object);
}

std::string MemoryMap::describeNeighbourhood(uint64_t address) const {
  std::shared_lock lock(mutex_);
  for (auto gone = gone_.rbegin(); gone != gone_.rend(); ++gone)
    if (gone->range.contains(address, 1))
      return "that was " + std::to_string(address - gone->range.begin) + " bytes into buffer " +
             gone->name + ", which has been destroyed or has lost its memory";
  const auto after = buffers_.upper_bound(address);
  const Range* before = nullptr;  // that ends last
  for (auto buffer = after; buffer != buffers_.begin();) {
    --buffer;
    if (before == nullptr || buffer->second.end > before->end) before = &buffer->second;
    if (address - buffer->first > longest_buffer_) break;
  }
  if (before != nullptr) {
    const uint64_t past = address - std::min(address, before->end);
    if (past < before->bytes() + 4096)
      return std::to_string(past) + " bytes past the end of buffer " + nameOf(before->object) +
             " of " + std::to_string(before->bytes()) + " bytes";
  }
  if (after != buffers_.end() && after->first - address < 4096)
    return std::to_string(after->first - address) + " bytes before buffer " +
           nameOf(after->second.object);
  if (address < 4096) return "a null address, or one counted from it";
  return "no buffer is near it";
}

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

#include "icd/api_check/host_watch.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace icd {

namespace {

using Bytes = HostWatch::Bytes;

constexpr std::chrono::milliseconds kPatience(100);
// Of copies at a time; what is beyond them is not watched.
constexpr uint64_t kMostSnapshotBytes = uint64_t{256} << 20;

// Ascending, apart from each other.
std::vector<Bytes> unite(std::vector<Bytes> all) {
  std::ranges::sort(all, {}, &Bytes::begin);
  std::vector<Bytes> united;
  for (const Bytes& one : all) {
    if (one.begin >= one.end) continue;
    if (!united.empty() && one.begin <= united.back().end) {
      united.back().end = std::max(united.back().end, one.end);
    } else {
      united.push_back(one);
    }
  }
  return united;
}

// Both are united.
std::vector<Bytes> intersect(const std::vector<Bytes>& a, const std::vector<Bytes>& b) {
  std::vector<Bytes> common;
  for (const Bytes& one : a)
    for (const Bytes& other : b) {
      const Bytes both{std::max(one.begin, other.begin), std::min(one.end, other.end)};
      if (both.begin < both.end) common.push_back(both);
    }
  return common;
}

std::vector<Bytes> subtract(const std::vector<Bytes>& from, const std::vector<Bytes>& taken) {
  std::vector<Bytes> rest = from;
  for (const Bytes& out : taken) {
    std::vector<Bytes> next;
    for (const Bytes& one : rest) {
      if (out.end <= one.begin || one.end <= out.begin) {
        next.push_back(one);
        continue;
      }
      if (one.begin < out.begin) next.push_back({one.begin, out.begin});
      if (out.end < one.end) next.push_back({out.end, one.end});
    }
    rest = std::move(next);
  }
  return rest;
}

const std::byte* at(uint64_t address) { return reinterpret_cast<const std::byte*>(address); }

}  // namespace

void HostWatch::map(uint64_t memory, const Bytes& bytes) {
  std::lock_guard lock(mutex_);
  mapped_[memory] = bytes;
  for (Entry& entry : entries_) {
    std::vector<Bytes> known;
    for (const Snapshot& snapshot : entry.snapshots) known.push_back(snapshot.bytes);
    takeSnapshots(entry, subtract({bytes}, known));
  }
}

void HostWatch::unmap(uint64_t memory) {
  std::lock_guard lock(mutex_);
  mapped_.erase(memory);
}

void HostWatch::free(const Bytes& bytes) {
  std::lock_guard lock(mutex_);
  std::erase_if(mapped_, [&](const auto& one) {
    return one.second.begin < bytes.end && bytes.begin < one.second.end;
  });
  for (Entry& entry : entries_) {
    entry.candidates = subtract(entry.candidates, {bytes});
    std::erase_if(entry.snapshots, [&](const Snapshot& snapshot) {
      const bool is_gone = snapshot.bytes.begin < bytes.end && bytes.begin < snapshot.bytes.end;
      if (is_gone) snapshot_bytes_ -= snapshot.content.size();
      return is_gone;
    });
  }
}

void HostWatch::takeSnapshots(Entry& entry, const std::vector<Bytes>& mapped) {
  for (const Bytes& bytes : intersect(entry.candidates, unite(mapped))) {
    const uint64_t size = bytes.end - bytes.begin;
    if (snapshot_bytes_ + size > kMostSnapshotBytes) continue;
    snapshot_bytes_ += size;
    entry.snapshots.push_back({bytes, {at(bytes.begin), at(bytes.end)}});
  }
}

void HostWatch::submit(Batch batch, const std::function<bool(uint64_t)>& hasEnded) {
  std::lock_guard lock(mutex_);
  std::erase_if(running_, [&](const Running& one) { return hasEnded(one.number); });
  std::vector<Bytes> accessed, stored, stored_before;
  for (const CommandAccess& access : batch.accesses) {
    accessed.push_back({access.begin, access.end});
    if (access.is_stored) stored.push_back({access.begin, access.end});
  }
  bool is_anything_stable = !batch.is_ordered_elsewhere;
  for (const Running& one : running_) {
    is_anything_stable &= !one.is_unknown;
    stored_before.insert(stored_before.end(), one.stored.begin(), one.stored.end());
  }
  Entry& entry = entries_.emplace_back(batch.number, batch.recording, std::move(batch.accesses),
                                       std::vector<Bytes>(), std::vector<Snapshot>());
  running_.push_back({batch.number, unite(std::move(stored)),
                      batch.writes_anywhere || batch.is_ordered_elsewhere});
  if (!is_anything_stable) return;
  entry.candidates = subtract(unite(std::move(accessed)), unite(std::move(stored_before)));
  std::vector<Bytes> mapped;
  for (const auto& [memory, bytes] : mapped_) mapped.push_back(bytes);
  takeSnapshots(entry, mapped);
}

void HostWatch::cancel(uint64_t number) {
  std::lock_guard lock(mutex_);
  while (!entries_.empty() && entries_.back().number >= number) {
    for (const Snapshot& snapshot : entries_.back().snapshots)
      snapshot_bytes_ -= snapshot.content.size();
    entries_.pop_back();
  }
  std::erase_if(running_, [&](const Running& one) { return one.number >= number; });
}

void HostWatch::refresh() {
  std::lock_guard lock(mutex_);
  for (Entry& entry : entries_)
    for (Snapshot& snapshot : entry.snapshots)
      std::memcpy(snapshot.content.data(), at(snapshot.bytes.begin), snapshot.content.size());
}

void HostWatch::release(uint64_t number) {
  std::lock_guard lock(mutex_);
  released_ = std::max(released_, number);
  released_now_.notify_all();
}

std::vector<Bytes> HostWatch::changed(const Entry& entry) const {
  constexpr uint64_t kBlock = 64;
  std::vector<Bytes> result;
  for (const Snapshot& snapshot : entry.snapshots) {
    const std::byte* now = at(snapshot.bytes.begin);
    const std::byte* then = snapshot.content.data();
    for (uint64_t block = 0; block < snapshot.content.size(); block += kBlock) {
      const uint64_t end = std::min<uint64_t>(block + kBlock, snapshot.content.size());
      if (std::memcmp(now + block, then + block, end - block) == 0) continue;
      for (uint64_t k = block; k < end; ++k)
        if (now[k] != then[k])
          result.push_back({snapshot.bytes.begin + k, snapshot.bytes.begin + k + 1});
    }
  }
  return unite(std::move(result));
}

// What commands access without a kernel.
void HostWatch::report(const Entry& entry) const {
  for (const CommandAccess& access : entry.accesses) {
    if (!access.is_whole) continue;
    const auto written = checker_.host_writes.find(access.begin, access.end - access.begin);
    if (!written) continue;
    Findings found;
    std::vector<std::string> details;
    if (const auto buffer = checker_.memory().bufferAt(*written, 1))
      details.push_back(checker_.memory().describe("buffer", buffer->object) + " of " +
                        std::to_string(buffer->bytes()) + " bytes, byte " +
                        std::to_string(*written - buffer->begin));
    addFinding(found, rt::FindingKind::HostAccess, {},
               *access.how + ", accesses what the host has written since the submission",
               std::move(details));
    found[0].address = *written;
    found[0].is_store = access.is_stored;
    if (checker_.isNews(found[0].kind, found[0].what)) checker_.report(found[0]);
  }
}

void HostWatch::begin(uint64_t recording) {
  std::unique_lock lock(mutex_);
  if (entries_.empty() || entries_.front().recording != recording) return;
  const uint64_t number = entries_.front().number;
  if (!entries_.front().snapshots.empty())
    released_now_.wait_for(lock, kPatience, [&] { return released_ >= number; });
  const Entry entry = std::move(entries_.front());
  entries_.pop_front();
  for (const Snapshot& snapshot : entry.snapshots) snapshot_bytes_ -= snapshot.content.size();
  checker_.host_writes.set(changed(entry));
  if (checker_.host_writes.count != 0) report(entry);
}

}  // namespace icd

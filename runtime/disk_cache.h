// SPDX-License-Identifier: Apache-2.0

// Bytes by key in a folder, for later processes: compiled kernels.
//
// Any number of processes and threads use one folder at the same time, without locks: an entry is a
// file that appears whole, by renaming, and whose header tells whether its contents are what was
// written. Whatever goes wrong (disk full, a limit on file sizes, no permission, files cut short,
// changed or removed behind its back) means that an entry is not found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rt {

// Thread-safe; holds no file open and nothing in memory.
class DiskCache {
 public:
  using Key = std::array<uint8_t, 32>;

  // `folder` is made when something is first kept, for the user alone. One that exists is used only
  // if it is a folder (no link), belongs to the user and nobody else has any access to it: entries
  // are code. `max_bytes` is what the entries may take; more is removed, least recently used first.
  DiskCache(std::string folder, uint64_t max_bytes);

  std::optional<std::vector<std::byte>> find(const Key& key) const;
  // Whether it was kept; if not, `why` is told the reason.
  bool insert(const Key& key, std::span<const std::byte> bytes, std::string* why = nullptr) const;

  // Why the folder as it is cannot be used; empty when it can, or is not there yet.
  std::string complaint() const;

 private:
  void prune(int folder) const;

  const std::string folder_;
  const uint64_t max_bytes_;
};

// Where this user's cache is: tessera/kernels in $XDG_CACHE_HOME (if absolute) or in ~/.cache.
// Empty when neither variable is set, or the program runs with raised privileges.
std::string defaultCacheFolder();

}  // namespace rt

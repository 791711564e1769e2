// SPDX-License-Identifier: Apache-2.0

// Bytes of device memory that the host has written while a submission was pending which may use
// them. Whether a command accesses one of them is another matter: kernels that check it ask here.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace rt {

class HostWrites {
 public:
  struct Bytes {
    uint64_t begin, end;  // addresses
  };

  // The first member: kernels look whether it is 0 before they ask for more.
  std::atomic<uint64_t> count = 0;

  // Ascending, apart from each other. For the queue's thread while no command runs.
  void set(std::vector<Bytes> bytes) {
    bytes_ = std::move(bytes);
    count.store(bytes_.size(), std::memory_order_relaxed);
  }
  const std::vector<Bytes>& bytes() const { return bytes_; }

  // The first of them in [address, address + size).
  std::optional<uint64_t> find(uint64_t address, uint64_t size) const {
    auto at = std::ranges::upper_bound(bytes_, address, {}, &Bytes::end);
    if (at == bytes_.end() || at->begin >= address + size) return std::nullopt;
    return std::max(at->begin, address);
  }

 private:
  std::vector<Bytes> bytes_;
};

}  // namespace rt

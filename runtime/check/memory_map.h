// SPDX-License-Identifier: Apache-2.0

// Which memory a device has: allocations, buffers in them, and their names. Kept only where shaders
// are checked or dispatches captured.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace rt {

// Thread-safe. Objects are told apart by numbers, their handles.
class MemoryMap {
 public:
  struct Range {
    uint64_t object = 0;
    uint64_t begin = 0, end = 0;  // addresses
    uint64_t bytes() const { return end - begin; }
    bool contains(uint64_t address, uint64_t size) const {
      return begin <= address && address <= end && size <= end - address;
    }
  };

  void addAllocation(const Range& range);
  void addBuffer(const Range& range);
  // Of either kind; nothing happens to what was never added.
  void remove(uint64_t object);
  // An empty name takes the old one away.
  void rename(uint64_t object, std::string name);

  // The smallest buffer that holds all of [address, address + bytes).
  std::optional<Range> bufferAt(uint64_t address, uint64_t bytes) const;
  std::optional<Range> allocationAt(uint64_t address, uint64_t bytes) const;

  struct NamedBuffer {
    Range range;
    std::string name;  // empty: none was given
  };
  // Those that lie in an allocation which is there still, by their starts.
  std::vector<NamedBuffer> buffers() const;

  // "buffer 'weights'", and "buffer 0x55d0" without a name.
  std::string describe(const char* kind, uint64_t object) const;
  // What there is near an address that leads into no buffer, in words.
  std::string describeNeighbourhood(uint64_t address) const;

 private:
  struct Gone {
    Range range;
    std::string name;
  };

  // By their starts; several may begin at one address.
  using Ranges = std::multimap<uint64_t, Range>;
  static std::optional<Range> find(const Ranges& ranges, uint64_t longest, uint64_t address,
                                   uint64_t bytes);
  std::string nameOf(uint64_t object) const;

  mutable std::shared_mutex mutex_;
  Ranges allocations_, buffers_;
  uint64_t longest_allocation_ = 0, longest_buffer_ = 0;  // that there ever was
  std::map<uint64_t, std::string> names_;
  std::deque<Gone> gone_;  // the last buffers that were destroyed or lost their memory
};

}  // namespace rt

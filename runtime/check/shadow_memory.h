// SPDX-License-Identifier: Apache-2.0

// Which bits of a device's memory nobody has written since it was allocated, for checks of
// undefined values: for each byte of memory a byte of shadow at a fixed distance, of which each bit
// is 1 while the memory's bit is undefined. Checked kernels load and store it beside the memory
// itself. Source: Stepanov and Serebryany, "MemorySanitizer: fast detector of uninitialized memory
// use in C++", CGO 2015.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace rt {

// The shadow of an address is so much below it. Programs, libraries and mappings of Linux on x86-64
// lie at 0x55.. and 0x7f.. with 12 digits, and nothing lies where their shadows then are.
inline constexpr uint64_t kShadowDistance = uint64_t{0x5000} << 32;

// Thread-safe, but for what kernels do.
class ShadowMemory {
 public:
  ShadowMemory() = default;
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;
  ~ShadowMemory();

  // Memory of which all is undefined, or, of others' memory, all defined. False where there is none
  // for its shadow. Memory may be added again while it is there: once for each name that it has.
  bool add(uint64_t address, uint64_t bytes, bool is_defined);
  void remove(uint64_t address, uint64_t bytes);

  // It is written by somebody who does not say what.
  void define(uint64_t address, uint64_t bytes);
  // It becomes a copy of other memory; the two do not overlap.
  void copy(uint64_t to, uint64_t from, uint64_t bytes);
  // Before a kernel runs: what was added gets its shadow's values now, when it is known whether the
  // host has mapped all of it before.
  void settle();

  // Whether the first byte at an address is in memory that was added, and has an undefined bit.
  bool isUndefined(uint64_t address) const;

 private:
  struct Range {
    uint64_t begin, end;
    bool operator==(const Range&) const = default;
  };
  std::vector<Range> uncovered(Range range) const;
  bool covers(Range range) const;
  void settleWithLock();

  mutable std::mutex mutex_;
  std::vector<Range> ranges_;     // whole pages, as they were added
  std::vector<Range> unsettled_;  // that are to become undefined
};

}  // namespace rt

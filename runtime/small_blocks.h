// SPDX-License-Identifier: Apache-2.0

// Memory for many small allocations: blocks of one size side by side, with nothing between them but
// room. What keeps account of them lies elsewhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>

#include "runtime/pages.h"

namespace rt {

// Thread-safe.
class SmallBlocks {
 public:
  static constexpr size_t kAlignment = 64;
  // Bytes after each block that belong to nobody: what a shader stores a little past the end of a
  // buffer hits no other.
  static constexpr size_t kGap = 64;
  static constexpr size_t kLargest = kPageBytes;

  class Slab;
  struct Block {
    std::byte* address;  // null: the system has no memory left
    Slab* slab;          // that it is part of
  };

  SmallBlocks();
  ~SmallBlocks();
  SmallBlocks(const SmallBlocks&) = delete;
  SmallBlocks& operator=(const SmallBlocks&) = delete;

  // Zeroed. `bytes`: 1 to kLargest. Throws std::bad_alloc.
  Block allocate(size_t bytes);
  void free(const Block& block) noexcept;

 private:
  // Blocks of up to a certain size, in slabs.
  struct SizeClass {
    std::list<Slab> with_room, full;
  };

  std::mutex mutex_;
  std::array<SizeClass, kLargest / kAlignment> classes_;
};

}  // namespace rt

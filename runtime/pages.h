// SPDX-License-Identifier: Apache-2.0

// Memory from the system, in pages.
#pragma once

#include <cstddef>

namespace rt {

inline constexpr size_t kPageBytes = 4096;
inline constexpr size_t kHugePageBytes = size_t{2} << 20;

constexpr size_t roundUp(size_t bytes, size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

constexpr size_t roundToPages(size_t bytes) { return roundUp(bytes, kPageBytes); }

// Zeroed. `bytes` is rounded up to pages. A huge page or more is aligned to huge pages and advised
// to use them. Null when the system refuses.
std::byte* allocatePages(size_t bytes) noexcept;

// The same for the pages of a file, which others may have mapped too. The file may be closed
// afterwards.
std::byte* mapPages(int file, size_t bytes) noexcept;

// One more mapping of whole pages of a file, where the system likes, or at `at` instead of what
// is mapped there. `offset` is one of a page.
std::byte* mapView(int file, size_t offset, size_t bytes, void* at) noexcept;
// Takes what is mapped there away, but keeps the addresses from being given out. False, and all is
// as it was, when the system refuses.
bool reservePages(std::byte* address, size_t bytes) noexcept;

// With the bytes that were asked for, of any of the mappings above. Null is allowed.
void freePages(std::byte* address, size_t bytes) noexcept;

}  // namespace rt

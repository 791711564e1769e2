// Zeroed memory from the system, in pages.
#pragma once

#include <cstddef>

namespace rt {

inline constexpr size_t kPageBytes = 4096;
inline constexpr size_t kHugePageBytes = size_t{2} << 20;

constexpr size_t roundToPages(size_t bytes) {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

// `bytes` is rounded up to pages. A huge page or more is aligned to huge pages and advised to use
// them. Null when the system refuses.
std::byte* allocatePages(size_t bytes) noexcept;

// With the bytes that were asked for. Null is allowed.
void freePages(std::byte* address, size_t bytes) noexcept;

}  // namespace rt

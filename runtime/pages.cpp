// SPDX-License-Identifier: Apache-2.0

#include "runtime/pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace rt {

namespace {

constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS;

std::byte* map(void* at, size_t bytes, int flags, int file) {
  void* address = mmap(at, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
}

// An unused range of addresses that is aligned to huge pages.
std::byte* reserveHugePages(size_t rounded) {
  // Mapped with room for the alignment; what lies before and after goes back.
  std::byte* mapped = map(nullptr, rounded + kHugePageBytes, kAnonymous, -1);
  if (!mapped) return nullptr;
  size_t before = -reinterpret_cast<uintptr_t>(mapped) % kHugePageBytes;
  std::byte* address = mapped + before;
  if (before) munmap(mapped, before);
  munmap(address + rounded, kHugePageBytes - before);
  return address;
}

}  // namespace

std::byte* allocatePages(size_t bytes) noexcept {
  if (bytes > SIZE_MAX / 2) return nullptr;
  size_t rounded = roundToPages(bytes);
  if (rounded < kHugePageBytes) return map(nullptr, rounded, kAnonymous, -1);
  std::byte* address = reserveHugePages(rounded);
  if (address) madvise(address, rounded, MADV_HUGEPAGE);  // a wish, which some systems refuse
  return address;
}

std::byte* mapPages(int file, size_t bytes) noexcept {
  if (bytes > SIZE_MAX / 2) return nullptr;
  size_t rounded = roundToPages(bytes);
  if (rounded < kHugePageBytes) return map(nullptr, rounded, MAP_SHARED, file);
  std::byte* reserved = reserveHugePages(rounded);
  if (!reserved) return nullptr;
  std::byte* address = map(reserved, rounded, MAP_SHARED | MAP_FIXED, file);
  if (!address) {
    munmap(reserved, rounded);
    return nullptr;
  }
  madvise(address, rounded, MADV_HUGEPAGE);
  return address;
}

std::byte* mapView(int file, size_t offset, size_t bytes, void* at) noexcept {
  const int flags = MAP_SHARED | (at ? MAP_FIXED : 0);
  void* address = mmap(at, roundToPages(bytes), PROT_READ | PROT_WRITE, flags, file,
                       static_cast<off_t>(offset));
  return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
}

bool reservePages(std::byte* address, size_t bytes) noexcept {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  return mmap(address, roundToPages(bytes), PROT_NONE, kFlags, -1, 0) != MAP_FAILED;
}

void freePages(std::byte* address, size_t bytes) noexcept {
  if (address) munmap(address, roundToPages(bytes));
}

}  // namespace rt

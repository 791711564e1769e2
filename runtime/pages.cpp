#include "runtime/pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace rt {

namespace {

std::byte* map(size_t bytes) {
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
}

}  // namespace

std::byte* allocatePages(size_t bytes) noexcept {
  if (bytes > SIZE_MAX / 2) return nullptr;
  size_t rounded = roundToPages(bytes);
  if (rounded < kHugePageBytes) return map(rounded);

  // Mapped with room for the alignment; what lies before and after goes back.
  std::byte* mapped = map(rounded + kHugePageBytes);
  if (!mapped) return nullptr;
  size_t before = -reinterpret_cast<uintptr_t>(mapped) % kHugePageBytes;
  std::byte* address = mapped + before;
  if (before) munmap(mapped, before);
  munmap(address + rounded, kHugePageBytes - before);
  madvise(address, rounded, MADV_HUGEPAGE);  // a wish: systems without huge pages refuse it
  return address;
}

void freePages(std::byte* address, size_t bytes) noexcept {
  if (address) munmap(address, roundToPages(bytes));
}

}  // namespace rt

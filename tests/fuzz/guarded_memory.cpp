// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

namespace fuzz {
namespace {

constexpr size_t kAlignment = 64;
// Far accesses are more likely than near ones to hit what belongs to somebody else.
constexpr size_t kFence = size_t{64} << 10;  // on both sides
constexpr std::byte kPattern{0xa5};

size_t roundUp(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

GuardedMemory::GuardedMemory(size_t bytes) : size_(bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t room = roundUp(bytes + kAlignment, page);  // the pattern before has a place, too
  page_bytes_ = room + 2 * kFence;
  void* pages = mmap(nullptr, page_bytes_, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<std::byte*>(pages);
  if (mprotect(pages_ + kFence, room, PROT_READ | PROT_WRITE) != 0) {
    munmap(pages_, page_bytes_);
    throw std::bad_alloc();
  }
  data_ = pages_ + kFence + room - roundUp(bytes, kAlignment);
  everyGuard([](std::byte& byte) {
    byte = kPattern;
    return true;
  });
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)),
      page_bytes_(other.page_bytes_),
      data_(other.data_),
      size_(other.size_) {}

GuardedMemory::~GuardedMemory() {
  if (pages_ != nullptr) munmap(pages_, page_bytes_);
}

void GuardedMemory::makeReadOnly() {
  mprotect(pages_ + kFence, page_bytes_ - 2 * kFence, PROT_READ);
}

template <typename Visit>
bool GuardedMemory::everyGuard(Visit visit) const {
  std::byte* const end = pages_ + page_bytes_ - kFence;
  for (std::byte* at = pages_ + kFence; at != data_; ++at)
    if (!visit(*at)) return false;
  for (std::byte* at = data_ + size_; at != end; ++at)
    if (!visit(*at)) return false;
  return true;
}

bool GuardedMemory::isIntact() const {
  return everyGuard([](std::byte byte) { return byte == kPattern; });
}

bool GuardedMemory::isNear(const void* address) const {
  return address >= pages_ && address < pages_ + page_bytes_;
}

}  // namespace fuzz

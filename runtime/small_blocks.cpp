// SPDX-License-Identifier: Apache-2.0

#include "runtime/small_blocks.h"

#include <bit>
#include <cstring>
#include <utility>

namespace rt {

// 64 blocks: whole pages, as each of them is a multiple of 64 bytes, and a bit for each in a word.
class SmallBlocks::Slab {
 public:
  static constexpr size_t kBlocks = 64;

  Slab(SizeClass& size_class, size_t stride)
      : size_class(size_class), stride_(stride), pages_(allocatePages(kBlocks * stride)) {}
  ~Slab() { freePages(pages_, kBlocks * stride_); }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  bool hasPages() const { return pages_ != nullptr; }
  bool isFull() const { return free_ == 0; }
  bool isEmpty() const { return free_ == ~uint64_t{0}; }

  std::byte* take() {
    const int index = std::countr_zero(free_);
    free_ &= free_ - 1;
    return pages_ + static_cast<size_t>(index) * stride_;
  }

  void putBack(const std::byte* block) {
    free_ |= uint64_t{1} << (static_cast<size_t>(block - pages_) / stride_);
  }

  SizeClass& size_class;
  std::list<Slab>::iterator position;  // in one of the lists of its class

 private:
  const size_t stride_;
  std::byte* const pages_;
  uint64_t free_ = ~uint64_t{0};
};

static_assert(SmallBlocks::Slab::kBlocks * SmallBlocks::kAlignment % kPageBytes == 0);
static_assert(SmallBlocks::kGap % SmallBlocks::kAlignment == 0);

SmallBlocks::SmallBlocks() = default;
SmallBlocks::~SmallBlocks() = default;

SmallBlocks::Block SmallBlocks::allocate(size_t bytes) {
  const size_t whole = roundUp(bytes, kAlignment);
  SizeClass& size_class = classes_[whole / kAlignment - 1];
  Block block{};
  {
    std::lock_guard lock(mutex_);
    std::list<Slab>& slabs = size_class.with_room;
    if (slabs.empty()) {
      slabs.emplace_front(size_class, whole + kGap);
      if (!slabs.front().hasPages()) {
        slabs.pop_front();
        return block;
      }
      slabs.front().position = slabs.begin();
    }
    Slab& slab = slabs.front();
    block = {slab.take(), &slab};
    if (slab.isFull()) size_class.full.splice(size_class.full.begin(), slabs, slab.position);
  }
  std::memset(block.address, 0, whole);
  return block;
}

// The last slab of a class stays: an application may allocate and free in turn.
void SmallBlocks::free(const Block& block) noexcept {
  std::lock_guard lock(mutex_);
  Slab& slab = *block.slab;
  SizeClass& size_class = slab.size_class;
  const bool was_full = slab.isFull();
  slab.putBack(block.address);
  std::list<Slab>& slabs = size_class.with_room;
  if (was_full) slabs.splice(slabs.begin(), size_class.full, slab.position);
  if (slab.isEmpty() && slabs.size() > 1) slabs.erase(slab.position);
}

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

#include "runtime/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/host.h"
#include "runtime/memory_nodes.h"
#include "runtime/pages.h"

namespace rt {

namespace {

// Smaller allocations come from the C library: mappings are a scarce resource of a process. They
// take whole pages all the same: what a shader stores a little past the end of one then hits
// nobody, instead of what the C library keeps between its blocks. Of those below a page, which some
// applications make by the ten thousand, many share one (runtime/small_blocks.h).
constexpr uint64_t kSmallestMapping = uint64_t{64} << 10;

// Larger ones are held against the memory that the system has left; finding that out costs
// tens of microseconds.
constexpr uint64_t kSmallestChecked = uint64_t{16} << 20;

constinit std::atomic<uint64_t> used_by_process = 0;

std::byte* allocateMedium(uint64_t bytes) {
  size_t rounded = roundToPages(bytes);
  void* address = std::aligned_alloc(kPageBytes, rounded);
  if (address) std::memset(address, 0, rounded);
  return static_cast<std::byte*>(address);
}

}  // namespace

Allocation::Allocation(Allocation&& other) noexcept
    : heap_(std::move(other.heap_)),
      address_(other.address_),
      bytes_(other.bytes_),
      slab_(other.slab_),
      source_(other.source_),
      file_(std::move(other.file_)) {}

Allocation& Allocation::operator=(Allocation&& other) noexcept {
  if (this != &other) {
    release();
    heap_ = std::move(other.heap_);
    address_ = other.address_;
    bytes_ = other.bytes_;
    slab_ = other.slab_;
    source_ = other.source_;
    file_ = std::move(other.file_);
  }
  return *this;
}

Allocation::~Allocation() { release(); }

void Allocation::release() noexcept {
  if (!heap_) return;
  switch (source_) {
    case Source::SmallBlock:
      if (heap_->home_.isHere()) heap_->small_blocks_.free({address_, slab_});
      break;
    case Source::CLibrary:
      std::free(address_);
      break;
    case Source::Pages:
      freePages(address_, bytes_);
      break;
    case Source::Application:
      break;
  }
  file_ = {};
  heap_->used_.fetch_sub(bytes_, std::memory_order_relaxed);
  heap_.reset();
}

std::shared_ptr<Heap> Heap::create(uint64_t bytes) {
  return std::shared_ptr<Heap>(new Heap(bytes));
}

std::shared_ptr<Heap> Heap::ofProcess(uint64_t bytes) {
  return std::shared_ptr<Heap>(new Heap(bytes, used_by_process));
}

uint64_t Heap::freeBytes() const { return std::min(unusedBytes(usedBytes()), availableMemory()); }

bool Heap::reserve(uint64_t bytes) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > unusedBytes(used)) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

std::optional<Allocation> Heap::allocate(uint64_t bytes, Sharing sharing) {
  bytes = std::max<uint64_t>(bytes, 1);
  if (bytes >= kSmallestChecked && bytes > availableMemory()) return std::nullopt;
  if (!reserve(bytes)) return std::nullopt;
  // Counts from here on, whatever becomes of it.
  Allocation allocation(shared_from_this(), nullptr, bytes, Allocation::Source::Pages);
  if (sharing == Sharing::Shared) {
    std::optional<SharedFile> file = SharedFile::create(bytes);
    if (!file) return std::nullopt;
    allocation.address_ = mapPages(file->descriptor(), bytes);
    allocation.file_ = std::move(*file);
  } else {
    take(allocation);
  }
  if (!allocation.address_) return std::nullopt;
  if (bytes >= kHugePageBytes) spreadOverNodes(allocation.address_, bytes);
  return allocation;
}

// Gives an allocation its memory, and says whose it is; none when the system refuses.
void Heap::take(Allocation& allocation) {
  const uint64_t bytes = allocation.bytes_;
  if (bytes < kPageBytes && home_.isHere()) {
    const SmallBlocks::Block block = small_blocks_.allocate(bytes);
    if (block.address == nullptr) return;
    allocation.source_ = Allocation::Source::SmallBlock;
    allocation.address_ = block.address;
    allocation.slab_ = block.slab;
  } else if (bytes < kSmallestMapping) {
    allocation.source_ = Allocation::Source::CLibrary;
    allocation.address_ = allocateMedium(bytes);
  } else {
    allocation.address_ = allocatePages(bytes);
  }
}

std::optional<Allocation> Heap::import(SharedFile& file, uint64_t bytes) {
  std::byte* address = mapPages(file.descriptor(), bytes);
  if (!address) return std::nullopt;
  used_.fetch_add(bytes, std::memory_order_relaxed);
  return Allocation(shared_from_this(), address, bytes, Allocation::Source::Pages, std::move(file));
}

std::optional<Allocation> Heap::import(std::byte* address, uint64_t bytes) {
  // Does nothing but fail where a page is missing.
  if (msync(address, bytes, MS_ASYNC) != 0) return std::nullopt;
  used_.fetch_add(bytes, std::memory_order_relaxed);
  return Allocation(shared_from_this(), address, bytes, Allocation::Source::Application);
}

uint64_t defaultHeapBytes() {
  uint64_t bytes = usableMemory();
  return bytes - bytes / 8;
}

}  // namespace rt

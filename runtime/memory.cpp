#include "runtime/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/host.h"
#include "runtime/pages.h"

namespace rt {

namespace {

// Smaller allocations come from the C library: mappings are a scarce resource of a process. They
// take whole pages all the same, as on other devices: what a shader stores a little past the end of
// one then hits nobody, instead of what the C library keeps between its blocks.
constexpr uint64_t kSmallestMapping = uint64_t{64} << 10;

// Larger ones are held against the memory that the system has left; finding that out costs
// tens of microseconds.
constexpr uint64_t kSmallestChecked = uint64_t{16} << 20;

std::byte* allocateSmall(uint64_t bytes) {
  size_t rounded = roundToPages(bytes);
  void* address = std::aligned_alloc(kPageBytes, rounded);
  if (address) std::memset(address, 0, rounded);
  return static_cast<std::byte*>(address);
}

}  // namespace

Allocation::Allocation(Allocation&& other) noexcept
    : heap_(std::move(other.heap_)), address_(other.address_), bytes_(other.bytes_) {}

Allocation& Allocation::operator=(Allocation&& other) noexcept {
  if (this != &other) {
    release();
    heap_ = std::move(other.heap_);
    address_ = other.address_;
    bytes_ = other.bytes_;
  }
  return *this;
}

Allocation::~Allocation() { release(); }

void Allocation::release() noexcept {
  if (!heap_) return;
  if (bytes_ < kSmallestMapping) {
    std::free(address_);
  } else {
    freePages(address_, bytes_);
  }
  heap_->used_.fetch_sub(bytes_, std::memory_order_relaxed);
  heap_.reset();
}

std::shared_ptr<Heap> Heap::create(uint64_t bytes) {
  return std::shared_ptr<Heap>(new Heap(bytes));
}

uint64_t Heap::freeBytes() const {
  uint64_t used = usedBytes();
  return std::min(bytes_ - used, availableMemory());
}

bool Heap::reserve(uint64_t bytes) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > bytes_ - used) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

std::optional<Allocation> Heap::allocate(uint64_t bytes) {
  bytes = std::max<uint64_t>(bytes, 1);
  if (bytes >= kSmallestChecked && bytes > availableMemory()) return std::nullopt;
  if (!reserve(bytes)) return std::nullopt;
  std::byte* address = bytes < kSmallestMapping ? allocateSmall(bytes) : allocatePages(bytes);
  if (!address) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return std::nullopt;
  }
  return Allocation(shared_from_this(), address, bytes);
}

uint64_t defaultHeapBytes() {
  uint64_t bytes = usableMemory();
  return bytes - bytes / 8;
}

}  // namespace rt

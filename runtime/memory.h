// SPDX-License-Identifier: Apache-2.0

// Device memory: the heap's budget and the allocations in it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/process.h"
#include "runtime/shared_file.h"
#include "runtime/small_blocks.h"

namespace rt {

class Heap;

// Of all allocations, in bytes.
inline constexpr uint64_t kAllocationAlignment = SmallBlocks::kAlignment;

// Memory; given back when destroyed. From a page on (runtime/pages.h) it is in whole pages and
// aligned to them, that of a huge page or more to huge pages, unless it was the application's.
// Movable.
class Allocation {
 public:
  Allocation(Allocation&& other) noexcept;
  Allocation& operator=(Allocation&& other) noexcept;
  ~Allocation();

  std::byte* address() const { return address_; }
  uint64_t bytes() const { return bytes_; }
  // What others can import(); none unless it is shared.
  const SharedFile& file() const { return file_; }

 private:
  friend class Heap;

  enum class Source : uint8_t {
    SmallBlock,
    CLibrary,
    Pages,        // of the system, or of file_
    Application,  // lent
  };

  Allocation(std::shared_ptr<Heap> heap, std::byte* address, uint64_t bytes, Source source,
             SharedFile file = {})
      : heap_(std::move(heap)),
        address_(address),
        bytes_(bytes),
        source_(source),
        file_(std::move(file)) {}
  void release() noexcept;

  std::shared_ptr<Heap> heap_;  // null: nothing is held
  std::byte* address_;
  uint64_t bytes_;
  SmallBlocks::Slab* slab_ = nullptr;  // of a small block
  Source source_;
  SharedFile file_;
};

// Whether others shall be able to have the memory too.
enum class Sharing : bool { Private, Shared };

// Thread-safe. One per physical device; devices share it.
class Heap : public std::enable_shared_from_this<Heap> {
 public:
  // `bytes`: the most that its allocations may take together.
  static std::shared_ptr<Heap> create(uint64_t bytes);
  // The same, but the allocations of all heaps that this process makes so count together: each
  // instance has a physical device, and all stand for one memory.
  static std::shared_ptr<Heap> ofProcess(uint64_t bytes);

  uint64_t bytes() const { return bytes_; }
  uint64_t usedBytes() const { return used_.load(std::memory_order_relaxed); }
  // What an application may still allocate (VkPhysicalDeviceMemoryBudgetPropertiesEXT: budget is
  // usedBytes() plus this): the rest of the heap, or the memory that the system has left.
  uint64_t freeBytes() const;

  // Zeroed. Nothing when the heap's budget or the system's memory does not allow it: memory that is
  // handed out here can be touched without the system ending the process, as far as it can be
  // known.
  std::optional<Allocation> allocate(uint64_t bytes, Sharing sharing = Sharing::Private);

  // Memory that exists already counts as used, but nothing limits it. Shared: takes the file over;
  // nothing, with the file still the caller's, when it cannot be mapped. The application's: it must
  // be there as long as the allocation is; nothing when it is not mapped now.
  std::optional<Allocation> import(SharedFile& file, uint64_t bytes);
  std::optional<Allocation> import(std::byte* address, uint64_t bytes);

 private:
  friend class Allocation;
  explicit Heap(uint64_t bytes) : bytes_(bytes), used_(own_used_) {}
  Heap(uint64_t bytes, std::atomic<uint64_t>& used) : bytes_(bytes), used_(used) {}
  bool reserve(uint64_t bytes);
  void take(Allocation& allocation);
  uint64_t unusedBytes(uint64_t used) const { return bytes_ - std::min(used, bytes_); }

  const Home home_;  // in forked children of which the lock of small_blocks_ may be held for ever
  const uint64_t bytes_;
  SmallBlocks small_blocks_;
  std::atomic<uint64_t> own_used_ = 0;
  std::atomic<uint64_t>& used_;
};

// The size of the heap when nothing is configured: seven eighths of what host.h says this process
// may use; the rest is the application's own.
uint64_t defaultHeapBytes();

}  // namespace rt

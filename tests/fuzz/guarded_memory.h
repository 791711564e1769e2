// SPDX-License-Identifier: Apache-2.0

// Memory that tells when something outside of it is touched, also by another process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fuzz {

// Bytes between pages that nobody may touch, shared with the children of this process. They begin
// at a multiple of 64 and end as close to the page behind as that allows; what is left on both
// sides holds a pattern.
class GuardedMemory {
 public:
  // Throws std::bad_alloc. The bytes are 0.
  explicit GuardedMemory(size_t bytes);
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&&) = delete;
  ~GuardedMemory();

  std::byte* data() const { return data_; }
  std::span<std::byte> bytes() const { return {data_, size_}; }
  // Nobody but this process may write from now on, as long as it does so before it forks.
  void makeReadOnly();
  // Whether the pattern on both sides is as it was.
  bool isIntact() const;
  // Whether `address` is in it or in the pages beside it.
  bool isNear(const void* address) const;

 private:
  template <typename Visit>
  bool everyGuard(Visit visit) const;

  std::byte* pages_ = nullptr;
  size_t page_bytes_ = 0;  // of all pages
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace fuzz

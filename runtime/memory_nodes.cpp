// SPDX-License-Identifier: Apache-2.0

#include "runtime/memory_nodes.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>

namespace rt {

MemoryNodes MemoryNodes::allowed() noexcept {
  MemoryNodes nodes;
  if (syscall(SYS_get_mempolicy, nullptr, nodes.mask_.data(), kMost, nullptr,
              MPOL_F_MEMS_ALLOWED) != 0)
    return {};
  return nodes;
}

size_t MemoryNodes::count() const noexcept {
  size_t count = 0;
  for (unsigned long word : mask_) count += static_cast<size_t>(std::popcount(word));
  return count;
}

void MemoryNodes::interleave(std::byte* address, size_t bytes) const noexcept {
  syscall(SYS_mbind, address, bytes, MPOL_INTERLEAVE, mask_.data(), kMost, 0);
}

void spreadOverNodes(std::byte* address, size_t bytes) noexcept {
  static const MemoryNodes nodes = MemoryNodes::allowed();
  if (nodes.count() < 2) return;
  int policy = MPOL_DEFAULT;
  if (syscall(SYS_get_mempolicy, &policy, nullptr, 0, nullptr, 0) != 0 || policy != MPOL_DEFAULT)
    return;
  nodes.interleave(address, bytes);
}

}  // namespace rt

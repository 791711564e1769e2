// SPDX-License-Identifier: Apache-2.0

// Machines whose processors reach parts of the memory, its nodes, at different speeds (NUMA).
#pragma once

#include <array>
#include <cstddef>

namespace rt {

// Nodes by number.
class MemoryNodes {
 public:
  // Those that this process may take memory from; none where the system does not say.
  static MemoryNodes allowed() noexcept;

  size_t count() const noexcept;

  // Has pages of the mapping at `address`, of which none was touched, come from each of the nodes
  // in turn, instead of from the node of the processor that touches one first. A wish, which some
  // systems refuse.
  void interleave(std::byte* address, size_t bytes) const noexcept;

 private:
  static constexpr size_t kMost = 1024;  // the system's own limit
  std::array<unsigned long, kMost / (8 * sizeof(unsigned long))> mask_{};
};

// For memory that all workers read, and that one thread, the application's, is likely to fill: it
// would lie behind the memory controllers of one node alone. Interleaves it where the process may
// use several nodes and has no policy of its own (set_mempolicy, numactl).
void spreadOverNodes(std::byte* address, size_t bytes) noexcept;

}  // namespace rt

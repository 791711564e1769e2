// SPDX-License-Identifier: Apache-2.0

// Where JITLink puts what it links: pages of this process, executable or read-only once they are
// written.
#pragma once

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>

namespace jit {

// Thread-safe. Like llvm::jitlink::InProcessMemoryManager, but it does with systems where no page
// that was writable can become executable (runtime/executable_pages.h), and without actions before
// and after the life of the code: kernels have none.
class CodeMemory final : public llvm::jitlink::JITLinkMemoryManager {
 public:
  using JITLinkMemoryManager::allocate;
  void allocate(const llvm::jitlink::JITLinkDylib* library, llvm::jitlink::LinkGraph& graph,
                OnAllocatedFunction then) override;

  using JITLinkMemoryManager::deallocate;
  void deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction then) override;
};

}  // namespace jit

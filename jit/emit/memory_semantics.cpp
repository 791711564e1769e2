// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/memory_semantics.h"

namespace jit::spirv {

using llvm::AtomicOrdering;

llvm::Expected<MemorySemantics> memorySemantics(Emission& e, const Instruction& instruction,
                                                Id id) {
  const Constant* constant = e.module.constant(id);
  if (constant == nullptr || constant->leaves.size() != 1)
    return malformed(e.module.describe(instruction) + ": the memory semantics are no constant");
  const uint64_t bits = constant->leaves[0];
  auto has = [&](spv::MemorySemanticsMask mask) {
    return (bits & static_cast<uint64_t>(mask)) != 0;
  };
  const bool both = has(spv::MemorySemanticsMask::AcquireRelease) ||
                    has(spv::MemorySemanticsMask::SequentiallyConsistent);
  const bool acquires = both || has(spv::MemorySemanticsMask::Acquire);
  const bool releases = both || has(spv::MemorySemanticsMask::Release);
  return MemorySemantics{acquires && releases ? AtomicOrdering::AcquireRelease
                         : acquires           ? AtomicOrdering::Acquire
                         : releases           ? AtomicOrdering::Release
                                              : AtomicOrdering::Monotonic,
                         has(spv::MemorySemanticsMask::Volatile)};
}

AtomicOrdering loadOrdering(AtomicOrdering ordering) {
  return llvm::isAcquireOrStronger(ordering) ? AtomicOrdering::Acquire : AtomicOrdering::Monotonic;
}

AtomicOrdering storeOrdering(AtomicOrdering ordering) {
  return llvm::isReleaseOrStronger(ordering) ? AtomicOrdering::Release : AtomicOrdering::Monotonic;
}

}  // namespace jit::spirv

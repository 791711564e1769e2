// Whether workgroups may share copies of what a loop reads.
#pragma once

namespace llvm {
class Function;
class Loop;
class Value;
}  // namespace llvm

namespace jit::coopmat {

// True when what `loop`, in which nothing writes to memory, reads from the client's memory is the
// same for all workgroups of a dispatch that read the same address:
// - there is no atomic operation in the kernel, so no workgroup can order what it does after what
//   another did, and must not read what another writes;
// - nothing that the workgroup itself writes, but variables of its own, comes before the loop.
// Source: Vulkan Specification, "Memory Model", data races.
bool readsTheSameInAllWorkgroups(const llvm::Function& function, const llvm::Loop& loop);

// Whether a pointer is into the client's memory for certain, and not into that of a worker, of
// which each workgroup makes what it likes.
bool isIntoTheClientsMemory(const llvm::Value* pointer);

}  // namespace jit::coopmat

// SPDX-License-Identifier: Apache-2.0

// Whether workgroups can tell in which order they run.
#pragma once

namespace llvm {
class Module;
}

namespace jit::simt {

// Whether a kernel has accesses by which a workgroup may wait for another one, or ask whether it
// has begun: atomic and volatile ones, of Workgroup memory too. Others that meet are data races
// (Vulkan Specification, "Memory Model"). Barriers and fences do not count: they order accesses. Of
// the kernel before loops look for a signal to stop.
bool canTellOrder(const llvm::Module& module);

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

// What passes need to know of a kernel that its LLVM IR does not say. It lies in the module as
// metadata whenever somebody looks at the module, so that a text of it (TESSERA_DUMP) is all that a
// pass needs to run on it again.
#pragma once

#include <cstdint>

#include "jit/ir/kernel_frame.h"

namespace llvm {
class Module;
}

namespace jit {

struct KernelFacts {
  KernelFrame frame;             // what of it is taken
  uint32_t lanes = 0;            // of a stream
  uint32_t streams = 1;          // in a workgroup
  uint32_t rows = 1;             // of invocations along x in a workgroup, if a stream has whole
                                 // ones; else 1
  bool runs_rows = false;        // of rt::KernelImage, once the kernel is made of its subgroup
  bool is_unordered = false;     // of rt::KernelImage, likewise
  bool large_objects = false;    // buffers may have 4 GiB and more
  bool uses_tiles = false;       // of the hardware, once they are configured
  bool counts_products = false;  // while it runs
  bool is_debugged = false;      // it is stopped in, and its variables are looked at
  bool waits = false;            // a checked loop may wait for another workgroup
  uint64_t scratch_bytes = 0;    // in rt::WorkgroupMemory, once the kernel is made of its subgroup
};

// Puts the facts into the module, instead of those that it holds.
void writeFacts(llvm::Module& module, const KernelFacts& facts);

// Those of the module; what it does not say, or says in another form, is as above.
KernelFacts readFacts(const llvm::Module& module);

}  // namespace jit

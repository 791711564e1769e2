// SPDX-License-Identifier: Apache-2.0

// From the function that runs one subgroup to the kernel that runs a workgroup: a loop over the
// subgroups, and, where there are barriers, a loop of rounds around it. A barrier ends a subgroup's
// round; the next one enters the code after it through a switch on the subgroup's state:
//
//   states = 0, 0, ...
//   do for each subgroup that has not ended:
//        switch (its state) { 0: start of the code; i: code after barrier i }
//        its state = the barrier that it came to, or ended
//   while a subgroup has not ended
//
// So a subgroup that has returned counts as arrived. Barriers need no convergence proof: each
// subgroup may be at another one.
//
// What lives across a barrier is kept in the subgroup's KernelFrame, or computed anew where
// that costs a few instructions and needs nothing but the kernel's arguments.
// Source: SPIR-V Specification, OpControlBarrier; Vulkan Specification, "Scope and Execution".
#pragma once

#include <llvm/Support/Error.h>

#include <string_view>

#include "jit/ir/kernel_frame.h"

namespace llvm {
class Function;
}

namespace jit::simt {

struct WorkgroupKernel {
  llvm::Function* function;  // external, an rt::KernelFunction
  uint64_t scratch_bytes;    // it needs in rt::WorkgroupMemory: one frame, or, with barriers, one
                             // for each subgroup
  unsigned barriers;
};

// Turns `subgroup` (signature: jit/emit/emitter.h; valid SSA; no caller) into a kernel called
// `name` that runs `subgroups` of them; `subgroup` is gone afterwards. `frame` is what the code
// already uses of its frame. Subgroups run in ascending order; `in_rows` (of code without
// barriers): those of several workgroups, see workgroup_rows.h.
// Kinds of failure: Internal, when a value that cannot be stored lives across a barrier.
llvm::Expected<WorkgroupKernel> buildWorkgroupKernel(llvm::Function& subgroup, unsigned subgroups,
                                                     bool in_rows, KernelFrame frame,
                                                     std::string_view name);

}  // namespace jit::simt

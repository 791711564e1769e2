// SPDX-License-Identifier: Apache-2.0

// What emission makes and the passes begin with: one function that runs one subgroup of the entry
// point, or, in a workgroup-wide stream, the workgroup.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <memory>

#include "jit/ir/kernel_facts.h"

namespace jit {

// The emitted function is internal, of FunctionKind::Subgroup (jit/ir/function_kind.h), and has
// this signature:
//   void (ptr dispatch, ptr shared, ptr frame, i32 x, i32 y, i32 z, i32 stream)
// with dispatch an rt::DispatchArgs, shared the Workgroup memory, frame this stream's KernelFrame,
// (x, y, z) the WorkgroupId and stream the stream's number: the SubgroupId, or 0. Where the
// workgroup has more than one stream, a workgroup barrier is a call of FunctionKind::Barrier, `void
// (ptr)`, which jit/passes/workgroup/barrier_regions.h turns into regions. It is passed `shared`:
// to LLVM nobody else changes that memory, unless its address is handed on. Matrix operations are
// the calls of jit/ir/matrix_ops.h.
// What the passes that follow need to know.
struct EmittedKernel {
  std::unique_ptr<llvm::Module> module;
  KernelFacts facts;
  uint32_t shared_bytes = 0;           // Workgroup storage class
  uint32_t declared_shared_bytes = 0;  // of its variables, without what is put between them
  uint32_t used_sets = 0;              // a bit for each descriptor set that is read
};

}  // namespace jit

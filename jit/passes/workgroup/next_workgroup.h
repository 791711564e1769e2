// SPDX-License-Identifier: Apache-2.0

// Prefetching for the workgroup that comes next.
//
// A workgroup that reads some rows at a time, as products of a matrix and a vector do, begins anew
// in other pages each time: a processor follows sequences within a page, and sees them after some
// lines. Two rows of 4 KiB a workgroup, read from memory by one core: 14 GB/s; with what the next
// workgroup reads announced 20, as fast as one long sequence (a Zen 4). A workgroup that reads one
// row, of 1 or 2 KiB, is done before its successor's would have come: what the one after that reads
// is announced then; 6 to 9 GB/s (a Xeon).
#pragma once

#include <llvm/IR/PassManager.h>

namespace jit::simt {

// Lets large loads from the client's buffers, in loops without loops inside, also fetch what the
// same load will want in the next workgroup, along x, or along y where the grid is one wide, as far
// as that follows from the workgroup's number. Of the function that runs one subgroup
// (jit/ir/emitted_kernel.h). Returns whether anything changed.
bool prefetchNextWorkgroup(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

// Workgroups beside each other, run at once.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace jit::simt {

// Workgroups of several rows touch a little of each of their rows in memory, and the next workgroup
// what is behind that: an order that no machine fetches ahead in, and where rows are a power of two
// long, few sets of the cache have them all. So the first subgroups of several workgroups along x
// run, then their second ones, and so on.
//
// Whether a subgroup's code can run so, and gains: nothing in it waits for other invocations or can
// tell when they run (barriers, Workgroup memory, atomics, volatile accesses, calls), its lanes
// access what is near to each other (the columns of a transposition are a workgroup's own), and it
// does not read much: its loops have few iterations, of a number that is known.
bool canRunInRows(llvm::Function& subgroup, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

// Loops in which each invocation reads on in a row of its own: rows are read a register at a time,
// in front of what needs them, and transposed.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace jit::simt {

// Metadata of a gather whose lanes all move on by the same each iteration of a loop, where it stays
// a gather: a text that says why, as the end of a sentence.
inline constexpr llvm::StringLiteral kReadsOn = "tessera.reads_on";

// A gather of which lanes, far apart, move on by a few bytes each iteration costs a cache access
// for each lane and iteration. Where the loop's condition says that enough iterations follow, the
// bytes that they need of each lane's row are loaded together, as one register of `vector_bytes`
// for each lane, transposed into memory of the stack, and taken from there iteration by iteration.
// The last iterations gather.
//
// What lies between two elements that a live lane accesses can be read. So lanes must be the same
// in all iterations, nothing in the loop may write to where it reads from, and the loop may be left
// by its condition only. `large_objects`: buffers of 4 GiB and more, in which numbers of 32 bits
// may wrap around without leaving them.
//
// True if anything was changed.
bool readRowsAhead(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                   uint32_t vector_bytes, bool large_objects);

}  // namespace jit::simt

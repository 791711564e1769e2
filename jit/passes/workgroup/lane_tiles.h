// SPDX-License-Identifier: Apache-2.0

// Code of workgroup-wide streams (emit/stream_width.h), some lanes at a time.
#pragma once

#include <llvm/IR/Function.h>

namespace jit::simt {

// A stream of 256 invocations has 16 registers for each value, so that nothing stays in registers
// and each operation is 16 instructions. Where a block has several operations in a row of which
// each lane does its own (arithmetic, addresses, gathers and scatters), they become a loop over the
// lanes: code that is short, and compiles and runs faster. Values of `lanes` elements that come
// from elsewhere, or are wanted elsewhere, are in memory for it.
//
// Accesses to memory of different lanes change their order in it. That is right where no invocation
// can tell when another one reads or writes; a lane fence, or anything else that reads and writes
// memory, ends a row.
//
// Does nothing for other streams. True if anything was changed.
bool loopOverLaneTiles(llvm::Function& function, unsigned lanes);

}  // namespace jit::simt

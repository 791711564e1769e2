// SPDX-License-Identifier: Apache-2.0

// LLVM ends the process when it meets what it cannot do. Here it gives up one request instead.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <vector>

#include "jit/base/kernel_request.h"

namespace jit {

// Runs `work` on a thread made for it and waits: with a stack deep enough for LLVM's recursion
// on long functions, and with a point to return to. Where LLVM reports a fatal error or runs out of
// memory, the thread jumps out of `work` and ends. What `work` held at that moment is leaked, since
// nothing tells in which state it is; so `work` must hold no lock, and everything it uses that
// others can see must be thread-safe. No driver code remains running afterwards.
//
// Everything that calls LLVM does it inside of `work`. Kinds of failure: what `work` returns;
// Internal with LLVM's message; OutOfMemory; TimeLimit; Internal where LLVM waits for ever, in a
// process that was forked while another thread was in here, whose locks nobody releases.
//
// With `limit_nanoseconds` the work ends in the same way at the first heedTimeLimit() after that
// time; 0: none. `stages` gets the times of the stages and passes that the work says; null: nobody
// asks.
llvm::Error runContained(llvm::function_ref<llvm::Error()> work, uint64_t limit_nanoseconds = 0,
                         std::vector<StageTime>* stages = nullptr);

// What the work of this thread is at, for messages; a literal. Heeds the time limit.
void beginStage(llvm::StringLiteral stage);

// That a pass of the work of this thread began then, and has ended now.
void endPass(llvm::StringLiteral pass, uint64_t begin);

// Gives the work up if its time is over. Called between passes, by LLVM's pass managers too, and in
// what may take long of our own; no lock may be held. Does nothing outside of contained work.
void heedTimeLimit();

}  // namespace jit

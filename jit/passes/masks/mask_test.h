// SPDX-License-Identifier: Apache-2.0

// How control flow of whole subgroups asks for live lanes.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace jit::simt {

// The mask of which a branch asks whether it is empty, and what comes then.
struct MaskTest {
  llvm::Value* mask = nullptr;
  unsigned when_empty = 0;  // number of the successor
};

std::optional<MaskTest> maskTest(llvm::BasicBlock& block);

// Whether scalars tell that all lanes of a mask are live: it is a comparison, or several, of
// numbers that go on from lane to lane with limits for all.
bool isTestedByScalars(llvm::Value* mask);

// Whether all lanes of a mask are live; by scalars, false, too, where a number wraps around.
llvm::Value* areAllLive(llvm::IRBuilder<>& ir, llvm::Value* mask);

// Whether code can be copied: no barriers and matrix operations, which are for all and have no code
// yet.
bool isForEachLane(const llvm::BasicBlock& block);

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

// Addresses of lanes that are constants past the first lane's.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

namespace jit::simt {

struct LaneOffsets {
  llvm::Value* first;                   // the first lane's address
  llvm::SmallVector<int64_t, 64> past;  // of each lane, in bytes
};

// How a vector of pointers is so, whatever sums and products of what is the same for all lanes and
// of constants say it. What is extended must not wrap around before. Nothing where it is not told,
// and then nothing is made.
std::optional<LaneOffsets> laneOffsetsOf(llvm::IRBuilderBase& ir, llvm::Value* pointers);

}  // namespace jit::simt

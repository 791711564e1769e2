// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/lanes.h"

namespace jit::math {

llvm::Value* slice(llvm::IRBuilderBase& builder, llvm::Value* v, uint32_t first, uint32_t count) {
  llvm::SmallVector<int, 64> lanes;
  for (uint32_t l = 0; l < count; ++l) lanes.push_back(static_cast<int>(first + l));
  return builder.CreateShuffleVector(v, lanes);
}

}  // namespace jit::math

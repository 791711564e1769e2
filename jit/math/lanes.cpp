// SPDX-License-Identifier: Apache-2.0

#include "jit/math/lanes.h"

namespace jit::math {

llvm::Value* slice(llvm::IRBuilderBase& builder, llvm::Value* v, uint32_t first, uint32_t count) {
  llvm::SmallVector<int, 64> lanes;
  for (uint32_t l = 0; l < count; ++l) lanes.push_back(static_cast<int>(first + l));
  return builder.CreateShuffleVector(v, lanes);
}

llvm::Value* concatenate(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> parts) {
  llvm::Value* whole = parts[0];
  for (llvm::Value* part : parts.drop_front()) {
    const auto size = llvm::cast<llvm::FixedVectorType>(whole->getType())->getNumElements();
    const auto more = llvm::cast<llvm::FixedVectorType>(part->getType())->getNumElements();
    // The operands of a shuffle are equally long.
    if (more != size) {
      llvm::SmallVector<int, 64> widen(size, llvm::PoisonMaskElem);
      for (uint32_t l = 0; l < more; ++l) widen[l] = static_cast<int>(l);
      part = builder.CreateShuffleVector(part, widen);
    }
    llvm::SmallVector<int, 64> lanes;
    for (uint32_t l = 0; l < size + more; ++l) lanes.push_back(static_cast<int>(l));
    whole = builder.CreateShuffleVector(whole, part, lanes);
  }
  return whole;
}

}  // namespace jit::math

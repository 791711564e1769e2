// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_scan.h"

#include <llvm/IR/Constants.h>

#include "jit/simt/lane_permute.h"

namespace jit::simt {

using llvm::Value;

Value* reduceLanes(SimtBuilder& simt, Value* v, Combine combine) {
  auto& ir = simt.ir;
  llvm::Value* odd = nullptr;  // what found no partner, in a width that is no power of two
  uint32_t count = simt.width;
  for (; count > 3; count /= 2) {
    const uint32_t half = count / 2;
    llvm::SmallVector<int, 32> lower, upper;
    for (uint32_t l = 0; l < half; ++l) {
      lower.push_back(static_cast<int>(l));
      upper.push_back(static_cast<int>(half + l));
    }
    if (count % 2 != 0) {
      llvm::Value* last = ir.CreateExtractElement(v, uint64_t{count - 1});
      odd = odd == nullptr ? last : combine(last, odd);
    }
    v = combine(ir.CreateShuffleVector(v, lower), ir.CreateShuffleVector(v, upper));
  }
  llvm::Value* all = ir.CreateExtractElement(v, uint64_t{0});
  for (uint64_t l = 1; l < count; ++l) all = combine(all, ir.CreateExtractElement(v, l));
  return odd == nullptr ? all : combine(all, odd);
}

Value* reduceClusters(SimtBuilder& simt, Value* v, uint32_t cluster, Combine combine) {
  for (uint32_t half = cluster / 2; half > 0; half /= 2)
    v = combine(v, shuffleLanes(simt, v, [&](uint32_t l) { return l ^ half; }));
  return v;
}

Value* scanLanes(SimtBuilder& simt, Value* v, llvm::Constant* neutral, Combine combine) {
  for (uint32_t distance = 1; distance < simt.width; distance *= 2)
    v = combine(shiftLanesUp(simt, v, distance, neutral), v);
  return v;
}

Scan scanBelow(SimtBuilder& simt, Value* v, llvm::Constant* identity, Combine combine) {
  Value* up_to = scanLanes(simt, v, identity, combine);
  return {shiftLanesUp(simt, up_to, 1, identity),
          simt.ir.CreateExtractElement(up_to, simt.width - 1)};
}

Value* shiftLanesUp(SimtBuilder& simt, Value* v, uint32_t distance, llvm::Constant* fill) {
  llvm::SmallVector<int, 64> lanes;
  for (uint32_t l = 0; l < simt.width; ++l)
    lanes.push_back(static_cast<int>(l < distance ? simt.width : l - distance));
  return simt.ir.CreateShuffleVector(
      v, llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(simt.width), fill), lanes);
}

}  // namespace jit::simt

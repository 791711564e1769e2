#include "jit/simt/lane_scan.h"

#include <llvm/IR/Constants.h>

#include "jit/simt/lane_permute.h"

namespace jit::simt {

using llvm::Value;

Value* reduceLanes(SimtBuilder& simt, Value* v, Combine combine) {
  auto& ir = simt.ir;
  for (uint32_t half = simt.width / 2; half > 1; half /= 2) {
    llvm::SmallVector<int, 32> lower, upper;
    for (uint32_t l = 0; l < half; ++l) {
      lower.push_back(static_cast<int>(l));
      upper.push_back(static_cast<int>(half + l));
    }
    v = combine(ir.CreateShuffleVector(v, lower), ir.CreateShuffleVector(v, upper));
  }
  return combine(ir.CreateExtractElement(v, uint64_t{0}), ir.CreateExtractElement(v, uint64_t{1}));
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

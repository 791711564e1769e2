// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/overlap.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "jit/ir/memories.h"
#include "jit/ukernel/source_tile.h"

namespace jit::coopmat {
namespace {

// Those that may be one: the application's, different as they are.
Memories joined(Memories memories) {
  return (memories & kClient) != 0 ? memories | kClient : memories;
}

// Bytes of the subgroup's frame.
struct FrameRange {
  int64_t begin, end;
};

// The lines of a matrix, from the start of the first to the end of the last, if they lie at a
// constant offset in the frame.
template <typename Call>
std::optional<FrameRange> frameRange(const Call& access) {
  llvm::APInt offset(64, 0);
  auto* frame = llvm::dyn_cast<llvm::Argument>(access.base->stripAndAccumulateConstantOffsets(
      access.call->getDataLayout(), offset, /*AllowNonInbounds=*/true));
  auto* stride = llvm::dyn_cast<llvm::ConstantInt>(access.stride_bytes);
  if (!frame || frame->getArgNo() != kFrameArgument || !stride ||
      stride->getValue().uge(ukernel::kInsaneStride))
    return std::nullopt;
  const MatrixType& type = access.type;
  const ukernel::SourceTile tile{componentOfWidth(type.component), type.rows, type.columns,
                                 access.layout};
  const int64_t begin = offset.getSExtValue();
  return FrameRange{begin, begin + (tile.lines() - 1) * stride->getSExtValue() + tile.lineBytes()};
}

}  // namespace

bool mayOverlap(const LoadCall& load, const StoreCall& store) {
  if ((joined(memoriesBehind(*load.base)) & memoriesBehind(*store.base)) == 0) return false;
  const std::optional<FrameRange> from = frameRange(load), to = frameRange(store);
  return !from || !to || (to->end > from->begin && to->begin < from->end);
}

}  // namespace jit::coopmat

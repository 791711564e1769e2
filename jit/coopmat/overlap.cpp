// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/overlap.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "jit/ukernel/source_tile.h"

namespace jit::coopmat {
namespace {

// Memories that a pointer may lead to, as bits.
constexpr unsigned kFrame = 1, kShared = 2, kClient = 4, kAny = kFrame | kShared | kClient;

unsigned memoriesOf(const llvm::Value* object) {
  if (llvm::isa<llvm::AllocaInst>(object)) return kFrame;
  if (llvm::isa<llvm::IntToPtrInst>(object)) return kClient;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(object)) {
    // Of a descriptor; or of a variable of the shader's, which may be a pointer to shared memory.
    return load->hasMetadata(llvm::LLVMContext::MD_invariant_load) ? kClient : kClient | kShared;
  }
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(object)) {
    if (argument->getArgNo() == kFrameArgument) return kFrame;
    if (argument->getArgNo() == kSharedArgument) return kShared;
  }
  return kAny;
}

unsigned memoriesBehind(const llvm::Value* pointer) {
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  unsigned memories = 0;
  for (const llvm::Value* object : objects) memories |= memoriesOf(object);
  return memories;
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
  if ((memoriesBehind(load.base) & memoriesBehind(store.base)) == 0) return false;
  const std::optional<FrameRange> from = frameRange(load), to = frameRange(store);
  return !from || !to || (to->end > from->begin && to->begin < from->end);
}

}  // namespace jit::coopmat

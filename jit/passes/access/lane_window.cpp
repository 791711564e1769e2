// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/lane_window.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "jit/passes/access/collected_vector.h"
#include "jit/passes/access/lane_addresses.h"
#include "jit/passes/access/masked_access.h"
#include "jit/simt/lane_windows.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

class WindowLoads {
 public:
  WindowLoads(const MaskedAccess& access, llvm::Instruction& gather, unsigned vector_bytes,
              const llvm::TargetTransformInfo& machine)
      : access_(access), machine_(machine), ir_(&gather) {
    element_ = access.type()->getElementType();
    bytes_ = static_cast<int64_t>(gather.getDataLayout().getTypeStoreSize(element_));
    lanes_ = access.type()->getNumElements();
    width_ = std::min(lanes_, vector_bytes / static_cast<unsigned>(bytes_));
  }

  // Null: it stays a gather.
  Value* write(const LaneAddresses& addresses) {
    std::vector<int64_t> offsets;
    for (unsigned l = 0; l < lanes_; ++l)
      offsets.push_back(static_cast<int64_t>(addresses.lanes->getElementAsInteger(l)));
    const auto windows = laneWindows(offsets, bytes_, int64_t{width_} * bytes_);
    if (!windows || lanes_ % width_ != 0 ||
        !llvm::all_of(*windows, [&](const LaneWindow& w) { return canLoad(w); }))
      return nullptr;
    Value* first = firstLaneOf(ir_, access_.pointers);
    if (first == nullptr) return nullptr;
    std::vector<Value*> registers;
    for (const LaneWindow& window : *windows) {
      const auto past = static_cast<uint64_t>(window.first - offsets[0]);
      registers.push_back(load(ir_.CreateGEP(ir_.getInt8Ty(), first, ir_.getInt64(past)), window));
    }
    std::vector<Value*> parts;
    for (unsigned lane = 0; lane < lanes_; lane += width_) {
      llvm::SmallVector<ElementSource, 64> chosen;
      for (unsigned t = 0; t < width_; ++t) {
        const int64_t offset = offsets[lane + t];
        const auto window = std::prev(llvm::partition_point(
            *windows, [&](const LaneWindow& w) { return w.first <= offset; }));
        chosen.emplace_back(static_cast<int>(window - windows->begin()),
                            static_cast<int>((offset - window->first) / bytes_));
      }
      parts.push_back(collected(ir_, registers, chosen));
    }
    return llvm::concatenateVectors(ir_, parts);
  }

 private:
  unsigned elementsOf(const LaneWindow& window) const {
    return static_cast<unsigned>((window.end - window.first) / bytes_);
  }

  bool canLoad(const LaneWindow& window) const {
    return std::has_single_bit(elementsOf(window)) ||
           hasMaskedLoad(machine_, llvm::FixedVectorType::get(element_, width_), access_.alignment);
  }

  Value* load(Value* at, const LaneWindow& window) {
    const unsigned elements = elementsOf(window);
    if (std::has_single_bit(elements)) {
      auto* part = llvm::FixedVectorType::get(element_, elements);
      Value* loaded = ir_.CreateAlignedLoad(part, at, access_.alignment);
      if (elements == width_) return loaded;
      return ir_.CreateShuffleVector(loaded,
                                     llvm::createSequentialMask(0, elements, width_ - elements));
    }
    auto* whole = llvm::FixedVectorType::get(element_, width_);
    llvm::SmallVector<llvm::Constant*, 64> read;
    for (unsigned e = 0; e < width_; ++e) read.push_back(ir_.getInt1(e < elements));
    return ir_.CreateMaskedLoad(whole, at, access_.alignment, llvm::ConstantVector::get(read),
                                llvm::Constant::getNullValue(whole));
  }

  const MaskedAccess& access_;
  const llvm::TargetTransformInfo& machine_;
  llvm::IRBuilder<> ir_;
  llvm::Type* element_;
  int64_t bytes_;
  unsigned lanes_, width_;  // of a register
};

bool coalesce(llvm::Instruction& i, unsigned vector_bytes,
              const llvm::TargetTransformInfo& machine) {
  const auto access = matchMaskedAccess(i);
  if (!access || !access->reads || !access->isApart() || !match(access->mask, m_AllOnes()) ||
      access->type()->getElementType()->isPointerTy())
    return false;
  const LaneAddresses addresses =
      laneAddressesOf(access->pointers, i.getDataLayout(), /*in_objects=*/false);
  if (addresses.lanes == nullptr || addresses.index != nullptr) return false;
  Value* loaded = WindowLoads(*access, i, vector_bytes, machine).write(addresses);
  if (loaded == nullptr) return false;
  i.replaceAllUsesWith(loaded);
  i.eraseFromParent();
  return true;
}

}  // namespace

bool loadLaneWindows(llvm::Function& function, unsigned vector_bytes,
                     const llvm::TargetTransformInfo& machine) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function)))
    changed |= coalesce(i, vector_bytes, machine);
  return changed;
}

}  // namespace jit::simt

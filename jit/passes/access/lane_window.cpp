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
    bytes_ = static_cast<int64_t>(
        gather.getDataLayout().getTypeStoreSize(access.type()->getElementType()));
    granule_ = std::min(bytes_, static_cast<int64_t>(access.alignment.value()));
    element_ = granule_ == bytes_ ? access.type()->getElementType()
                                  : ir_.getIntNTy(static_cast<unsigned>(8 * granule_));
    lanes_ = access.type()->getNumElements();
    width_ = std::min(granules(), vector_bytes / static_cast<unsigned>(granule_));
  }

  // Null: it stays a gather.
  Value* write(const LaneAddresses& addresses) {
    std::vector<int64_t> offsets;
    for (unsigned l = 0; l < lanes_; ++l)
      offsets.push_back(static_cast<int64_t>(addresses.lanes->getElementAsInteger(l)));
    const auto windows = laneWindows(offsets, bytes_, granule_, int64_t{width_} * granule_);
    if (!windows || granules() % width_ != 0) return nullptr;
    Value* first = firstLaneOf(ir_, access_.pointers);
    if (first == nullptr) return nullptr;
    std::vector<Value*> registers;
    for (const LaneWindow& window : *windows) {
      const auto past = static_cast<uint64_t>(window.first - offsets[0]);
      registers.push_back(load(ir_.CreateGEP(ir_.getInt8Ty(), first, ir_.getInt64(past)), window));
    }
    const auto each = static_cast<unsigned>(bytes_ / granule_);
    std::vector<Value*> parts;
    for (unsigned granule = 0; granule < granules(); granule += width_) {
      llvm::SmallVector<ElementSource, 64> chosen;
      for (unsigned t = granule; t < granule + width_; ++t) {
        const int64_t offset = offsets[t / each];
        const auto window = std::prev(llvm::partition_point(
            *windows, [&](const LaneWindow& w) { return w.first <= offset; }));
        chosen.emplace_back(static_cast<int>(window - windows->begin()),
                            static_cast<int>((offset - window->first) / granule_ + t % each));
      }
      parts.push_back(collected(ir_, registers, chosen));
    }
    return ir_.CreateBitCast(llvm::concatenateVectors(ir_, parts), access_.type());
  }

 private:
  unsigned granules() const { return lanes_ * static_cast<unsigned>(bytes_ / granule_); }

  unsigned elementsOf(const LaneWindow& window) const {
    return static_cast<unsigned>((window.end - window.first) / granule_);
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
    if (!hasMaskedLoad(machine_, whole, access_.alignment)) return loadEnds(at, elements);
    llvm::SmallVector<llvm::Constant*, 64> read;
    for (unsigned e = 0; e < width_; ++e) read.push_back(ir_.getInt1(e < elements));
    return ir_.CreateMaskedLoad(whole, at, access_.alignment, llvm::ConstantVector::get(read),
                                llvm::Constant::getNullValue(whole));
  }

  // The first and the last elements, which overlap, without a mask.
  Value* loadEnds(Value* at, unsigned elements) {
    const unsigned each = std::bit_floor(elements), second = elements - each;
    auto* part = llvm::FixedVectorType::get(element_, each);
    Value* first = ir_.CreateAlignedLoad(part, at, access_.alignment);
    Value* last_at = ir_.CreateConstGEP1_64(element_, at, second);
    Value* last = ir_.CreateAlignedLoad(part, last_at, access_.alignment);
    llvm::SmallVector<int, 64> chosen(width_, -1);
    for (unsigned e = 0; e < elements; ++e)
      chosen[e] = static_cast<int>(e < each ? e : each + e - second);
    return ir_.CreateShuffleVector(first, last, chosen);
  }

  const MaskedAccess& access_;
  const llvm::TargetTransformInfo& machine_;
  llvm::IRBuilder<> ir_;
  // What lanes load consists of granules, multiples of which they are apart.
  llvm::Type* element_;  // of a granule
  int64_t bytes_, granule_;
  unsigned lanes_, width_;  // of a register, in granules
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

// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/lane_window.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "jit/passes/access/collected_vector.h"
#include "jit/passes/access/lane_groups.h"
#include "jit/passes/access/lane_offsets.h"
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
  Value* write(const LaneOffsets& addresses) {
    const llvm::ArrayRef<int64_t> offsets = addresses.past;
    const auto windows = laneWindows(offsets, bytes_, granule_, int64_t{width_} * granule_);
    if (!windows || granules() % width_ != 0) return nullptr;
    std::vector<Value*> registers;
    for (const LaneWindow& window : *windows) {
      Value* past = ir_.getInt64(static_cast<uint64_t>(window.first));
      registers.push_back(load(ir_.CreateGEP(ir_.getInt8Ty(), addresses.first, past), window));
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

// The condition that a mask is for all lanes alike, if it is so; else null.
Value* uniformMask(llvm::IRBuilderBase& ir, Value* mask) {
  if (Value* all = llvm::getSplatValue(mask)) return all;
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(mask);
  Value* a = comparison != nullptr ? llvm::getSplatValue(comparison->getOperand(0)) : nullptr;
  Value* b = a != nullptr ? llvm::getSplatValue(comparison->getOperand(1)) : nullptr;
  return b != nullptr ? ir.CreateICmp(comparison->getPredicate(), a, b) : nullptr;
}

// A gather of what lanes read that is not the same, of half as many at most, and a shuffle. Null:
// it stays as it is.
Value* gatherOnce(llvm::IRBuilder<>& ir, const MaskedAccess& access, const LaneOffsets& addresses) {
  const size_t lanes = addresses.past.size();
  std::vector<int64_t> distinct;
  llvm::SmallVector<int, 64> place_of_lane;
  for (int64_t past : addresses.past) {
    const auto found = llvm::find(distinct, past);
    place_of_lane.push_back(static_cast<int>(found - distinct.begin()));
    if (found == distinct.end()) distinct.push_back(past);
  }
  const auto count = static_cast<unsigned>(llvm::PowerOf2Ceil(distinct.size()));
  Value* condition = 2 * count <= lanes ? uniformMask(ir, access.mask) : nullptr;
  if (condition == nullptr) return nullptr;
  distinct.resize(count, distinct.back());
  llvm::SmallVector<llvm::Constant*> places;
  for (int64_t past : distinct) places.push_back(ir.getInt64(static_cast<uint64_t>(past)));
  auto* type = llvm::FixedVectorType::get(access.type()->getElementType(), count);
  Value* pointers = ir.CreateGEP(ir.getInt8Ty(), ir.CreateVectorSplat(count, addresses.first),
                                 llvm::ConstantVector::get(places));
  Value* gathered = ir.CreateMaskedGather(type, pointers, access.alignment,
                                          ir.CreateVectorSplat(count, condition),
                                          llvm::Constant::getNullValue(type));
  return ir.CreateShuffleVector(gathered, place_of_lane);
}

// What lanes load at constants past the first one, as few loads.
Value* loadedAtConstants(llvm::IRBuilder<>& ir, llvm::Instruction& i, const MaskedAccess& access,
                         unsigned vector_bytes, const llvm::TargetTransformInfo& machine) {
  const bool are_all = match(access.mask, m_AllOnes());
  // What lanes have that are not live.
  const bool is_zero = match(access.values, m_Zero()) || llvm::isa<llvm::UndefValue>(access.values);
  if (!are_all && !is_zero) return nullptr;
  const std::optional<LaneOffsets> addresses = laneOffsetsOf(ir, access.pointers);
  if (!addresses) return nullptr;
  Value* loaded =
      are_all ? WindowLoads(access, i, vector_bytes, machine).write(*addresses) : nullptr;
  if (loaded == nullptr) loaded = gatherOnce(ir, access, *addresses);
  if (loaded == nullptr) llvm::RecursivelyDeleteTriviallyDeadInstructions(addresses->first);
  return loaded;
}

bool coalesce(llvm::Instruction& i, unsigned vector_bytes,
              const llvm::TargetTransformInfo& machine) {
  const auto access = matchMaskedAccess(i);
  if (!access || !access->reads || !access->isApart() ||
      access->type()->getElementType()->isPointerTy())
    return false;
  llvm::IRBuilder<> ir(&i);
  Value* loaded = loadedAtConstants(ir, i, *access, vector_bytes, machine);
  if (loaded == nullptr) loaded = loadLaneGroups(ir, *access, machine);
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

// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/structure_shuffles.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

namespace jit {
namespace {

using llvm::FixedVectorType;
using llvm::ShuffleVectorInst;
using llvm::Value;
using Registers = llvm::SmallVector<Value*, 8>;

constexpr unsigned kLeastElements = 4;  // LLVM takes every second one by as many shuffles
constexpr unsigned kMostElements = 8;
constexpr unsigned kPieceBytes = 16;  // within which every machine shuffles in one instruction
constexpr unsigned kWideBytes =
    64;  // machines with such registers shuffle two of them as they like

unsigned lengthOf(const Value* vector) {
  return llvm::cast<FixedVectorType>(vector->getType())->getNumElements();
}
unsigned elementBytes(const Value* vector) { return vector->getType()->getScalarSizeInBits() / 8; }

// Elements `first` to `first + count` of the concatenation of the shuffle's two operands.
Value* slice(llvm::IRBuilderBase& ir, const ShuffleVectorInst& of, unsigned first, unsigned count) {
  const unsigned length = lengthOf(of.getOperand(0));
  return ir.CreateShuffleVector(of.getOperand(first / length),
                                llvm::createSequentialMask(first % length, count, 0));
}
Value* slice(llvm::IRBuilderBase& ir, Value* vector, unsigned first, unsigned count) {
  if (first == 0 && count == lengthOf(vector)) return vector;
  return ir.CreateShuffleVector(vector, llvm::createSequentialMask(first, count, 0));
}

// As many registers as a structure has elements, of groups of `group` elements: group g of the
// first, of the second and so on are `group` structures, one behind the other, or else element e of
// those is group g of register e. An element's number is that of its register and the place in its
// group; the bits of one are those of the other in a rotated order: by as many as count the
// structure's elements or, the other way, by as many as count a group.
class Network {
 public:
  Network(llvm::IRBuilderBase& ir, Registers registers, unsigned group)
      : ir_(ir),
        registers_(std::move(registers)),
        group_(group),
        length_(lengthOf(registers_.front())),
        takes_every_second_(group == length_ ||
                            elementBytes(registers_.front()) >= kLeastBytesToTakeEverySecond) {}

  Registers toElements() { return run(group_, static_cast<unsigned>(registers_.size())); }
  Registers toStructures() { return run(static_cast<unsigned>(registers_.size()), group_); }

 private:
  // Within 128 bits, machines interleave numbers of any width in one instruction, but take every
  // second one only of these.
  static constexpr unsigned kLeastBytesToTakeEverySecond = 4;

  Registers run(unsigned interleaved, unsigned taken) {
    if (!takes_every_second_ || interleaved <= taken) {
      for (; interleaved > 1; interleaved /= 2) interleave();
    } else {
      for (; taken > 1; taken /= 2) takeEverySecond();
    }
    return registers_;
  }

  // Place t of each group comes from place of(t), those of `second` behind those of `first`.
  Value* shuffle(Value* first, Value* second, llvm::function_ref<unsigned(unsigned)> of) {
    llvm::SmallVector<int, 64> mask;
    for (unsigned t = 0; t < length_; ++t) {
      const unsigned source = of(t % group_), start = t - t % group_;
      mask.push_back(
          static_cast<int>(source < group_ ? start + source : length_ + start + source - group_));
    }
    return ir_.CreateShuffleVector(first, second, mask);
  }

  void interleave() {
    Registers next;
    const size_t half = registers_.size() / 2;
    for (size_t i = 0; i < half; ++i)
      for (const unsigned from : {0u, group_ / 2})
        next.push_back(shuffle(registers_[i], registers_[i + half],
                               [&](unsigned t) { return from + t / 2 + t % 2 * group_; }));
    registers_ = std::move(next);
  }

  void takeEverySecond() {
    const size_t half = registers_.size() / 2;
    Registers next(registers_.size());
    for (size_t i = 0; i < half; ++i)
      for (const unsigned odd : {0u, 1u})
        next[i + odd * half] = shuffle(registers_[2 * i], registers_[2 * i + 1],
                                       [&](unsigned t) { return 2 * t + odd; });
    registers_ = std::move(next);
  }

  llvm::IRBuilderBase& ir_;
  Registers registers_;
  const unsigned group_, length_;
  const bool takes_every_second_;
};

// How `lanes` structures of `elements` numbers are shuffled.
struct Tiling {
  unsigned elements, lanes;
  unsigned length;  // of a register
  unsigned group;   // within it
};

// None where shuffles of whole registers would not be fewer.
std::optional<Tiling> tilingOf(unsigned elements, unsigned lanes, unsigned bytes,
                               unsigned vector_bytes) {
  if (!std::has_single_bit(elements) || elements < kLeastElements || elements > kMostElements ||
      !std::has_single_bit(lanes) || bytes == 0 || bytes >= kPieceBytes)
    return std::nullopt;
  Tiling tiling{elements, lanes, std::min(lanes, vector_bytes / bytes), 0};
  tiling.group = vector_bytes < kWideBytes ? kPieceBytes / bytes : tiling.length;
  if (tiling.length < tiling.group || lanes * elements * bytes <= vector_bytes) return std::nullopt;
  // Two wide registers of bytes are not shuffled by one instruction.
  if (vector_bytes >= kWideBytes && bytes == 1) return std::nullopt;
  return tiling;
}

bool hasOneOperand(const ShuffleVectorInst& shuffle) {
  return match(shuffle.getOperand(1), llvm::PatternMatch::m_Undef());
}

// Of which vector, its operands in a row, a shuffle takes every how manieth element, from the first
// one of `start` on.
struct Taken {
  unsigned start;
  Tiling tiling;
};
std::optional<Taken> takenBy(const ShuffleVectorInst& shuffle, unsigned vector_bytes) {
  if (!llvm::isa<FixedVectorType>(shuffle.getType())) return std::nullopt;
  const llvm::ArrayRef<int> mask = shuffle.getShuffleMask();
  const auto lanes = static_cast<unsigned>(mask.size());
  const unsigned total = lengthOf(shuffle.getOperand(0)) * (hasOneOperand(shuffle) ? 1 : 2);
  if (lanes < 2 || total % lanes != 0 || mask[0] < 0) return std::nullopt;
  const unsigned elements = total / lanes, start = static_cast<unsigned>(mask[0]);
  if (start >= elements) return std::nullopt;
  for (unsigned l = 0; l < lanes; ++l)
    if (mask[l] != static_cast<int>(start + l * elements)) return std::nullopt;
  const auto tiling = tilingOf(elements, lanes, elementBytes(&shuffle), vector_bytes);
  if (!tiling) return std::nullopt;
  return Taken{start, *tiling};
}

// Whether a shuffle puts vectors, which its two operands consist of, together element by element.
std::optional<Tiling> joinedBy(const ShuffleVectorInst& shuffle, unsigned vector_bytes) {
  if (!llvm::isa<FixedVectorType>(shuffle.getType())) return std::nullopt;
  const llvm::ArrayRef<int> mask = shuffle.getShuffleMask();
  const auto total = static_cast<unsigned>(mask.size());
  if (total < 4 || mask[0] != 0 || mask[1] <= 0) return std::nullopt;
  const auto lanes = static_cast<unsigned>(mask[1]);
  if (total % lanes != 0) return std::nullopt;
  const unsigned elements = total / lanes;
  const unsigned length = lengthOf(shuffle.getOperand(0));
  if (length % lanes != 0 || total > 2 * length) return std::nullopt;
  for (unsigned k = 0; k < total; ++k)
    if (mask[k] != static_cast<int>(k % elements * lanes + k / elements)) return std::nullopt;
  return tilingOf(elements, lanes, elementBytes(&shuffle), vector_bytes);
}

// Parts of the structures that shuffles take apart. Of a load that nobody wants as a whole they are
// loads: to put two of them together costs nothing then.
class Parts {
 public:
  Parts(const ShuffleVectorInst& taken, bool is_wanted) : taken_(taken) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(taken.getOperand(0));
    if (hasOneOperand(taken) && load != nullptr && load->isSimple() && !is_wanted) load_ = load;
  }

  Value* get(llvm::IRBuilderBase& ir, unsigned first, unsigned count) const {
    if (load_ == nullptr) return slice(ir, taken_, first, count);
    const llvm::IRBuilderBase::InsertPointGuard guard(ir);
    ir.SetInsertPoint(load_);
    auto* type = FixedVectorType::get(load_->getType()->getScalarType(), count);
    const uint64_t bytes = uint64_t{first} * elementBytes(load_);
    llvm::LoadInst* part = ir.CreateAlignedLoad(
        type, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), load_->getPointerOperand(), bytes),
        llvm::commonAlignment(load_->getAlign(), bytes));
    part->copyMetadata(*load_,
                       {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
                        llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_access_group});
    return part;
  }

 private:
  const ShuffleVectorInst& taken_;
  llvm::LoadInst* load_ = nullptr;
};

// The registers that hold structures `first` to `first + length`, as a network takes them: groups
// follow each other in memory.
Registers registersOf(llvm::IRBuilderBase& ir, const Parts& structures, const Tiling& tiling,
                      unsigned first) {
  Registers registers;
  const unsigned group = tiling.group;
  for (unsigned j = 0; j < tiling.elements; ++j) {
    llvm::SmallVector<Value*, 4> pieces;
    for (unsigned l = first; l < first + tiling.length; l += group)
      pieces.push_back(structures.get(ir, l * tiling.elements + j * group, group));
    registers.push_back(llvm::concatenateVectors(ir, pieces));
  }
  return registers;
}

class StructureSplitting {
 public:
  StructureSplitting(llvm::Function& function, unsigned vector_bytes)
      : function_(function), vector_bytes_(vector_bytes) {}

  bool run() {
    llvm::MapVector<std::pair<Value*, Value*>, llvm::SmallVector<ShuffleVectorInst*, 8>> taken;
    llvm::SmallVector<ShuffleVectorInst*, 16> joins;
    for (llvm::Instruction& i : llvm::instructions(function_)) {
      auto* shuffle = llvm::dyn_cast<ShuffleVectorInst>(&i);
      if (shuffle == nullptr || shuffle->use_empty()) continue;
      if (takenBy(*shuffle, vector_bytes_))
        taken[{shuffle->getOperand(0), shuffle->getOperand(1)}].push_back(shuffle);
      else if (joinedBy(*shuffle, vector_bytes_))
        joins.push_back(shuffle);
    }
    bool changed = false;
    // What one shuffle is taken from may be what another one has made, which is replaced then.
    for (auto& [source, shuffles] : taken) changed |= take(shuffles);
    for (ShuffleVectorInst* shuffle : joins) join(*shuffle);
    return changed || !joins.empty();
  }

 private:
  // Shuffles of the same operands.
  bool take(llvm::ArrayRef<ShuffleVectorInst*> shuffles) {
    const Tiling tiling = takenBy(*shuffles.front(), vector_bytes_)->tiling;
    llvm::SmallVector<unsigned, 8> starts;
    llvm::SmallVector<ShuffleVectorInst*, 8> here;  // those of the same structures
    for (ShuffleVectorInst* shuffle : shuffles) {
      const Taken one = *takenBy(*shuffle, vector_bytes_);
      if (one.tiling.elements != tiling.elements) continue;
      here.push_back(shuffle);
      if (!llvm::is_contained(starts, one.start)) starts.push_back(one.start);
    }
    // A network makes all elements, of which half and more must be wanted.
    if (here.empty() || 2 * starts.size() < tiling.elements) return false;
    const auto* block = here.front()->getParent();
    const bool in_one_block = llvm::all_of(
        here, [&](const ShuffleVectorInst* shuffle) { return shuffle->getParent() == block; });
    llvm::IRBuilder<> ir(here.front());
    if (!in_one_block) ir.SetInsertPoint(whereDefined(*here.front()));
    auto* load = llvm::dyn_cast<llvm::LoadInst>(here.front()->getOperand(0));
    const bool is_wanted = load != nullptr && !llvm::all_of(load->users(), [&](auto* user) {
                             return llvm::is_contained(here, user);
                           });
    const llvm::WeakVH of_load(load);
    const Parts parts(*here.front(), is_wanted);
    std::vector<Registers> elements;  // by the register of lanes
    for (unsigned l = 0; l < tiling.lanes; l += tiling.length)
      elements.push_back(Network(ir, registersOf(ir, parts, tiling, l), tiling.group).toElements());
    llvm::SmallVector<Value*, 8> whole(tiling.elements, nullptr);
    for (const unsigned start : starts) {
      Registers registers;
      for (const Registers& of : elements) registers.push_back(of[start]);
      whole[start] = llvm::concatenateVectors(ir, registers);
    }
    for (ShuffleVectorInst* shuffle : here) {
      shuffle->replaceAllUsesWith(whole[takenBy(*shuffle, vector_bytes_)->start]);
      shuffle->eraseFromParent();
    }
    for (const Registers& of : elements)
      for (Value* unused : of) llvm::RecursivelyDeleteTriviallyDeadInstructions(unused);
    if (of_load && load->use_empty()) load->eraseFromParent();
    return true;
  }

  // Behind all that the shuffle takes from.
  llvm::BasicBlock::iterator whereDefined(const ShuffleVectorInst& shuffle) const {
    const llvm::DominatorTree dominators(function_);
    llvm::Instruction* last = nullptr;
    for (Value* operand : shuffle.operands()) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      if (instruction != nullptr && (last == nullptr || dominators.dominates(last, instruction)))
        last = instruction;
    }
    return last != nullptr ? *last->getInsertionPointAfterDef()
                           : function_.getEntryBlock().getFirstInsertionPt();
  }

  void join(ShuffleVectorInst& shuffle) {
    const Tiling tiling = *joinedBy(shuffle, vector_bytes_);
    llvm::IRBuilder<> ir(&shuffle);
    llvm::SmallVector<Value*, 32> pieces;
    for (unsigned l = 0; l < tiling.lanes; l += tiling.length) {
      Registers elements;
      for (unsigned e = 0; e < tiling.elements; ++e)
        elements.push_back(slice(ir, shuffle, e * tiling.lanes + l, tiling.length));
      const Registers structures = Network(ir, std::move(elements), tiling.group).toStructures();
      for (unsigned t = 0; t < tiling.length; t += tiling.group)
        for (Value* part : structures) pieces.push_back(slice(ir, part, t, tiling.group));
    }
    shuffle.replaceAllUsesWith(llvm::concatenateVectors(ir, pieces));
    shuffle.eraseFromParent();
  }

  llvm::Function& function_;
  const unsigned vector_bytes_;
};

}  // namespace

bool splitStructureShuffles(llvm::Function& function, unsigned vector_bytes) {
  return StructureSplitting(function, vector_bytes).run();
}

}  // namespace jit

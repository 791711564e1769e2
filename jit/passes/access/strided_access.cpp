// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/strided_access.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <bit>
#include <optional>
#include <vector>

#include "jit/passes/access/collected_vector.h"
#include "jit/passes/access/lane_addresses.h"
#include "jit/passes/access/lane_rows.h"
#include "jit/passes/access/progression.h"

namespace jit::simt {

namespace {

using namespace llvm::PatternMatch;

// A structure has up to this many elements, and of so many one at least is accessed: otherwise
// gathers read less.
constexpr int64_t kMaxElements = 8;
constexpr int64_t kMaxElementsForOne = 4;

constexpr unsigned kRegisterBytes = 64;
constexpr int64_t kMaxWordBytes = 8;
constexpr unsigned kLeastRegisterBytes = 16;

// One gather or scatter.
struct Access {
  llvm::IntrinsicInst* call;
  LaneAddresses addresses;

  bool isGather() const { return call->getIntrinsicID() == llvm::Intrinsic::masked_gather; }
  llvm::Value* pointers() const { return call->getArgOperand(isGather() ? 0 : 1); }
  llvm::Value* mask() const {
    // The alignment is an operand up to LLVM 21 and an attribute from then on.
    return call->getArgOperand(call->arg_size() - (isGather() ? 2 : 1));
  }
  llvm::FixedVectorType* type() const {
    return llvm::cast<llvm::FixedVectorType>(isGather() ? call->getType()
                                                        : call->getArgOperand(0)->getType());
  }
};

// Accesses of one kind whose addresses differ by constants, with nothing in between that could tell
// whether they happen together.
using Group = llvm::SmallVector<Access, 4>;

class GroupLowering {
 public:
  GroupLowering(Group group, bool masked_access)
      : group_(std::move(group)),
        masked_access_(masked_access),
        gather_(group_[0].isGather()),
        type_(group_[0].type()),
        ir_(gather_ ? group_.front().call : group_.back().call) {
    const llvm::DataLayout& layout = group_[0].call->getDataLayout();
    bytes_ = static_cast<int64_t>(layout.getTypeStoreSize(type_->getElementType()));
    lanes_ = type_->getNumElements();
    per_register_ = std::min<unsigned>(lanes_, kRegisterBytes / static_cast<unsigned>(bytes_));
  }

  // Of the group, what was left for another structure.
  Group takeRest() { return std::move(rest_); }

  bool run() {
    if (!measure() || lanes_ % per_register_ != 0) return false;
    const bool shuffled = isWorthwhile();
    if (isWord() && !shuffled) return scatterWords();
    if (!shuffled) return false;
    members_.assign(static_cast<size_t>(elements_), nullptr);
    for (const Access& access : group_)
      members_[static_cast<size_t>((access.addresses.offset - first_offset_) / bytes_)] =
          access.call;
    llvm::Value* start = ir_.CreateGEP(
        ir_.getInt8Ty(), ir_.CreateGEP(ir_.getInt8Ty(), address_.base, address_.first),
        ir_.getInt64(static_cast<uint64_t>(first_offset_ - group_[0].addresses.offset)));
    const auto registers = static_cast<unsigned>(row_starts_.size()) * row_registers_;
    for (unsigned r = 0; r < registers; ++r) {
      if (!gather_ && !isAccessed(r)) continue;
      llvm::Value* at = ir_.CreateGEP(ir_.getInt8Ty(), start, ir_.getInt64(offsetOfRegister(r)));
      if (gather_)
        loaded_.push_back(load(at, maskOf(r)));
      else
        store(interleaved(r), at, maskOf(r));
    }
    if (gather_) replaceMembers();
    for (const Access& access : group_) access.call->eraseFromParent();
    return true;
  }

 private:
  // Size of the structure and the first element that is accessed; false when addresses are no
  // progression, or the accesses do not lie in one structure.
  bool measure() {
    if (!findAddress()) return false;
    elements_ = address_.step / bytes_;
    if (elements_ <= kMaxElements && !findRegisters()) return false;
    first_offset_ = group_[0].addresses.offset;
    for (const Access& access : group_)
      first_offset_ = std::min(first_offset_, access.addresses.offset);
    last_offset_ = first_offset_;
    // What does not lie in this structure may do so in another one. Stores keep their order.
    llvm::SmallVector<int64_t, 8> seen;
    Group here;
    for (const Access& access : group_) {
      const int64_t past = access.addresses.offset - first_offset_;
      const bool fits =
          past < address_.step && past % bytes_ == 0 && !llvm::is_contained(seen, past);
      (fits ? here : rest_).push_back(access);
      if (!fits) continue;
      seen.push_back(past);
      last_offset_ = std::max(last_offset_, access.addresses.offset);
    }
    if (rest_.empty()) return true;
    if (!gather_) {
      rest_.clear();
      return false;
    }
    group_ = std::move(here);
    ir_.SetInsertPoint(group_.front().call);
    return findAddress();
  }

  // A register does not go on from row to row.
  bool findRegisters() {
    const auto row = static_cast<unsigned>(elements_) * row_lanes_;
    per_register_ = std::min(per_register_, std::bit_ceil(row));
    row_registers_ = (row + per_register_ - 1) / per_register_;
    return per_register_ * bytes_ >= kLeastRegisterBytes;
  }

  bool findAddress() {
    row_starts_ = {0};
    row_lanes_ = lanes_;
    std::optional<AddressProgression> address = Decomposer(ir_).addresses(group_[0].pointers());
    if (!address) address = rows();
    if (!address || address->step <= bytes_ || address->step % bytes_ != 0) return false;
    address_ = *address;
    return true;
  }

  std::optional<AddressProgression> rows() {
    const std::optional<LaneRows> rows = laneRowsOf(group_[0].addresses, lanes_);
    if (!rows) return std::nullopt;
    // What is stored must not be stored again by the row behind.
    for (size_t row = 1; row < rows->starts.size() && !gather_; ++row)
      if (rows->starts[row] - rows->starts[row - 1] < rows->step * rows->lanes) return std::nullopt;
    llvm::Value* pointer = firstLaneOf(ir_, group_[0].pointers());
    if (pointer == nullptr) return std::nullopt;
    row_lanes_ = rows->lanes;
    row_starts_ = rows->starts;
    return AddressProgression{pointer, ir_.getInt64(0), rows->step};
  }

  // Bytes of a register past the first one.
  uint64_t offsetOfRegister(unsigned r) const {
    const int64_t past = int64_t{r % row_registers_} * per_register_ * bytes_;
    return static_cast<uint64_t>(row_starts_[r / row_registers_] + past);
  }

  // A lane's element, and where it is: in register r, element t.
  struct Spot {
    unsigned lane, element;
  };
  std::optional<Spot> spotAt(unsigned r, unsigned t) const {
    const auto elements = static_cast<unsigned>(elements_);
    const unsigned index = r % row_registers_ * per_register_ + t;
    if (index >= row_lanes_ * elements) return std::nullopt;
    return Spot{r / row_registers_ * row_lanes_ + index / elements, index % elements};
  }
  std::pair<unsigned, unsigned> registerOf(Spot spot) const {
    const unsigned index = spot.lane % row_lanes_ * static_cast<unsigned>(elements_) + spot.element;
    return {spot.lane / row_lanes_ * row_registers_ + index / per_register_, index % per_register_};
  }

  // A row may end with registers of elements that nobody accesses.
  bool isAccessed(unsigned r) const {
    for (unsigned t = 0; t < per_register_; ++t)
      if (const auto spot = spotAt(r, t); spot && members_[spot->element] != nullptr) return true;
    return false;
  }

  bool isWorthwhile() const {
    const auto accessed = static_cast<int64_t>(group_.size());
    if (elements_ > kMaxElements || elements_ > accessed * kMaxElementsForOne) return false;
    const bool whole = accessed == elements_ && match(group_[0].mask(), m_AllOnes()) &&
                       row_lanes_ * elements_ % per_register_ == 0;
    return whole || (masked_access_ && bytes_ >= 4);
  }

  // Whether each invocation writes elements without a gap that are one word together. Machines
  // store words under a mask, but not what is smaller.
  bool isWord() const {
    const auto accessed = static_cast<int64_t>(group_.size());
    return !gather_ && accessed > 1 && llvm::isPowerOf2_64(group_.size()) &&
           accessed * bytes_ <= kMaxWordBytes &&
           last_offset_ - first_offset_ == (accessed - 1) * bytes_ &&
           !type_->getElementType()->isPointerTy();
  }

  bool scatterWords() {
    const auto bits = static_cast<unsigned>(8 * bytes_);
    auto* element = llvm::FixedVectorType::get(ir_.getIntNTy(bits), lanes_);
    auto* word = llvm::FixedVectorType::get(
        ir_.getIntNTy(bits * static_cast<unsigned>(group_.size())), lanes_);
    llvm::Value *words = nullptr, *pointers = nullptr;
    for (const Access& access : group_) {
      const auto part = static_cast<uint64_t>((access.addresses.offset - first_offset_) / bytes_);
      if (part == 0) pointers = access.pointers();
      llvm::Value* value = ir_.CreateBitCast(access.call->getArgOperand(0), element);
      value = ir_.CreateShl(ir_.CreateZExt(value, word), bits * part);
      words = words == nullptr ? value : ir_.CreateOr(words, value);
    }
    ir_.CreateMaskedScatter(words, pointers, llvm::Align(static_cast<uint64_t>(bytes_)),
                            group_[0].mask());
    for (const Access& access : group_) access.call->eraseFromParent();
    return true;
  }

  // Of the elements in register r; null when all are accessed.
  llvm::Value* maskOf(unsigned r) {
    llvm::SmallVector<int, 64> from;
    bool all = true;
    for (unsigned t = 0; t < per_register_; ++t) {
      const auto spot = spotAt(r, t);
      const bool accessed = spot && members_[spot->element] != nullptr;
      all &= accessed;
      from.push_back(static_cast<int>(accessed ? spot->lane : lanes_));
    }
    llvm::Value* mask = group_[0].mask();
    if (all && match(mask, m_AllOnes())) return nullptr;
    return ir_.CreateShuffleVector(mask, llvm::Constant::getNullValue(mask->getType()), from);
  }

  llvm::Value* load(llvm::Value* at, llvm::Value* mask) {
    auto* type = llvm::FixedVectorType::get(type_->getElementType(), per_register_);
    const llvm::Align alignment(static_cast<uint64_t>(bytes_));
    if (mask == nullptr) return ir_.CreateAlignedLoad(type, at, alignment);
    return ir_.CreateMaskedLoad(type, at, alignment, mask, llvm::Constant::getNullValue(type));
  }

  void store(llvm::Value* value, llvm::Value* at, llvm::Value* mask) {
    const llvm::Align alignment(static_cast<uint64_t>(bytes_));
    if (mask == nullptr)
      ir_.CreateAlignedStore(value, at, alignment);
    else
      ir_.CreateMaskedStore(value, at, alignment, mask);
  }

  // Structures without gaps that are all loaded whole are one vector, for all to see.
  void replaceMembers() {
    const auto whole = static_cast<uint64_t>(lanes_) * static_cast<uint64_t>(elements_);
    const bool is_whole = llvm::isPowerOf2_64(static_cast<uint64_t>(elements_)) &&
                          !llvm::is_contained(members_, nullptr) &&
                          loaded_.size() * per_register_ == whole;
    llvm::Value* all = is_whole ? llvm::concatenateVectors(ir_, loaded_) : nullptr;
    for (auto [e, member] : llvm::enumerate(members_)) {
      const auto element = static_cast<unsigned>(e);
      if (member == nullptr) continue;
      member->replaceAllUsesWith(
          is_whole
              ? ir_.CreateShuffleVector(
                    all, llvm::createStrideMask(element, static_cast<unsigned>(elements_), lanes_))
              : deinterleaved(element));
    }
  }

  // Register r of the structures, out of the vectors that are stored.
  llvm::Value* interleaved(unsigned r) {
    // Its lanes are near to each other: a register of each vector has them all.
    const unsigned first_lane = spotAt(r, 0)->lane / per_register_ * per_register_;
    llvm::SmallVector<llvm::Value*, 8> sources;
    llvm::SmallVector<int, 8> source_of(static_cast<size_t>(elements_), -1);
    for (size_t e = 0; e < source_of.size(); ++e) {
      if (members_[e] == nullptr) continue;
      source_of[e] = static_cast<int>(sources.size());
      sources.push_back(ir_.CreateShuffleVector(
          members_[e]->getArgOperand(0), llvm::createSequentialMask(first_lane, per_register_, 0)));
    }
    llvm::SmallVector<ElementSource, 64> chosen;
    for (unsigned t = 0; t < per_register_; ++t) {
      const auto spot = spotAt(r, t);
      chosen.push_back(
          spot ? ElementSource(source_of[spot->element], static_cast<int>(spot->lane - first_lane))
               : ElementSource(-1, 0));
    }
    return collected(ir_, sources, chosen);
  }

  // Element `e` of all structures, out of the registers that were loaded.
  llvm::Value* deinterleaved(unsigned e) {
    std::vector<llvm::Value*> parts;
    for (unsigned lane = 0; lane < lanes_; lane += per_register_) {
      const unsigned first = registerOf({lane, 0}).first;
      const unsigned last =
          registerOf({lane + per_register_ - 1, static_cast<unsigned>(elements_) - 1}).first;
      llvm::SmallVector<ElementSource, 64> chosen;
      for (unsigned t = 0; t < per_register_; ++t) {
        const auto [r, index] = registerOf({lane + t, e});
        chosen.push_back({static_cast<int>(r - first), static_cast<int>(index)});
      }
      parts.push_back(
          collected(ir_, llvm::ArrayRef(loaded_).slice(first, last - first + 1), chosen));
    }
    return llvm::concatenateVectors(ir_, parts);
  }

  Group group_;
  Group rest_;
  const bool masked_access_;
  const bool gather_;
  llvm::FixedVectorType* const type_;
  llvm::IRBuilder<> ir_;
  int64_t bytes_ = 0;  // of an element
  unsigned lanes_ = 0, per_register_ = 0;
  AddressProgression address_{};
  unsigned row_lanes_ = 0, row_registers_ = 0;          // of a row, which is of all lanes or some
  llvm::SmallVector<int64_t, 16> row_starts_;           // past the first one's
  int64_t elements_ = 0;                                // of a structure
  int64_t first_offset_ = 0, last_offset_ = 0;          // the least and the greatest of the group's
  llvm::SmallVector<llvm::IntrinsicInst*, 8> members_;  // by element; null: not accessed
  llvm::SmallVector<llvm::Value*, 16> loaded_;
};

bool readsNothingElse(const Access& access) {
  if (!access.isGather()) return true;
  llvm::Value* otherwise = access.call->getArgOperand(access.call->arg_size() - 1);
  return match(access.mask(), m_AllOnes()) || match(otherwise, m_Zero()) ||
         llvm::isa<llvm::UndefValue>(otherwise);
}

bool belongTogether(const Access& a, const Access& b) {
  return a.isGather() == b.isGather() && a.addresses.differsByOffset(b.addresses) &&
         a.mask() == b.mask() && a.type() == b.type();
}

}  // namespace

bool coalesceStridedAccesses(llvm::Function& function, bool masked_access, bool large_objects) {
  bool changed = false;
  llvm::SmallVector<Group, 4> open;
  auto close = [&](llvm::function_ref<bool(const Group&)> condition) {
    llvm::erase_if(open, [&](Group& group) {
      if (!condition(group)) return false;
      while (!group.empty()) {
        GroupLowering lowering(std::move(group), masked_access);
        changed |= lowering.run();  // may erase its accesses
        group = lowering.takeRest();
      }
      return true;
    });
  };
  auto all = [](const Group&) { return true; };
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& i : llvm::make_early_inc_range(block)) {
      if (!i.mayReadOrWriteMemory()) continue;
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      const bool known =
          call != nullptr && (call->getIntrinsicID() == llvm::Intrinsic::masked_gather ||
                              call->getIntrinsicID() == llvm::Intrinsic::masked_scatter);
      std::optional<Access> access;
      if (known) {
        access.emplace(Access{call, {}});
        access->addresses =
            laneAddressesOf(access->pointers(), function.getDataLayout(), !large_objects);
        if (!readsNothingElse(*access) || !access->addresses.isNear()) access.reset();
      }
      auto joins = [&](const Group& group) { return access && belongTogether(group[0], *access); };
      // Loads may pass loads; everything else keeps its order.
      close([&](const Group& group) {
        return !joins(group) && (i.mayWriteToMemory() || !group[0].isGather());
      });
      if (!access) continue;
      if (auto* joined = llvm::find_if(open, joins); joined != open.end())
        joined->push_back(*access);
      else
        open.push_back({*access});
    }
    close(all);
  }
  return changed;
}

}  // namespace jit::simt

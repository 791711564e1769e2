// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/strided_access.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <vector>

#include "jit/simt/access_place.h"
#include "jit/simt/lane_chunks.h"
#include "jit/simt/progression.h"

namespace jit::simt {

namespace {

using namespace llvm::PatternMatch;

// A structure has up to this many elements, and of so many one at least is accessed: otherwise
// gathers read less.
constexpr int64_t kMaxElements = 8;
constexpr int64_t kMaxElementsForOne = 4;

constexpr unsigned kRegisterBytes = 64;
constexpr int64_t kMaxWordBytes = 8;

// One gather or scatter.
struct Access {
  llvm::IntrinsicInst* call;
  Place place;

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

// Accesses of one kind whose places differ by constants, with nothing in between that could tell
// whether they happen together.
using Group = llvm::SmallVector<Access, 4>;

class GroupLowering {
 public:
  GroupLowering(Group& group, bool masked_access)
      : group_(group),
        masked_access_(masked_access),
        gather_(group[0].isGather()),
        type_(group[0].type()),
        ir_(gather_ ? group.front().call : group.back().call) {
    const llvm::DataLayout& layout = group[0].call->getDataLayout();
    bytes_ = static_cast<int64_t>(layout.getTypeStoreSize(type_->getElementType()));
    lanes_ = type_->getNumElements();
    per_register_ = std::min<unsigned>(lanes_, kRegisterBytes / static_cast<unsigned>(bytes_));
  }

  bool run() {
    if (lanes_ % per_register_ != 0 || !measure()) return false;
    const bool shuffled = isWorthwhile();
    if (isWord() && (!shuffled || lanes_ > kMostLanesInRegisters)) return scatterWords();
    if (!shuffled) return false;
    members_.assign(static_cast<size_t>(elements_), nullptr);
    for (const Access& access : group_)
      members_[static_cast<size_t>((access.place.offset - first_offset_) / bytes_)] = access.call;
    llvm::Value* start = ir_.CreateGEP(
        ir_.getInt8Ty(), ir_.CreateGEP(ir_.getInt8Ty(), address_.base, address_.first),
        ir_.getInt64(static_cast<uint64_t>(first_offset_ - group_[0].place.offset)));
    const unsigned registers = static_cast<unsigned>(elements_) * lanes_ / per_register_;
    for (unsigned r = 0; r < registers; ++r) {
      llvm::Value* at = ir_.CreateConstGEP1_64(
          ir_.getInt8Ty(), start, uint64_t{r} * per_register_ * static_cast<uint64_t>(bytes_));
      if (gather_)
        loaded_.push_back(load(at, maskOf(r)));
      else
        store(interleaved(r), at, maskOf(r));
    }
    for (llvm::IntrinsicInst* member : members_)
      if (gather_ && member != nullptr)
        member->replaceAllUsesWith(deinterleaved(static_cast<unsigned>(
            std::find(members_.begin(), members_.end(), member) - members_.begin())));
    for (const Access& access : group_) access.call->eraseFromParent();
    return true;
  }

 private:
  // Size of the structure and the first element that is accessed; false when addresses are no
  // progression, or the accesses do not lie in one structure.
  bool measure() {
    std::optional<AddressProgression> address = Decomposer(ir_).addresses(group_[0].pointers());
    if (!address || address->step <= bytes_ || address->step % bytes_ != 0) return false;
    address_ = *address;
    elements_ = address_.step / bytes_;
    first_offset_ = group_[0].place.offset;
    last_offset_ = first_offset_;
    for (const Access& access : group_) {
      first_offset_ = std::min(first_offset_, access.place.offset);
      last_offset_ = std::max(last_offset_, access.place.offset);
    }
    if (last_offset_ - first_offset_ >= address_.step) return false;
    llvm::SmallVector<int64_t, 8> seen;
    for (const Access& access : group_) {
      if ((access.place.offset - first_offset_) % bytes_ != 0) return false;
      if (llvm::is_contained(seen, access.place.offset)) return false;
      seen.push_back(access.place.offset);
    }
    return true;
  }

  bool isWorthwhile() const {
    const auto accessed = static_cast<int64_t>(group_.size());
    if (elements_ > kMaxElements || elements_ > accessed * kMaxElementsForOne) return false;
    const bool whole = accessed == elements_ && match(group_[0].mask(), m_AllOnes());
    return whole || (masked_access_ && bytes_ >= 4);
  }

  // Whether each invocation writes elements without a gap that are one word together. Machines
  // store words under a mask, but not what is smaller; and in a wide stream making words is
  // arithmetic, which becomes a loop (lane_chunks.h), unlike shuffles.
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
      const auto place = static_cast<uint64_t>((access.place.offset - first_offset_) / bytes_);
      if (place == 0) pointers = access.pointers();
      llvm::Value* value = ir_.CreateBitCast(access.call->getArgOperand(0), element);
      value = ir_.CreateShl(ir_.CreateZExt(value, word), bits * place);
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
      const unsigned element = r * per_register_ + t;
      const bool accessed = members_[element % static_cast<unsigned>(elements_)] != nullptr;
      all &= accessed;
      from.push_back(
          static_cast<int>(accessed ? element / static_cast<unsigned>(elements_) : lanes_));
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

  // A register whose element t is element `places[t].second` of `sources[places[t].first]`; a
  // source of -1 leaves it open. By shuffles of two registers, which machines have.
  using Source = std::pair<int, int>;
  llvm::Value* collected(llvm::ArrayRef<llvm::Value*> sources, llvm::ArrayRef<Source> places) {
    std::vector<llvm::Value*> parts;
    llvm::SmallVector<llvm::SmallVector<bool, 64>, 8> covered;
    const auto n = static_cast<int>(per_register_);
    for (size_t s = 0; s < sources.size(); s += 2) {
      llvm::SmallVector<int, 64> mask(per_register_, -1);
      llvm::SmallVector<bool, 64> here(per_register_, false);
      bool any = false;
      for (unsigned t = 0; t < per_register_; ++t) {
        const int second = places[t].first - static_cast<int>(s);
        if (second != 0 && second != 1) continue;
        mask[t] = second * n + places[t].second;
        here[t] = any = true;
      }
      if (!any) continue;
      llvm::Value* other = s + 1 < sources.size() ? sources[s + 1] : sources[s];
      parts.push_back(ir_.CreateShuffleVector(sources[s], other, mask));
      covered.push_back(here);
    }
    while (parts.size() > 1) {
      std::vector<llvm::Value*> merged;
      llvm::SmallVector<llvm::SmallVector<bool, 64>, 8> both;
      for (size_t p = 0; p < parts.size(); p += 2) {
        merged.push_back(parts[p]);
        both.push_back(covered[p]);
        if (p + 1 == parts.size()) break;
        llvm::SmallVector<int, 64> mask(per_register_, -1);
        for (unsigned t = 0; t < per_register_; ++t) {
          if (covered[p][t]) mask[t] = static_cast<int>(t);
          if (covered[p + 1][t]) mask[t] = n + static_cast<int>(t);
          both.back()[t] |= covered[p + 1][t];
        }
        merged.back() = ir_.CreateShuffleVector(parts[p], parts[p + 1], mask);
      }
      parts = std::move(merged);
      covered = std::move(both);
    }
    return parts[0];
  }

  // Register r of the structures, out of the vectors that are stored.
  llvm::Value* interleaved(unsigned r) {
    const auto elements = static_cast<unsigned>(elements_);
    const unsigned part = r / elements;  // of each vector
    llvm::SmallVector<llvm::Value*, 8> sources;
    llvm::SmallVector<int, 8> source_of(elements, -1);
    for (unsigned e = 0; e < elements; ++e) {
      if (members_[e] == nullptr) continue;
      source_of[e] = static_cast<int>(sources.size());
      llvm::SmallVector<int, 64> lanes;
      for (unsigned t = 0; t < per_register_; ++t)
        lanes.push_back(static_cast<int>(part * per_register_ + t));
      sources.push_back(ir_.CreateShuffleVector(members_[e]->getArgOperand(0), lanes));
    }
    llvm::SmallVector<Source, 64> places;
    for (unsigned t = 0; t < per_register_; ++t) {
      const unsigned element = r * per_register_ + t;
      places.push_back({source_of[element % elements],
                        static_cast<int>(element / elements - part * per_register_)});
    }
    return collected(sources, places);
  }

  // Element `e` of all structures, out of the registers that were loaded.
  llvm::Value* deinterleaved(unsigned e) {
    const auto elements = static_cast<unsigned>(elements_);
    std::vector<llvm::Value*> parts;
    for (unsigned part = 0; part < lanes_ / per_register_; ++part) {
      llvm::ArrayRef<llvm::Value*> sources =
          llvm::ArrayRef(loaded_).slice(part * elements, elements);
      llvm::SmallVector<Source, 64> places;
      for (unsigned t = 0; t < per_register_; ++t)
        places.push_back({static_cast<int>((t * elements + e) / per_register_),
                          static_cast<int>((t * elements + e) % per_register_)});
      parts.push_back(collected(sources, places));
    }
    for (unsigned width = per_register_; parts.size() > 1; width *= 2) {
      std::vector<llvm::Value*> joined;
      llvm::SmallVector<int, 64> all(2 * width);
      for (unsigned t = 0; t < 2 * width; ++t) all[t] = static_cast<int>(t);
      for (size_t p = 0; p + 1 < parts.size(); p += 2)
        joined.push_back(ir_.CreateShuffleVector(parts[p], parts[p + 1], all));
      parts = std::move(joined);
    }
    return parts[0];
  }

  Group& group_;
  const bool masked_access_;
  const bool gather_;
  llvm::FixedVectorType* const type_;
  llvm::IRBuilder<> ir_;
  int64_t bytes_ = 0;  // of an element
  unsigned lanes_ = 0, per_register_ = 0;
  AddressProgression address_{};
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
  return a.isGather() == b.isGather() && a.place.base == b.place.base &&
         a.place.index == b.place.index && a.mask() == b.mask() && a.type() == b.type();
}

}  // namespace

bool narrowStridedAccesses(llvm::Function& function, bool masked_access) {
  bool changed = false;
  llvm::SmallVector<Group, 4> open;
  auto close = [&](llvm::function_ref<bool(const Group&)> condition) {
    llvm::erase_if(open, [&](Group& group) {
      if (!condition(group)) return false;
      changed |= GroupLowering(group, masked_access).run();  // may erase the group's accesses
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
        access->place = placeOf(access->pointers(), function.getDataLayout());
        if (!readsNothingElse(*access)) access.reset();
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

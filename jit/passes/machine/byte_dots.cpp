// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/byte_dots.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <tuple>

#include "jit/ir/byte_dots.h"
#include "jit/passes/machine/lane_words.h"
#include "runtime/cpu_features.h"

namespace jit {
namespace {

using llvm::FixedVectorType;
using llvm::Value;
using llvm::Intrinsic::ID;

using Parts = llvm::SmallVector<Value*, 8>;  // of a vector, each a register

constexpr uint32_t kHighBits = 0x80808080u;

unsigned lanesOf(const Value* vector) {
  return llvm::cast<FixedVectorType>(vector->getType())->getNumElements();
}

// What multiplies, and how many 32-bit elements at a time.
struct Unit {
  unsigned elements;
  bool adds_up;  // vpdpbusd
};

Unit unitFor(const rt::CpuFeatures& has, unsigned lanes) {
  const bool wide = has.avx512bw && lanes % 16 == 0;
  if (wide && has.avx512_vnni) return {16, true};
  if (has.avx_vnni || (has.avx512_vnni && has.avx512bw && has.avx512vl)) return {8, true};
  return {wide ? 16u : 8u, false};
}

// Whether each byte is known to be less than 128, which is of either signedness.
bool hasSevenBits(Value* bytes, const llvm::DataLayout& layout) {
  return llvm::APInt(32, kHighBits).isSubsetOf(llvm::computeKnownBits(bytes, layout).Zero);
}

// Sums of products, and of what else is to be added, in registers.
class Sums {
 public:
  Sums(llvm::IRBuilder<>& builder, Unit unit, unsigned elements)
      : ir_(builder),
        unit_(unit),
        gained_(elements / unit.elements, nullptr),
        less_(elements / unit.elements, nullptr) {}

  void add(Value* vector) {
    for (unsigned part = 0; part < gained_.size(); ++part)
      accumulate(gained_[part], cut(vector, part));
  }
  void add(llvm::ArrayRef<Value*> parts) {
    for (unsigned part = 0; part < gained_.size(); ++part) accumulate(gained_[part], parts[part]);
  }

  void add(const ByteDot& dot) {
    const llvm::DataLayout& layout = ir_.GetInsertBlock()->getDataLayout();
    const bool small_a = hasSevenBits(dot.a, layout), small_b = hasSevenBits(dot.b, layout);
    if (small_a && (small_b || dot.b_signed)) return multiply(dot.a, dot.b);
    if (small_b && dot.a_signed) return multiply(dot.b, dot.a);
    if (unit_.adds_up) return addBiased(dot);
    if (dot.b_signed) return addInHalves(dot.a, dot.a_signed, dot.b);
    if (dot.a_signed) return addInHalves(dot.b, dot.b_signed, dot.a);
    addWords(dot.a, dot.b);
  }

  Parts parts() const {
    Parts result;
    for (unsigned part = 0; part < gained_.size(); ++part)
      result.push_back(less_[part] != nullptr ? ir_.CreateSub(gained_[part], less_[part])
                                              : gained_[part]);
    return result;
  }

 private:
  FixedVectorType* of(unsigned bits) const {
    return FixedVectorType::get(ir_.getIntNTy(bits), unit_.elements * 32 / bits);
  }
  Value* cut(Value* vector, unsigned part) const {
    return ir_.CreateExtractVector(of(32), vector, ir_.getInt64(part * unit_.elements));
  }
  Value* all(unsigned bits, uint64_t element) const {
    return llvm::ConstantInt::get(of(bits), element);
  }

  void accumulate(Value*& sum, Value* more) {
    sum = sum != nullptr ? ir_.CreateAdd(sum, more) : more;
  }

  // sum + u[k] * s[k]: bytes without sign by ones with; for vpmaddubsw, whose words saturate, those
  // of u have 7 bits, or no others.
  void accumulate(Value*& sum, Value* u, Value* s) {
    if (!unit_.adds_up) {
      const bool wide = unit_.elements == 16;
      Value* words = ir_.CreateIntrinsic(
          wide ? llvm::Intrinsic::x86_avx512_pmaddubs_w_512 : llvm::Intrinsic::x86_avx2_pmadd_ub_sw,
          {}, {ir_.CreateBitCast(u, of(8)), ir_.CreateBitCast(s, of(8))});
      return accumulate(sum, pairs(words, all(16, 1)));
    }
    const ID id = unit_.elements == 16 ? llvm::Intrinsic::x86_avx512_vpdpbusd_512
                                       : llvm::Intrinsic::x86_avx512_vpdpbusd_256;
    // LLVM 19 declares the operands as 32-bit elements, 22 as bytes.
    llvm::Type* operand = llvm::Intrinsic::getType(ir_.getContext(), id)->getParamType(1);
    sum = ir_.CreateIntrinsic(id, {},
                              {sum != nullptr ? sum : all(32, 0), ir_.CreateBitCast(u, operand),
                               ir_.CreateBitCast(s, operand)});
  }

  // x[0] * y[0] + x[1] * y[1], of words.
  Value* pairs(Value* x, Value* y) {
    return ir_.CreateIntrinsic(unit_.elements == 16 ? llvm::Intrinsic::x86_avx512_pmaddw_d_512
                                                    : llvm::Intrinsic::x86_avx2_pmadd_wd,
                               {}, {x, y});
  }

  void multiply(Value* u, Value* s) {
    for (unsigned part = 0; part < gained_.size(); ++part)
      accumulate(gained_[part], cut(u, part), cut(s, part));
  }

  // Where signednesses are equal, one side is moved by 128 and the difference taken off again.
  void addBiased(const ByteDot& dot) {
    if (dot.a_signed != dot.b_signed)
      return dot.a_signed ? multiply(dot.b, dot.a) : multiply(dot.a, dot.b);
    Value* bias = all(32, kHighBits);
    for (unsigned part = 0; part < gained_.size(); ++part) {
      Value *a = cut(dot.a, part), *b = cut(dot.b, part);
      if (dot.a_signed) {  // (a + 128) * b - 128 * b
        accumulate(gained_[part], ir_.CreateXor(a, bias), b);
        accumulate(less_[part], bias, b);
      } else {  // a * (b - 128) - a * -128
        accumulate(gained_[part], a, ir_.CreateXor(b, bias));
        accumulate(less_[part], a, bias);
      }
    }
  }

  // The lower 7 bits of x, and its highest, which counts -128 or 128: two products each fit into
  // words.
  void addInHalves(Value* x, bool is_signed, Value* s) {
    for (unsigned part = 0; part < gained_.size(); ++part) {
      Value *bytes = cut(x, part), *other = cut(s, part);
      accumulate(gained_[part], ir_.CreateAnd(bytes, all(32, ~kHighBits)), other);
      accumulate(is_signed ? less_[part] : gained_[part], ir_.CreateAnd(bytes, all(32, kHighBits)),
                 other);
    }
  }

  // Bytes without sign as words: 0 and 2, and 1 and 3.
  void addWords(Value* a, Value* b) {
    for (unsigned part = 0; part < gained_.size(); ++part) {
      Value *x = ir_.CreateBitCast(cut(a, part), of(16)),
            *y = ir_.CreateBitCast(cut(b, part), of(16));
      accumulate(gained_[part],
                 pairs(ir_.CreateAnd(x, all(16, 0xff)), ir_.CreateAnd(y, all(16, 0xff))));
      accumulate(gained_[part],
                 pairs(ir_.CreateLShr(x, all(16, 8)), ir_.CreateLShr(y, all(16, 8))));
    }
  }

  llvm::IRBuilder<>& ir_;
  const Unit unit_;
  Parts gained_, less_;  // null: nothing yet
};

// Elements 0, 2, ... of two registers plus elements 1, 3, ...
Value* sumOfNeighbours(llvm::IRBuilder<>& ir, Value* low, Value* high) {
  llvm::SmallVector<int, 16> even, odd;
  for (int element = 0; element < static_cast<int>(lanesOf(low)); ++element) {
    even.push_back(2 * element);
    odd.push_back(2 * element + 1);
  }
  return ir.CreateAdd(ir.CreateShuffleVector(low, high, even),
                      ir.CreateShuffleVector(low, high, odd));
}

// A product, or an addition of vectors of 32-bit elements.
bool isSum(llvm::Instruction& instruction) {
  return byteDotOf(&instruction) || (instruction.getOpcode() == llvm::Instruction::Add &&
                                     llvm::isa<FixedVectorType>(instruction.getType()) &&
                                     instruction.getType()->getScalarType()->isIntegerTy(32));
}

// Whether nothing but an addition of its block uses it.
bool isPartOfSum(llvm::Instruction& instruction) {
  auto* user = instruction.hasOneUse() ? llvm::dyn_cast<llvm::Instruction>(instruction.user_back())
                                       : nullptr;
  return user != nullptr && user->getOpcode() == llvm::Instruction::Add &&
         user->getParent() == instruction.getParent();
}

// One sum: the additions of a block that lead to `root`, what they add up, and the products among
// that.
class Sum {
 public:
  Sum(llvm::Instruction& root, const rt::CpuFeatures& features)
      : root_(root), features_(features), lanes_(lanesOf(&root)), ir_(&root) {
    collect();
  }

  // False, and nothing is changed, where there is no product in it.
  bool lower() {
    if (dots_.empty()) return false;
    const Unit unit = unitFor(features_, lanes_);
    Sums sums(ir_, unit, lanes_);
    for (Value* other : others_) sums.add(other);
    std::map<unsigned, Sums> of_words;  // by how many a lane has
    for (const Group& group : groups()) {
      const auto count = static_cast<unsigned>(group.size());
      if (count == 1) {
        sums.add(group[0]);
      } else {
        auto [to, is_new] = of_words.try_emplace(count, ir_, unit, count * lanes_);
        to->second.add(onAllWords(group));
      }
    }
    for (auto& [count, wide] : of_words) {
      Parts parts = wide.parts();
      for (unsigned words = count; words > 1; words /= 2) {
        Parts halved;
        for (size_t part = 0; part < parts.size(); part += 2)
          halved.push_back(sumOfNeighbours(ir_, parts[part], parts[part + 1]));
        parts = halved;
      }
      sums.add(parts);
    }
    Value* result = llvm::PoisonValue::get(root_.getType());
    for (auto [part, value] : llvm::enumerate(sums.parts()))
      result = ir_.CreateInsertVector(root_.getType(), result, value,
                                      ir_.getInt64(part * unit.elements));
    root_.replaceAllUsesWith(result);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(&root_);
    return true;
  }

 private:
  void collect() {
    llvm::SmallVector<Value*> open = {&root_};
    while (!open.empty()) {
      Value* value = open.pop_back_val();
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      const bool is_inside =
          instruction == &root_ ||
          (instruction != nullptr && isSum(*instruction) && isPartOfSum(*instruction));
      if (is_inside && instruction->getOpcode() == llvm::Instruction::Add) {
        open.append({instruction->getOperand(1), instruction->getOperand(0)});
      } else if (std::optional<ByteDot> dot = is_inside ? byteDotOf(value) : std::nullopt) {
        dots_.push_back(*dot);
      } else {
        others_.push_back(value);
      }
    }
  }

  using Group = llvm::SmallVector<ByteDot, 4>;

  // Products of all words that lanes have of one base, in the words' order; others alone.
  llvm::SmallVector<Group> groups() const {
    using Key = std::tuple<LaneBase, unsigned, bool, bool>;  // base, its words, signednesses
    llvm::MapVector<Key, llvm::SmallVector<Group, 4>, std::map<Key, unsigned>> of_words;
    llvm::SmallVector<Group> result;
    for (const ByteDot& dot : dots_) {
      std::optional<LaneWord> word = firstLaneWordOf(dot.a);
      if (!word) word = firstLaneWordOf(dot.b);
      if (!word) {
        result.push_back({dot});
        continue;
      }
      auto& by_index = of_words[{word->base, word->count, dot.a_signed, dot.b_signed}];
      by_index.resize(word->count);
      by_index[word->index].push_back(dot);
    }
    for (const auto& [key, by_index] : of_words) {
      const size_t complete = llvm::min_element(by_index, [](const Group& a, const Group& b) {
                                return a.size() < b.size();
                              })->size();
      for (size_t k = 0; k < complete; ++k) {
        Group group;
        for (const Group& dots : by_index) group.push_back(dots[k]);
        if (isOfAllWords(group)) {
          result.push_back(std::move(group));
        } else {
          for (const ByteDot& dot : group) result.push_back({dot});
        }
      }
      for (const Group& dots : by_index)
        for (const ByteDot& dot : llvm::drop_begin(dots, complete)) result.push_back({dot});
    }
    return result;
  }

  using Values = llvm::SmallVector<Value*, 4>;
  static std::pair<Values, Values> sidesOf(llvm::ArrayRef<ByteDot> group) {
    std::pair<Values, Values> sides;
    for (const ByteDot& dot : group) {
      sides.first.push_back(dot.a);
      sides.second.push_back(dot.b);
    }
    return sides;
  }
  static bool isOfAllWords(llvm::ArrayRef<ByteDot> group) {
    const auto [a, b] = sidesOf(group);
    return areOfAllWords(a) && areOfAllWords(b);
  }
  ByteDot onAllWords(llvm::ArrayRef<ByteDot> group) {
    const auto [a, b] = sidesOf(group);
    return {emitOnAllWords(ir_, a), emitOnAllWords(ir_, b), group[0].a_signed, group[0].b_signed};
  }

  llvm::Instruction& root_;
  const rt::CpuFeatures& features_;
  const unsigned lanes_;
  llvm::IRBuilder<> ir_;
  llvm::SmallVector<Value*, 4> others_;
  llvm::SmallVector<ByteDot, 8> dots_;
};

}  // namespace

bool lowerByteDots(llvm::Function& function, const rt::CpuFeatures& features) {
  bool changed = false;
  llvm::SmallVector<llvm::WeakTrackingVH> roots;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (isSum(instruction) && !isPartOfSum(instruction)) roots.emplace_back(&instruction);
  for (const llvm::WeakTrackingVH& root : roots)
    if (root != nullptr) changed |= Sum(*llvm::cast<llvm::Instruction>(root), features).lower();
  return changed;
}

}  // namespace jit

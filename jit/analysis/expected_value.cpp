// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/expected_value.h"

#include <algorithm>
#include <vector>

#include "jit/spirv/operands.h"

namespace jit::simt {

using spirv::Id;
using spirv::Instruction;

namespace {

// Values that are looked at for one.
constexpr size_t kMostSteps = 64;

// The bases of a value and of all that it is made of by phis and sums, solved together: phis take
// what is known of their operands so far.
class ExpectedBases {
 public:
  ExpectedBases(const Definitions& definitions, const UniformityAnalysis& uniformity)
      : definitions_(definitions), uniformity_(uniformity) {}

  std::optional<ExpectedValue> of(Id value) {
    if (isUniform(value)) return ExpectedValue{0, zerosOf(value)};
    if (!collect(value)) return std::nullopt;
    for (bool changed = true; changed;) {
      changed = false;
      for (Id id : order_) {
        const Base base = evaluate(id);
        if (base.kind == Kind::Other) return std::nullopt;
        if (base == bases_[id]) continue;
        if (bases_[id].kind == Kind::Known) return std::nullopt;
        bases_[id] = base;
        changed = true;
      }
    }
    const Base base = bases_[value];
    if (base.kind != Kind::Known || base.id == value) return std::nullopt;
    return ExpectedValue{base.id, zerosBeside(base.id)};
  }

 private:
  enum class Kind : uint8_t { Open, Known, Other };
  struct Base {
    Kind kind = Kind::Open;
    Id id = 0;
    bool operator==(const Base&) const = default;
  };

  bool isUniform(Id value) const { return uniformity_.whole(value) != Uniformity::Varying; }

  unsigned zerosOf(Id value) const { return uniformity_.shape(value).trailingZeros(); }

  // Of the sum of all that is added to `base`.
  unsigned zerosBeside(Id base) const {
    unsigned zeros = 64;
    for (const auto& [id, own] : bases_) {
      const Instruction& i = *definitions_.at(id).first;
      if (id == base) continue;
      for (Id operand : spirv::valueOperands(i))
        if (operand != base && !bases_.contains(operand)) zeros = std::min(zeros, zerosOf(operand));
    }
    return zeros;
  }

  // What is made of others by phis and sums; null for all else.
  const Instruction* composed(Id value) const {
    const auto found = definitions_.find(value);
    if (found == definitions_.end() || isUniform(value)) return nullptr;
    const Instruction* i = found->second.first;
    return i->op == spv::Op::OpPhi || goesOnEvenly(i->op) ? i : nullptr;
  }

  bool collect(Id value) {
    std::vector<Id> open = {value};
    while (!open.empty()) {
      const Id id = open.back();
      open.pop_back();
      const Instruction* i = composed(id);
      if (i == nullptr || bases_.contains(id)) continue;
      if (bases_.size() == kMostSteps) return false;
      bases_[id] = {};
      order_.push_back(id);
      for (Id operand : spirv::valueOperands(*i)) open.push_back(operand);
    }
    // Operands first, mostly.
    std::reverse(order_.begin(), order_.end());
    return true;
  }

  Base baseOf(Id value) const {
    if (const auto found = bases_.find(value); found != bases_.end()) return found->second;
    if (isUniform(value)) return {Kind::Known, 0};
    return isEven(value) ? Base{Kind::Known, value} : Base{Kind::Other};
  }

  bool isEven(Id value) const { return uniformity_.shape(value).isLinear(); }

  Base evaluate(Id value) const {
    const Instruction& i = *definitions_.at(value).first;
    if (i.op != spv::Op::OpPhi) return sum(value, i);
    Base joined;
    for (Id operand : spirv::valueOperands(i)) {
      const Base base = baseOf(operand);
      if (base.kind == Kind::Open) continue;
      if (joined.kind != Kind::Open && joined != base) return {Kind::Other};
      joined = base;
    }
    return joined;
  }

  Base sum(Id value, const Instruction& i) const {
    const Base a = baseOf(i.operands[0]);
    if (i.op == spv::Op::OpCopyObject) return a;
    const Base b = baseOf(i.operands[1]);
    if (a.kind == Kind::Open || b.kind == Kind::Open) return {};
    if (a.kind == Kind::Known && b == Base{Kind::Known, 0}) return a;
    if (i.op == spv::Op::OpIAdd && b.kind == Kind::Known && a == Base{Kind::Known, 0}) return b;
    return isEven(value) ? Base{Kind::Known, value} : Base{Kind::Other};
  }

  const Definitions& definitions_;
  const UniformityAnalysis& uniformity_;
  std::unordered_map<Id, Base> bases_;
  std::vector<Id> order_;
};

}  // namespace

bool goesOnEvenly(spv::Op op) {
  return op == spv::Op::OpIAdd || op == spv::Op::OpISub || op == spv::Op::OpCopyObject;
}

std::optional<ExpectedValue> expectedValue(Id value, const Definitions& definitions,
                                           const UniformityAnalysis& uniformity) {
  return ExpectedBases(definitions, uniformity).of(value);
}

}  // namespace jit::simt

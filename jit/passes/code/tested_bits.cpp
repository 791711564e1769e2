// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/tested_bits.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include <memory>
#include <optional>
#include <vector>

#include "jit/passes/code/test_facts.h"

namespace jit {
namespace {

using namespace llvm::PatternMatch;
using llvm::KnownBits;
using llvm::Value;

constexpr unsigned kMaxExpression = 16;  // of an expression
constexpr unsigned kMaxElements = 128;

// Of each element; of a scalar, one.
using Elements = std::vector<KnownBits>;

// How many elements a value has of which bits can be told; 0: it is none of these.
unsigned elementsOf(const Value& value) {
  const llvm::Type* type = value.getType();
  if (type->isIntegerTy()) return 1;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (vector == nullptr || !vector->getElementType()->isIntegerTy()) return 0;
  return vector->getNumElements() <= kMaxElements ? vector->getNumElements() : 0;
}

bool isConstant(const Elements& elements) {
  return llvm::all_of(elements, [](const KnownBits& bits) { return bits.isConstant(); });
}

KnownBits sumOf(bool adds, const KnownBits& a, const KnownBits& b) {
  return KnownBits::computeForAddSub(adds, /*NSW=*/false, /*NUW=*/false, a, b);
}

std::optional<bool> compared(llvm::CmpInst::Predicate predicate, const KnownBits& a,
                             const KnownBits& b) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      return KnownBits::eq(a, b);
    case llvm::CmpInst::ICMP_NE:
      return KnownBits::ne(a, b);
    case llvm::CmpInst::ICMP_ULT:
      return KnownBits::ult(a, b);
    case llvm::CmpInst::ICMP_UGT:
      return KnownBits::ugt(a, b);
    default:
      return std::nullopt;
  }
}

// By a power of two or what is as far below zero, of a number that is not negative.
std::optional<KnownBits> ofDivision(const KnownBits& a, const KnownBits& b, bool is_remainder) {
  if (!b.isConstant() || !a.isNonNegative()) return std::nullopt;
  const llvm::APInt& divisor = b.getConstant();
  if (!divisor.abs().isPowerOf2() || divisor.isMinSignedValue()) return std::nullopt;
  if (is_remainder) return a & KnownBits::makeConstant(divisor.abs() - 1);
  const KnownBits shift =
      KnownBits::makeConstant(llvm::APInt(divisor.getBitWidth(), divisor.abs().exactLogBase2()));
  KnownBits quotient = KnownBits::lshr(a, shift);
  if (!divisor.isNegative()) return quotient;
  return sumOf(false, KnownBits::makeConstant(llvm::APInt::getZero(divisor.getBitWidth())),
               quotient);
}

// Nothing for what cannot be told.
std::optional<KnownBits> ofOperation(unsigned opcode, const KnownBits& a, const KnownBits& b) {
  switch (opcode) {
    case llvm::Instruction::And:
      return a & b;
    case llvm::Instruction::Or:
      return a | b;
    case llvm::Instruction::Xor:
      return a ^ b;
    case llvm::Instruction::Add:
      return sumOf(true, a, b);
    case llvm::Instruction::Sub:
      return sumOf(false, a, b);
    case llvm::Instruction::Mul:
      return KnownBits::mul(a, b);
    case llvm::Instruction::Shl:
      return KnownBits::shl(a, b);
    case llvm::Instruction::LShr:
      return KnownBits::lshr(a, b);
    case llvm::Instruction::AShr:
      return KnownBits::ashr(a, b);
    case llvm::Instruction::SDiv:
    case llvm::Instruction::SRem:
      return ofDivision(a, b, opcode == llvm::Instruction::SRem);
    default:
      return std::nullopt;
  }
}

class Folder {
 public:
  Folder(const llvm::DominatorTree& dominators, const llvm::DataLayout& layout)
      : dominators_(dominators), layout_(layout) {}

  unsigned run() {
    struct Step {
      const llvm::DomTreeNode* node;
      std::optional<size_t> leaves_at;  // forget what has been learnt since this mark
    };
    std::vector<Step> open = {{dominators_.getRootNode(), std::nullopt}};
    while (!open.empty()) {
      const Step step = open.back();
      open.pop_back();
      if (step.leaves_at) {
        if (facts_.mark() > *step.leaves_at) evaluated_.clear();
        facts_.forget(*step.leaves_at);
        continue;
      }
      open.push_back({step.node, facts_.mark()});
      enter(*step.node->getBlock());
      for (const llvm::DomTreeNode* child : step.node->children())
        open.push_back({child, std::nullopt});
    }
    return count_;
  }

 private:
  void enter(llvm::BasicBlock& block) {
    const size_t mark = facts_.mark();
    if (llvm::BasicBlock* before = block.getSinglePredecessor())
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
          branch != nullptr && branch->isConditional() &&
          branch->getSuccessor(0) != branch->getSuccessor(1))
        facts_.learn(branch->getCondition(), branch->getSuccessor(0) == &block);
    if (facts_.mark() > mark) evaluated_.clear();
    if (facts_.empty()) return;
    for (llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      for (llvm::Use& use : instruction.operands()) fold(use);
    }
  }

  void fold(llvm::Use& use) {
    if (!llvm::isa<llvm::Instruction>(use.get()) || elementsOf(*use.get()) == 0) return;
    const Elements* elements = evaluate(use.get(), kMaxExpression);
    if (elements == nullptr || !isConstant(*elements)) return;
    llvm::SmallVector<llvm::Constant*> constants;
    llvm::Type* type = use->getType();
    for (const KnownBits& bits : *elements)
      constants.push_back(llvm::ConstantInt::get(type->getScalarType(), bits.getConstant()));
    use.set(type->isVectorTy() ? llvm::ConstantVector::get(constants) : constants[0]);
    ++count_;
  }

  // Null where nothing is known.
  const Elements* evaluate(Value* value, unsigned depth) {
    if (depth == 0 || elementsOf(*value) == 0) return nullptr;
    auto [known, is_new] = evaluated_.try_emplace(value, nullptr);
    if (!is_new) return known->second.get();
    Elements elements = find(value, depth - 1);
    if (const TestFacts::Fact* fact = facts_.of(value)) {
      if (elements.empty()) elements.emplace_back(fact->bits.getBitWidth());
      elements[0] = elements[0].unionWith(fact->bits);
    }
    const bool is_known =
        llvm::any_of(elements, [](const KnownBits& bits) { return !bits.isUnknown(); });
    const bool is_possible =
        llvm::none_of(elements, [](const KnownBits& bits) { return bits.hasConflict(); });
    if (!is_known || !is_possible) return nullptr;
    return (evaluated_[value] = std::make_unique<Elements>(std::move(elements))).get();
  }

  Elements find(Value* value, unsigned depth) {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return ofConstant(*constant);
    if (Value* scalar = llvm::getSplatValue(value)) {
      const Elements* one = evaluate(scalar, depth);
      return one != nullptr ? Elements(elementsOf(*value), (*one)[0]) : Elements();
    }
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) return ofCast(*cast, depth);
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(value))
      return ofComparison(*comparison, depth);
    if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(value)) {
      const Elements* known = evaluate(freeze->getOperand(0), depth);
      return known != nullptr ? *known : Elements();
    }
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value))
      return ofBinary(*operation, depth);
    return value->getType()->isVectorTy() ? Elements() : Elements{ofScalar(*value)};
  }

  // What is known without tests: of counters of loops, and of what is read.
  const KnownBits& ofScalar(Value& value) {
    auto [known, is_new] = scalars_.try_emplace(&value, KnownBits());
    if (is_new) known->second = llvm::computeKnownBits(&value, layout_);
    return known->second;
  }

  static Elements ofConstant(const llvm::Constant& constant) {
    Elements elements;
    for (unsigned k = 0; k < elementsOf(constant); ++k) {
      const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(
          constant.getType()->isVectorTy() ? constant.getAggregateElement(k) : &constant);
      if (number == nullptr) return {};
      elements.push_back(KnownBits::makeConstant(number->getValue()));
    }
    return elements;
  }

  Elements ofCast(llvm::CastInst& cast, unsigned depth) {
    const unsigned bits = cast.getType()->getScalarSizeInBits();
    const auto opcode = cast.getOpcode();
    const bool is_known_kind = opcode == llvm::Instruction::ZExt ||
                               opcode == llvm::Instruction::SExt ||
                               opcode == llvm::Instruction::Trunc;
    const Elements* from = is_known_kind ? evaluate(cast.getOperand(0), depth) : nullptr;
    Elements elements;
    if (from == nullptr) return elements;
    for (const KnownBits& known : *from)
      elements.push_back(opcode == llvm::Instruction::ZExt   ? known.zext(bits)
                         : opcode == llvm::Instruction::SExt ? known.sext(bits)
                                                             : known.trunc(bits));
    return elements;
  }

  Elements ofComparison(llvm::ICmpInst& comparison, unsigned depth) {
    const Elements* a = evaluate(comparison.getOperand(0), depth);
    const Elements* b = a != nullptr ? evaluate(comparison.getOperand(1), depth) : nullptr;
    Elements elements;
    if (b == nullptr) return elements;
    for (size_t k = 0; k < a->size(); ++k) {
      const std::optional<bool> holds = compared(comparison.getPredicate(), (*a)[k], (*b)[k]);
      elements.push_back(holds ? KnownBits::makeConstant(llvm::APInt(1, *holds ? 1 : 0))
                               : KnownBits(1));
    }
    return elements;
  }

  // Bits can be known though nothing is of one side.
  Elements ofBinary(llvm::BinaryOperator& operation, unsigned depth) {
    const Elements* a = evaluate(operation.getOperand(0), depth);
    const Elements* b = evaluate(operation.getOperand(1), depth);
    Elements elements;
    if (a == nullptr && b == nullptr) return elements;
    const KnownBits unknown(operation.getType()->getScalarSizeInBits());
    for (unsigned k = 0; k < elementsOf(operation); ++k) {
      std::optional<KnownBits> known =
          ofOperation(operation.getOpcode(), a != nullptr ? (*a)[k] : unknown,
                      b != nullptr ? (*b)[k] : unknown);
      if (!known) return {};
      elements.push_back(std::move(*known));
    }
    if (operation.getOpcode() == llvm::Instruction::Add && b != nullptr)
      limit(elements, operation.getOperand(0), *b);
    return elements;
  }

  // Of sums of one number, which has a limit, and constants: a carry into higher bits would need
  // more.
  void limit(Elements& sums, Value* number, const Elements& constants) const {
    if (Value* scalar = llvm::getSplatValue(number)) number = scalar;
    const TestFacts::Fact* fact = facts_.of(number);
    if (fact == nullptr) return;
    for (size_t k = 0; k < sums.size(); ++k) {
      if (!constants[k].isConstant()) continue;
      bool overflows = false;
      const llvm::APInt most = fact->most.uadd_ov(constants[k].getConstant(), overflows);
      if (!overflows) sums[k].Zero.setHighBits(most.countl_zero());
    }
  }

  const llvm::DominatorTree& dominators_;
  const llvm::DataLayout& layout_;
  TestFacts facts_;
  llvm::DenseMap<Value*, KnownBits> scalars_;
  llvm::DenseMap<Value*, std::unique_ptr<Elements>> evaluated_;  // with these facts
  unsigned count_ = 0;
};

}  // namespace

unsigned foldTestedBits(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  return Folder(analyses.getResult<llvm::DominatorTreeAnalysis>(function), function.getDataLayout())
      .run();
}

}  // namespace jit

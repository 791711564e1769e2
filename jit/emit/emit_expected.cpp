// SPDX-License-Identifier: Apache-2.0

// Numbers of which emission expects more than is proven (expected_lanes.h), and addresses that are
// made of them.
#include <spirv/unified1/GLSL.std.450.h>

#include <bit>
#include <unordered_map>

#include "jit/emit/leafwise.h"
#include "jit/emit/word_parts.h"
#include "jit/ir/stream_lanes.h"
#include "jit/spirv/operands.h"

namespace jit::spirv {

namespace {

using Result = LaneRules::Result;
using Operands = llvm::ArrayRef<ExpectedLanes>;
using llvm::CmpInst;

// What an instruction makes of its operands; `type` is one lane's result's.
using Apply = Result (*)(LaneRules& rules, Operands x, llvm::Type* type);

template <Result (LaneRules::*kRule)(const ExpectedLanes&, const ExpectedLanes&)>
Result binary(LaneRules& rules, Operands x, llvm::Type*) {
  return (rules.*kRule)(x[0], x[1]);
}

template <int64_t kConstant>
Result subtractedFrom(LaneRules& rules, Operands x, llvm::Type*) {
  return rules.subtractFrom(kConstant, x[0]);
}

template <bool kSigned>
Result quotient(LaneRules& rules, Operands x, llvm::Type*) {
  return rules.quotient(x[0], x[1], kSigned);
}

template <bool kSigned>
Result remainder(LaneRules& rules, Operands x, llvm::Type*) {
  return rules.remainder(x[0], x[1], kSigned);
}

template <bool kGreatest, bool kSigned>
Result extremum(LaneRules& rules, Operands x, llvm::Type*) {
  return rules.extremum(x[0], x[1], kGreatest, kSigned);
}

template <bool kSigned>
Result clamp(LaneRules& rules, Operands x, llvm::Type*) {
  const Result raised = rules.extremum(x[0], x[1], true, kSigned);
  return raised ? rules.extremum(*raised, x[2], false, kSigned) : std::nullopt;
}

template <CmpInst::Predicate kPredicate>
Result compare(LaneRules& rules, Operands x, llvm::Type*) {
  return rules.compare(kPredicate, x[0], x[1]);
}

template <bool kConjunction>
Result logical(LaneRules& rules, Operands x, llvm::Type*) {
  return rules.logical(x[0], x[1], kConjunction);
}

template <bool kSigned>
Result convert(LaneRules& rules, Operands x, llvm::Type* type) {
  return rules.convert(x[0], type, kSigned);
}

Result same(LaneRules&, Operands x, llvm::Type* type) {
  return x[0].first->getType() == type ? Result(x[0]) : std::nullopt;
}

template <bool kSigned>
Result shiftRight(LaneRules& rules, Operands x, llvm::Type*) {
  return rules.shiftRight(x[0], x[1], kSigned);
}

template <LaneRules::Bitwise kOperation>
Result bitwise(LaneRules& rules, Operands x, llvm::Type*) {
  return rules.bitwise(kOperation, x[0], x[1]);
}

struct LaneRule {
  size_t operands = 0;
  Apply apply = nullptr;
};

const LaneRule* ruleOf(spv::Op op) {
  static const std::unordered_map<spv::Op, LaneRule> kRules = {
      {spv::Op::OpIAdd, {2, binary<&LaneRules::add>}},
      {spv::Op::OpISub, {2, binary<&LaneRules::subtract>}},
      {spv::Op::OpIMul, {2, binary<&LaneRules::multiply>}},
      {spv::Op::OpSNegate, {1, subtractedFrom<0>}},
      {spv::Op::OpNot, {1, subtractedFrom<-1>}},
      {spv::Op::OpUDiv, {2, quotient<false>}},
      {spv::Op::OpSDiv, {2, quotient<true>}},
      {spv::Op::OpUMod, {2, remainder<false>}},
      {spv::Op::OpSRem, {2, remainder<true>}},
      {spv::Op::OpSMod, {2, remainder<true>}},
      {spv::Op::OpShiftLeftLogical, {2, binary<&LaneRules::shiftLeft>}},
      {spv::Op::OpShiftRightLogical, {2, shiftRight<false>}},
      {spv::Op::OpShiftRightArithmetic, {2, shiftRight<true>}},
      {spv::Op::OpBitwiseAnd, {2, bitwise<LaneRules::Bitwise::And>}},
      {spv::Op::OpBitwiseOr, {2, bitwise<LaneRules::Bitwise::Or>}},
      {spv::Op::OpBitwiseXor, {2, bitwise<LaneRules::Bitwise::Xor>}},
      {spv::Op::OpUConvert, {1, convert<false>}},
      {spv::Op::OpSConvert, {1, convert<true>}},
      {spv::Op::OpBitcast, {1, same}},
      {spv::Op::OpCopyObject, {1, same}},
      {spv::Op::OpSelect,
       {3,
        [](LaneRules& rules, Operands x, llvm::Type*) { return rules.select(x[0], x[1], x[2]); }}},
      {spv::Op::OpLogicalAnd, {2, logical<true>}},
      {spv::Op::OpLogicalOr, {2, logical<false>}},
      {spv::Op::OpLogicalNot,
       {1, [](LaneRules& rules, Operands x, llvm::Type*) { return rules.negated(x[0]); }}},
      {spv::Op::OpIEqual, {2, compare<CmpInst::ICMP_EQ>}},
      {spv::Op::OpINotEqual, {2, compare<CmpInst::ICMP_NE>}},
      {spv::Op::OpULessThan, {2, compare<CmpInst::ICMP_ULT>}},
      {spv::Op::OpSLessThan, {2, compare<CmpInst::ICMP_SLT>}},
      {spv::Op::OpUGreaterThan, {2, compare<CmpInst::ICMP_UGT>}},
      {spv::Op::OpSGreaterThan, {2, compare<CmpInst::ICMP_SGT>}},
      {spv::Op::OpULessThanEqual, {2, compare<CmpInst::ICMP_ULE>}},
      {spv::Op::OpSLessThanEqual, {2, compare<CmpInst::ICMP_SLE>}},
      {spv::Op::OpUGreaterThanEqual, {2, compare<CmpInst::ICMP_UGE>}},
      {spv::Op::OpSGreaterThanEqual, {2, compare<CmpInst::ICMP_SGE>}},
  };
  const auto found = kRules.find(op);
  return found == kRules.end() ? nullptr : &found->second;
}

// Of GLSL.std.450.
const LaneRule* extendedRuleOf(uint32_t instruction) {
  static const std::unordered_map<uint32_t, LaneRule> kRules = {
      {GLSLstd450UMin, {2, extremum<false, false>}},
      {GLSLstd450SMin, {2, extremum<false, true>}},
      {GLSLstd450UMax, {2, extremum<true, false>}},
      {GLSLstd450SMax, {2, extremum<true, true>}},
      {GLSLstd450UClamp, {3, clamp<false>}},
      {GLSLstd450SClamp, {3, clamp<true>}},
      {GLSLstd450SAbs,
       {1, [](LaneRules& rules, Operands x, llvm::Type*) { return rules.absolute(x[0]); }}},
  };
  const auto found = kRules.find(instruction);
  return found == kRules.end() ? nullptr : &found->second;
}

const LaneRule* ruleFor(const Instruction& i, const Module& module) {
  if (i.op != spv::Op::OpExtInst) return ruleOf(i.op);
  const auto set = module.extended_instruction_sets.find(i.operands[0]);
  const bool is_glsl =
      set != module.extended_instruction_sets.end() && set->second == "GLSL.std.450";
  return is_glsl ? extendedRuleOf(i.operands[1]) : nullptr;
}

}  // namespace

std::optional<ExpectedLanes> Emission::expectedLanes(llvm::Value* leaf) {
  const auto bits = static_cast<unsigned>(std::countr_zero(stream_.width));
  LaneRules rules(ir);
  if (!simt.isVarying(leaf)) return rules.uniform(leaf, bits);
  if (auto known = known_.expected.find(leaf); known != known_.expected.end()) return known->second;
  const LaneForm* form = laneForm(leaf);
  if (form == nullptr || form->first == nullptr || !form->shape.isLinear()) return std::nullopt;
  ExpectedLanes lanes{form->first, {}, nullptr};
  for (unsigned b = 0; b < bits; ++b) lanes.weights.push_back(laneWeight(leaf, b));
  return lanes;
}

// A leaf that was there before may be used where control does not come through here.
void Emission::expect(llvm::Value* leaf, ExpectedLanes lanes) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(leaf);
  if (instruction == nullptr || instruction->getParent() != ir.GetInsertBlock()) return;
  known_.expected.try_emplace(leaf, std::move(lanes));
}

bool Emission::expectsLanes() const {
  return !laneContext().isOneSubgroup() && stream_.width <= simt::kMostLanesInRegisters &&
         std::has_single_bit(stream_.width);
}

void Emission::expectResult(const Instruction& i) {
  if (i.type == nullptr || i.type->leaves() != 1 || !expectsLanes() ||
      !stream_.uniformity->hasShapes(i))
    return;
  const LaneRule* rule = ruleFor(i, module);
  if (rule == nullptr) return;
  auto found = values_.find(i.result);
  if (found == values_.end() || found->second.leaves.size() != 1) return;
  llvm::Value* leaf = found->second.leaves[0];
  if (!simt.isVarying(leaf)) return;
  if (const LaneForm* form = laneForm(leaf);
      form != nullptr && form->first != nullptr && form->shape.isLinear())
    return;
  llvm::SmallVector<ExpectedLanes, 3> operands;
  for (Id id : valueOperands(i)) {
    llvm::Expected<Value> whole = value(id);  // as it is here, outside of its loop for one
    if (!whole) return llvm::consumeError(whole.takeError());
    if (whole->leaves.size() != 1 || !whole->leaves[0]->getType()->getScalarType()->isIntegerTy())
      return;
    const auto lanes = expectedLanes(whole->leaves[0]);
    if (!lanes) return;
    operands.push_back(*lanes);
  }
  if (operands.size() != rule->operands) return;
  LaneRules rules(ir);
  llvm::Type* type = leaf->getType()->getScalarType();
  const Result result = rule->apply(rules, operands, type);
  if (result && result->first->getType() == type) expect(leaf, *result);
}

// The offset past `before` of the element that `index` names, which is `after`.
void Emission::expectOffset(const Pointer& p, llvm::Value* index, bool is_signed, uint64_t stride,
                            llvm::Value* before, llvm::Value* after) {
  if (!simt.isVarying(after) || !expectsLanes()) return;
  if (const LaneForm* form = laneForm(after);
      form != nullptr && form->first != nullptr && hasSettledOffset(p, *form))
    return;
  const auto number = expectedLanes(index), base = expectedLanes(before);
  if (!number || !base) return;
  LaneRules rules(ir);
  const Result distance = rules.convert(*number, ir.getInt64Ty(), is_signed);
  if (!distance) return;
  const auto bits = static_cast<unsigned>(number->weights.size());
  const Result scaled = rules.multiply(*distance, rules.uniform(ir.getInt64(stride), bits));
  if (!scaled) return;
  if (const Result result = rules.add(*base, *scaled)) expect(after, *result);
}

// Where lanes are if the test holds; none where that is of no use.
std::optional<ExpectedAddress> Emission::expectedAddress(const Pointer& p,
                                                         llvm::ArrayRef<LeafLayout> leaves,
                                                         bool is_store) {
  auto found = known_.expected.find(p.offset);
  if (found == known_.expected.end() || !expectsLanes() || block_has_product_) return std::nullopt;
  const ExpectedLanes& lanes = found->second;
  if (lanes.holds == nullptr || canAccessInRuns(p, leaves, is_store, laneForm(p.offset)))
    return std::nullopt;
  LaneForm form{.shape = simt::uniformShape(64), .first = lanes.first};
  for (unsigned b = 0; b < lanes.weights.size(); ++b) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(lanes.weights[b])) {
      form.shape.weights[b] = constant->getZExtValue();
    } else {
      form.shape.runtime |= static_cast<uint16_t>(1u << b);
      form.runtime.emplace_back(b, lanes.weights[b]);
    }
  }
  // Where masks turn out to be full, words of lanes that are near become vectors, too.
  const uint64_t bytes = memberBytes(leaves, leaves.size()), unit = bytes * leaves.size();
  const uint64_t word = leaves.size() == 1 ? unit : std::min<uint64_t>(unit & -unit, 8);
  const bool is_near = !is_store && bytes != 0 && isForRuns(p) &&
                       registersInLanes(form, stream_.width, word, bytes, kMostVectorBytes);
  // The same test says whether all are inside.
  Pointer inside = p;
  inside.size = nullptr;
  if (!is_near && !canAccessInRuns(inside, leaves, is_store, &form)) return std::nullopt;
  return ExpectedAddress{form, lanes.holds};
}

}  // namespace jit::spirv

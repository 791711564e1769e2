// SPDX-License-Identifier: Apache-2.0

// Numbers of which emission expects more than is proven (expected_lanes.h), and accesses at
// addresses that are made of them: a vector access behind a scalar test, and lane by lane where the
// test fails.
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <spirv/unified1/GLSL.std.450.h>

#include <bit>

#include "jit/simt/access_remarks.h"
#include "jit/simt/lane_chunks.h"
#include "jit/spirv/leafwise.h"
#include "jit/spirv/operands.h"

namespace jit::spirv {

namespace {

using Result = LaneRules::Result;
using llvm::CmpInst;

std::optional<CmpInst::Predicate> predicateOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpIEqual:
      return CmpInst::ICMP_EQ;
    case spv::Op::OpINotEqual:
      return CmpInst::ICMP_NE;
    case spv::Op::OpULessThan:
      return CmpInst::ICMP_ULT;
    case spv::Op::OpSLessThan:
      return CmpInst::ICMP_SLT;
    case spv::Op::OpUGreaterThan:
      return CmpInst::ICMP_UGT;
    case spv::Op::OpSGreaterThan:
      return CmpInst::ICMP_SGT;
    case spv::Op::OpULessThanEqual:
      return CmpInst::ICMP_ULE;
    case spv::Op::OpSLessThanEqual:
      return CmpInst::ICMP_SLE;
    case spv::Op::OpUGreaterThanEqual:
      return CmpInst::ICMP_UGE;
    case spv::Op::OpSGreaterThanEqual:
      return CmpInst::ICMP_SGE;
    default:
      return std::nullopt;
  }
}

Result clampedLanes(LaneRules& rules, llvm::ArrayRef<ExpectedLanes> x, bool is_signed) {
  const Result raised = rules.extremum(x[0], x[1], true, is_signed);
  return raised ? rules.extremum(*raised, x[2], false, is_signed) : std::nullopt;
}

Result extendedLanes(LaneRules& rules, uint32_t instruction, llvm::ArrayRef<ExpectedLanes> x) {
  switch (instruction) {
    case GLSLstd450UMin:
      return rules.extremum(x[0], x[1], false, false);
    case GLSLstd450SMin:
      return rules.extremum(x[0], x[1], false, true);
    case GLSLstd450UMax:
      return rules.extremum(x[0], x[1], true, false);
    case GLSLstd450SMax:
      return rules.extremum(x[0], x[1], true, true);
    case GLSLstd450UClamp:
      return clampedLanes(rules, x, false);
    case GLSLstd450SClamp:
      return clampedLanes(rules, x, true);
    case GLSLstd450SAbs:
      return rules.absolute(x[0]);
    default:
      return std::nullopt;
  }
}

// A constant amount or mask as the divisor that it stands for.
std::optional<uint64_t> powerOf(spv::Op op, const ExpectedLanes& operand) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand.first);
  if (constant == nullptr || constant->getBitWidth() > 32) return std::nullopt;
  const uint64_t value = constant->getZExtValue();
  if (op != spv::Op::OpBitwiseAnd)
    return value < 31 ? std::optional(uint64_t{1} << value) : std::nullopt;
  return std::has_single_bit(value + 1) && value < 0x7fffffff ? std::optional(value + 1)
                                                              : std::nullopt;
}

Result coreLanes(LaneRules& rules, spv::Op op, llvm::Type* type, llvm::ArrayRef<ExpectedLanes> x) {
  const auto bits = static_cast<unsigned>(x[0].weights.size());
  switch (op) {
    case spv::Op::OpIAdd:
      return rules.add(x[0], x[1]);
    case spv::Op::OpISub:
      return rules.subtract(x[0], x[1]);
    case spv::Op::OpIMul:
      return rules.multiply(x[0], x[1]);
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
      return rules.quotient(x[0], x[1], op == spv::Op::OpSDiv);
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
      return rules.remainder(x[0], x[1], op != spv::Op::OpUMod);
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpBitwiseAnd: {
      const auto power = powerOf(op, x[1]);
      if (!power) return std::nullopt;
      const ExpectedLanes by = rules.uniform(llvm::ConstantInt::get(type, *power), bits);
      if (op == spv::Op::OpShiftLeftLogical) return rules.multiply(x[0], by);
      if (op == spv::Op::OpBitwiseAnd) return rules.remainder(x[0], by, false);
      return rules.quotient(x[0], by, op == spv::Op::OpShiftRightArithmetic);
    }
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
      return rules.convert(x[0], type, op == spv::Op::OpSConvert);
    case spv::Op::OpBitcast:
    case spv::Op::OpCopyObject:
      return x[0].first->getType() == type ? Result(x[0]) : std::nullopt;
    case spv::Op::OpSelect:
      return rules.select(x[0], x[1], x[2]);
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalOr:
      return rules.logical(x[0], x[1], op == spv::Op::OpLogicalAnd);
    case spv::Op::OpLogicalNot:
      return rules.negated(x[0]);
    default:
      break;
  }
  const auto predicate = predicateOf(op);
  return predicate ? rules.compare(*predicate, x[0], x[1]) : std::nullopt;
}

// How many operands a rule wants; 0: there is no rule.
size_t ruleOperands(const Instruction& i) {
  switch (i.op) {
    case spv::Op::OpExtInst:
      switch (i.operands[1]) {
        case GLSLstd450UMin:
        case GLSLstd450SMin:
        case GLSLstd450UMax:
        case GLSLstd450SMax:
          return 2;
        case GLSLstd450UClamp:
        case GLSLstd450SClamp:
          return 3;
        case GLSLstd450SAbs:
          return 1;
        default:
          return 0;
      }
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpBitcast:
    case spv::Op::OpCopyObject:
    case spv::Op::OpLogicalNot:
      return 1;
    case spv::Op::OpSelect:
      return 3;
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalOr:
      return 2;
    default:
      return predicateOf(i.op) ? 2 : 0;
  }
}

}  // namespace

std::optional<ExpectedLanes> Emission::expectedLanes(llvm::Value* leaf) {
  const auto bits = static_cast<unsigned>(std::countr_zero(width));
  LaneRules rules(ir);
  if (!simt.isVarying(leaf)) return rules.uniform(leaf, bits);
  if (auto known = expected_.find(leaf); known != expected_.end()) return known->second;
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
  expected_.try_emplace(leaf, std::move(lanes));
}

bool Emission::expectsLanes() const {
  return width == stream_width_ && width <= simt::kMostLanesInRegisters &&
         std::has_single_bit(width) && subgroup_view_ == nullptr;
}

void Emission::expectResult(const Instruction& i) {
  const size_t count = ruleOperands(i);
  if (count == 0 || i.type == nullptr || i.type->leaves() != 1 || !expectsLanes() ||
      !uniformity_->hasShapes(i))
    return;
  if (i.op == spv::Op::OpExtInst) {
    auto set = module.extended_instruction_sets.find(i.operands[0]);
    if (set == module.extended_instruction_sets.end() || set->second != "GLSL.std.450") return;
  }
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
  if (operands.size() != count) return;
  LaneRules rules(ir);
  llvm::Type* type = leaf->getType()->getScalarType();
  const Result result = i.op == spv::Op::OpExtInst ? extendedLanes(rules, i.operands[1], operands)
                                                   : coreLanes(rules, i.op, type, operands);
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
std::optional<ExpectedPlace> Emission::expectedPlace(const Pointer& p,
                                                     llvm::ArrayRef<LeafPlace> leaves,
                                                     bool is_store) {
  auto found = expected_.find(p.offset);
  if (found == expected_.end() || !expectsLanes() || block_has_product_) return std::nullopt;
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
  if (!canAccessInRuns(p, leaves, is_store, &form)) return std::nullopt;
  return ExpectedPlace{form, lanes.holds};
}

// Emits `access` for lanes that are where they are expected, and for others.
llvm::Error Emission::accessAsExpected(
    const Pointer& p, const ExpectedPlace& expected,
    llvm::function_ref<llvm::Error(const Pointer&, Value& loaded)> access, Value& result) {
  auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, function_); };
  llvm::BasicBlock *together = block("together"), *apart = block("apart"),
                   *done = block("accessed");
  ir.CreateCondBr(ir.CreateFreeze(expected.holds), together, apart,
                  llvm::MDBuilder(context).createLikelyBranchWeights());
  ir.SetInsertPoint(together);
  Pointer place = p;
  place.offset = inLanes(expected.form);
  if (checks_shapes_) checkShape(0, p.offset, place.offset);
  Value by_runs, by_lanes;
  if (llvm::Error error = access(place, by_runs)) return error;
  llvm::BasicBlock* end_together = ir.GetInsertBlock();
  ir.CreateBr(done);
  ir.SetInsertPoint(apart);
  if (llvm::Error error = access(p, by_lanes)) return error;
  llvm::BasicBlock* end_apart = ir.GetInsertBlock();
  for (llvm::Instruction& i : *apart)
    if (llvm::isa<llvm::IntrinsicInst>(i))
      i.setMetadata(simt::kBehindTest, llvm::MDNode::get(context, {}));
  ir.CreateBr(done);
  ir.SetInsertPoint(done);
  result.type = by_runs.type;
  for (size_t k = 0; k < by_runs.leaves.size(); ++k) {
    auto* phi = ir.CreatePHI(by_runs.leaves[k]->getType(), 2);
    phi->addIncoming(by_runs.leaves[k], end_together);
    phi->addIncoming(by_lanes.leaves[k], end_apart);
    result.leaves.push_back(phi);
  }
  return llvm::Error::success();
}

}  // namespace jit::spirv

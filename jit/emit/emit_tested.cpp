// SPDX-License-Identifier: Apache-2.0

// Accesses behind one scalar test for all lanes: that they are where they are expected, and inside
// of what they access. Vectors without a mask where it holds; where it fails, as if nothing were
// known.
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include <bit>

#include "jit/emit/leafwise.h"
#include "jit/ir/marks.h"
#include "jit/spirv/memory_layout.h"

namespace jit::spirv {

// Further apart lanes might be on both sides of where numbers wrap around.
constexpr int64_t kMaxReach = int64_t{1} << 31;
constexpr int64_t kLineBytes = 64;

namespace {

// Lanes that share no cache lines are gathered in any case, for which a mask costs nothing.
bool shareLines(const LaneForm& form) {
  const auto step = static_cast<int64_t>(form.shape.weights[0]);
  return (form.shape.runtime & 1) == 0 && -kLineBytes <= step && step <= kLineBytes;
}

}  // namespace

llvm::Value* Emission::insideTogether(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                                      const LaneForm& form) {
  if (form.first == nullptr || form.shape.any != 0) return nullptr;
  // An offset that is known modulo something is the one that counts where the one index that it is
  // made of is no less than 0, as a signed number, in all lanes.
  if (!form.shape.exact() && !form.by_one_index) return nullptr;
  int64_t low = 0, high = 0;
  for (uint64_t weight : form.shape.weights) {
    const auto step = static_cast<int64_t>(weight);
    if (step <= -kMaxReach / simt::kMaxLaneBits || step >= kMaxReach / simt::kMaxLaneBits)
      return nullptr;
    (step < 0 ? low : high) += step;
  }
  uint64_t begin = ~uint64_t{0}, end = 0;
  for (const LeafLayout& leaf : leaves) {
    begin = std::min(begin, leaf.offset);
    end = std::max(end, leaf.offset + leafBytes(leaf.type));
  }
  if (end > static_cast<uint64_t>(kMaxReach)) return nullptr;
  auto number = [&](int64_t n) { return llvm::ConstantInt::getSigned(ir.getInt64Ty(), n); };
  auto apply = [&](llvm::Intrinsic::ID id, llvm::Value* a, llvm::Value* b) {
    return ir.CreateBinaryIntrinsic(id, a, b);
  };
  llvm::Value *before = number(low + static_cast<int64_t>(begin)),
              *behind = number(high + static_cast<int64_t>(end));
  for (const auto& [bit, weight] : form.runtime) {
    llvm::Value* step = ir.CreateFreeze(weight);
    before =
        apply(llvm::Intrinsic::sadd_sat, before, apply(llvm::Intrinsic::smin, step, number(0)));
    behind =
        apply(llvm::Intrinsic::sadd_sat, behind, apply(llvm::Intrinsic::smax, step, number(0)));
  }
  llvm::Value* limit = simt.uniform(p.size);
  if (!form.shape.exact()) limit = apply(llvm::Intrinsic::umin, limit, number(kMaxReach));
  limit = apply(llvm::Intrinsic::ssub_sat, limit, behind);
  before = apply(llvm::Intrinsic::ssub_sat, number(0), before);
  llvm::Value* first = ir.CreateFreeze(form.first);
  return ir.CreateAnd(ir.CreateICmpSGE(first, before), ir.CreateICmpSLE(first, limit));
}

std::optional<TestedAddress> Emission::testedAddress(const Pointer& p,
                                                     llvm::ArrayRef<LeafLayout> leaves,
                                                     bool is_store) {
  const bool bounded = p.size != nullptr && !p.check_leaves && !p.interleaved && p.copies == 1 &&
                       !p.is_volatile && !simt.isVarying(p.size) && !leaves.empty();
  TestedAddress tested{p, nullptr, false};
  if (const auto expected = expectedAddress(p, leaves, is_store)) {
    tested.together.offset = inLanes(expected->form);
    const simt::LaneShape& shape = expected->form.shape;
    while (tested.alike < static_cast<unsigned>(std::countr_zero(stream_.width)) &&
           shape.weights[tested.alike] == 0 && (shape.runtime >> tested.alike & 1) == 0)
      ++tested.alike;
    tested.holds = expected->holds;
    tested.moved = true;
    llvm::Value* inside = bounded ? insideTogether(p, leaves, expected->form) : nullptr;
    if (inside == nullptr) return tested;
    tested.holds = ir.CreateAnd(ir.CreateFreeze(tested.holds), inside);
    tested.together.size = nullptr;
    return tested;
  }
  const LaneForm* form = laneForm(p.offset);
  if (!bounded || form == nullptr || !shareLines(*form) || block_has_product_ || !expectsLanes() ||
      llvm::any_of(leaves, [](const LeafLayout& leaf) { return !leaf.type->isScalar(); }))
    return std::nullopt;
  tested.holds = insideTogether(p, leaves, *form);
  if (tested.holds == nullptr) return std::nullopt;
  tested.together.size = nullptr;
  return tested;
}

llvm::Error Emission::accessAsTested(
    const Pointer& p, const TestedAddress& tested,
    llvm::function_ref<llvm::Error(const Pointer&, Value& loaded)> access, Value& result) {
  auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, function_); };
  llvm::BasicBlock *together = block("together"), *apart = block("apart"),
                   *done = block("accessed");
  llvm::Value* holds = ir.CreateFreeze(tested.holds);
  ir.CreateCondBr(holds, together, apart, llvm::MDBuilder(context).createLikelyBranchWeights());
  ir.SetInsertPoint(together);
  if (checks_shapes_ && tested.moved) checkShape(0, p.offset, tested.together.offset);
  Value by_runs, by_lanes;
  if (llvm::Error error = access(tested.together, by_runs)) return error;
  const llvm::SmallVector<llvm::Value*, 2> ends = numbersOfRuns(tested, by_runs);
  llvm::BasicBlock* end_together = ir.GetInsertBlock();
  ir.CreateBr(done);
  ir.SetInsertPoint(apart);
  if (llvm::Error error = access(p, by_lanes)) return error;
  llvm::BasicBlock* end_apart = ir.GetInsertBlock();
  for (llvm::Instruction& i : *apart)
    if (llvm::isa<llvm::IntrinsicInst>(i) && i.mayReadOrWriteMemory()) markBehindTest(i);
  ir.CreateBr(done);
  ir.SetInsertPoint(done);
  result.type = by_runs.type;
  for (size_t k = 0; k < by_runs.leaves.size(); ++k) {
    auto* phi = ir.CreatePHI(by_runs.leaves[k]->getType(), 2);
    phi->addIncoming(by_runs.leaves[k], end_together);
    phi->addIncoming(by_lanes.leaves[k], end_apart);
    result.leaves.push_back(phi);
  }
  if (ends.empty()) return llvm::Error::success();
  llvm::SmallVector<llvm::Value*, 2> numbers;
  for (llvm::Value* end : ends) {
    auto* phi = ir.CreatePHI(end->getType(), 2);
    phi->addIncoming(end, end_together);
    phi->addIncoming(llvm::Constant::getNullValue(end->getType()), end_apart);
    numbers.push_back(phi);
  }
  const auto bits = static_cast<unsigned>(std::countr_zero(stream_.width));
  ExpectedLanes lanes = LaneRules(ir).uniform(numbers[0], bits);
  if (numbers.size() == 2) lanes.weights.back() = ir.CreateSub(numbers[1], numbers[0]);
  lanes.holds = holds;
  expect(result.leaves[0], std::move(lanes));
  return llvm::Error::success();
}

// The integers that all lanes, or each half of them, have loaded from one address. Two numbers go
// on evenly, whatever they are; more of them need not.
llvm::SmallVector<llvm::Value*, 2> Emission::numbersOfRuns(const TestedAddress& tested,
                                                           const Value& loaded) {
  const auto bits = static_cast<unsigned>(std::countr_zero(stream_.width));
  const bool bounded = tested.together.size != nullptr;  // some may have read 0
  if (!tested.moved || bounded || loaded.leaves.size() != 1 || tested.alike + 1 < bits) return {};
  llvm::Value* leaf = loaded.leaves[0];
  // Of truth values nothing is made where they differ (LaneRules).
  const llvm::Type* type = leaf->getType()->getScalarType();
  if (!leaf->getType()->isVectorTy() || !type->isIntegerTy() || type->isIntegerTy(1)) return {};
  llvm::SmallVector<llvm::Value*, 2> numbers{ir.CreateExtractElement(leaf, uint64_t{0})};
  if (tested.alike < bits)
    numbers.push_back(ir.CreateExtractElement(leaf, uint64_t{1} << tested.alike));
  return numbers;
}

}  // namespace jit::spirv

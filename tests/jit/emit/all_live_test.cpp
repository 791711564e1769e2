// SPDX-License-Identifier: Apache-2.0

// Whether scalars tell right that all lanes are within their limits: every number of eight bits
// against limits around the ends of both signs, by every comparison.
#include <gtest/gtest.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Module.h>

#include "jit/passes/masks/mask_test.h"

namespace jit::simt {
namespace {

using llvm::CmpInst;

constexpr unsigned kBits = 8, kLanes = 4;

// `uniform + offsets` compared with `limit`, or the other way round.
class Comparison {
 public:
  // `negated`: the mask is that the opposite does not hold.
  Comparison(CmpInst::Predicate predicate, const std::array<uint8_t, kLanes>& offsets, bool swapped,
             bool negated, std::optional<uint8_t> constant_limit = {})
      : module_("comparison", context_) {
    auto* number = llvm::Type::getIntNTy(context_, kBits);
    auto* type = llvm::FunctionType::get(llvm::Type::getInt1Ty(context_), {number, number}, false);
    function_ = llvm::Function::Create(type, llvm::Function::InternalLinkage, "compared", module_);
    llvm::IRBuilder<> ir(llvm::BasicBlock::Create(context_, "entry", function_));
    llvm::Value* lanes = ir.CreateAdd(ir.CreateVectorSplat(kLanes, function_->getArg(0)),
                                      llvm::ConstantDataVector::get(context_, offsets));
    llvm::Value* limit = constant_limit ? llvm::ConstantInt::get(lanes->getType(), *constant_limit)
                                        : ir.CreateVectorSplat(kLanes, function_->getArg(1));
    if (swapped) std::swap(lanes, limit);
    mask_ = negated
                ? ir.CreateNot(ir.CreateICmp(CmpInst::getInversePredicate(predicate), lanes, limit))
                : ir.CreateICmp(predicate, lanes, limit);
    is_tested_ = isTestedByScalars(mask_);
    ir.CreateRet(is_tested_ ? areAllLive(ir, mask_) : ir.getFalse());
  }

  bool isTested() const { return is_tested_; }

  // What the scalars say.
  bool result(unsigned uniform, unsigned limit) {
    llvm::DenseMap<llvm::Value*, llvm::Constant*> values;
    for (unsigned a = 0; a < 2; ++a)
      values[function_->getArg(a)] =
          llvm::ConstantInt::get(function_->getArg(a)->getType(), a == 0 ? uniform : limit);
    for (llvm::Instruction& i : function_->getEntryBlock()) {
      llvm::SmallVector<llvm::Constant*, 4> operands;
      for (llvm::Value* operand : i.operands()) {
        auto* constant = llvm::dyn_cast<llvm::Constant>(operand);
        operands.push_back(constant ? constant : values.lookup(operand));
      }
      if (llvm::isa<llvm::ReturnInst>(i)) return operands[0]->isOneValue();
      values[&i] = llvm::ConstantFoldInstOperands(&i, operands, module_.getDataLayout());
    }
    return false;
  }

 private:
  llvm::LLVMContext context_;
  llvm::Module module_;
  llvm::Function* function_ = nullptr;
  llvm::Value* mask_ = nullptr;
  bool is_tested_ = false;
};

bool holds(CmpInst::Predicate predicate, unsigned left, unsigned right) {
  return llvm::ICmpInst::compare(llvm::APInt(kBits, left), llvm::APInt(kBits, right), predicate);
}

std::vector<unsigned> limits() {
  std::vector<unsigned> limits;
  for (unsigned n = 0; n < 9; ++n)
    for (unsigned around : {0u, 124u, 247u}) limits.push_back(around + n);
  return limits;
}

void check(Comparison& comparison, CmpInst::Predicate predicate,
           const std::array<uint8_t, kLanes>& offsets, bool swapped,
           const std::vector<unsigned>& all_limits) {
  ASSERT_TRUE(comparison.isTested());
  constexpr unsigned kNumbers = 1u << kBits;
  const unsigned sign = CmpInst::isSigned(predicate) ? kNumbers / 2 : 0;
  for (unsigned uniform = 0; uniform < kNumbers; ++uniform)
    for (unsigned limit : all_limits) {
      bool all = true, wraps = false;
      const auto least = std::min<int>(
          {int8_t(offsets[0]), int8_t(offsets[1]), int8_t(offsets[2]), int8_t(offsets[3])});
      const unsigned first = (uniform + unsigned(least)) % kNumbers;
      for (uint8_t offset : offsets) {
        const unsigned lane = (uniform + offset) % kNumbers;
        all &= swapped ? holds(predicate, limit, lane) : holds(predicate, lane, limit);
        wraps |= (lane ^ sign) < (first ^ sign);
      }
      const bool said = comparison.result(uniform, limit);
      ASSERT_TRUE(all || !said) << uniform << " " << limit;
      ASSERT_TRUE(said || !all || wraps) << uniform << " " << limit;
    }
}

constexpr std::array<std::array<uint8_t, kLanes>, 4> kOffsets = {
    {{0, 1, 2, 3}, {2, 3, 5, 7}, {6, 4, 2, 0}, {255, 0, 1, 2}}};

TEST(AllLive, IsWhatEachLaneSays) {
  for (CmpInst::Predicate predicate :
       {CmpInst::ICMP_ULT, CmpInst::ICMP_ULE, CmpInst::ICMP_UGT, CmpInst::ICMP_UGE,
        CmpInst::ICMP_SLT, CmpInst::ICMP_SLE, CmpInst::ICMP_SGT, CmpInst::ICMP_SGE})
    for (const auto& offsets : kOffsets)
      for (bool swapped : {false, true})
        for (bool negated : {false, true}) {
          SCOPED_TRACE(CmpInst::getPredicateName(predicate).str() + (swapped ? " swapped" : "") +
                       (negated ? " negated" : ""));
          Comparison comparison(predicate, offsets, swapped, negated);
          check(comparison, predicate, offsets, swapped, limits());
        }
}

// As `lanes > 0` is written after InstCombine.
TEST(AllLive, ComparesWithNone) {
  for (const auto& offsets : kOffsets) {
    Comparison comparison(CmpInst::ICMP_NE, offsets, /*swapped=*/false, /*negated=*/false, 0);
    check(comparison, CmpInst::ICMP_NE, offsets, /*swapped=*/false, {0});
  }
}

// `a >= 0 && b >= 0` as it is after InstCombine: the lanes' sign bits together.
TEST(AllLive, AsksForSignsOfSeveral) {
  llvm::LLVMContext context;
  llvm::Module module("signs", context);
  auto* i32 = llvm::Type::getInt32Ty(context);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(i32, {i32, i32}, false),
                                          llvm::Function::InternalLinkage, "signs", module);
  llvm::IRBuilder<> ir(llvm::BasicBlock::Create(context, "entry", function));
  auto lanes = [&](unsigned argument, std::array<uint32_t, kLanes> offsets) {
    return ir.CreateAdd(ir.CreateVectorSplat(kLanes, function->getArg(argument)),
                        llvm::ConstantDataVector::get(context, offsets));
  };
  llvm::Value* either = ir.CreateOr(lanes(0, {~0u, 0, 1, 2}), lanes(1, {0, 0, 1, 1}));
  llvm::Value* mask = ir.CreateICmpSGT(either, llvm::Constant::getAllOnesValue(either->getType()));
  EXPECT_TRUE(isTestedByScalars(mask));
  const size_t before = function->getEntryBlock().size();
  areAllLive(ir, mask);
  // No vector is made of it.
  for (const llvm::Instruction& i :
       llvm::drop_begin(function->getEntryBlock(), static_cast<ptrdiff_t>(before)))
    EXPECT_FALSE(i.getType()->isVectorTy());
  EXPECT_FALSE(
      isTestedByScalars(ir.CreateICmpSGT(ir.CreateXor(either, lanes(0, {0, 3, 1, 2})), either)));
}

}  // namespace
}  // namespace jit::simt

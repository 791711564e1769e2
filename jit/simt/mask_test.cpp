// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/mask_test.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/llvm/symbols.h"

namespace jit::simt {

using namespace llvm::PatternMatch;

std::optional<MaskTest> maskTest(llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  llvm::CmpPredicate predicate;
  llvm::Value* mask = nullptr;
  if (branch == nullptr || !branch->isConditional() ||
      !match(branch->getCondition(), m_ICmp(predicate, m_BitCast(m_Value(mask)), m_Zero())) ||
      !llvm::ICmpInst::isEquality(predicate) || !mask->getType()->isVectorTy() ||
      !mask->getType()->getScalarType()->isIntegerTy(1))
    return std::nullopt;
  return MaskTest{mask, predicate == llvm::ICmpInst::ICMP_EQ ? 0u : 1u};
}

bool isForEachLane(const llvm::BasicBlock& block) {
  return llvm::none_of(block, [](const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    if (call == nullptr) return false;
    const llvm::Function* callee = call->getCalledFunction();
    const bool has_code = callee != nullptr && (callee->isIntrinsic() || !callee->isDeclaration() ||
                                                findSymbol(callee->getName()) != nullptr);
    return !has_code || call->isConvergent();
  });
}

}  // namespace jit::simt

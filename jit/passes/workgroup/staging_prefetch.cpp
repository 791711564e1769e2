// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/staging_prefetch.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/ir/function_kind.h"
#include "jit/ir/helper_function.h"
#include "jit/ir/memories.h"
#include "jit/passes/access/masked_access.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Instruction;
using llvm::Value;

constexpr uint64_t kLine = 64;
// Loads of less are many for what they fetch.
constexpr uint64_t kLeastBytes = 16;

// By how much values grow from one iteration of a loop to the next. Wrapping around is left out of
// account: what is fetched in vain does no harm.
class Advance {
 public:
  Advance(const llvm::Loop& loop, Instruction& before) : loop_(loop), builder_(&before) {}

  // A number of the value's type, of bytes for a pointer; null when it cannot be told.
  Value* of(Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return none(value);
    if (value->getType()->isVectorTy()) return nullptr;
    // Values that depend on themselves are counters of loops inside; see there.
    auto [known, is_new] = known_.try_emplace(instruction, none(value));
    if (!is_new) return known->second;
    Value* amount = found(*instruction);
    known_[instruction] = amount;
    return amount;
  }

 private:
  llvm::Constant* none(Value* value) {
    llvm::Type* type = value->getType();
    return llvm::Constant::getNullValue(type->isPtrOrPtrVectorTy() ? builder_.getInt64Ty() : type);
  }

  Value* found(Instruction& instruction) {
    Value *a = nullptr, *b = nullptr;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return ofPhi(*phi);
    if (match(&instruction, m_AddLike(m_Value(a), m_Value(b)))) return sum(of(a), of(b));
    if (match(&instruction, m_Sub(m_Value(a), m_Value(b)))) {
      Value* less = of(b);
      return less ? sum(of(a), isZero(less) ? less : builder_.CreateNeg(less)) : nullptr;
    }
    if (match(&instruction, m_c_Mul(m_Value(a), m_Value(b)))) {
      return stays(b) ? product(of(a), b) : stays(a) ? product(of(b), a) : nullptr;
    }
    if (match(&instruction, m_Shl(m_Value(a), m_Value(b))) && stays(b)) {
      Value* amount = of(a);
      return !amount || isZero(amount) ? amount : builder_.CreateShl(amount, b);
    }
    if (match(&instruction, m_ZExtOrSExt(m_Value(a))) || match(&instruction, m_Trunc(m_Value(a)))) {
      Value* amount = of(a);
      return amount ? builder_.CreateSExtOrTrunc(amount, instruction.getType()) : nullptr;
    }
    // An index that may wrap around, on its two sides.
    if (match(&instruction, m_Select(m_Value(), m_Value(a), m_Value(b)))) {
      Value* amount = of(b);
      return of(a) ? amount : nullptr;
    }
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      if (address->getNumIndices() != 1) return nullptr;
      Value* index = address->getOperand(1);
      Value* steps = index->getType()->isIntegerTy(64) ? of(index) : nullptr;
      const llvm::TypeSize size =
          instruction.getDataLayout().getTypeAllocSize(address->getSourceElementType());
      return sum(of(address->getPointerOperand()),
                 product(steps, builder_.getInt64(size.getFixedValue())));
    }
    const bool other =
        llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::FreezeInst>(
            instruction) ||
        instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
    const bool operands_stay =
        llvm::all_of(instruction.operands(), [&](Value* operand) { return stays(operand); });
    return other && operands_stay ? none(&instruction) : nullptr;
  }

  Value* ofPhi(llvm::PHINode& phi) {
    llvm::BasicBlock* latch = loop_.getLoopLatch();
    if (phi.getParent() == loop_.getHeader()) {
      Value* amount = nullptr;
      const bool counts = latch && match(phi.getIncomingValueForBlock(latch),
                                         m_c_Add(m_Specific(&phi), m_Value(amount)));
      return counts && loop_.isLoopInvariant(amount) ? amount : nullptr;
    }
    // The counter of a loop inside runs as it did in this iteration when it starts and steps alike.
    const bool alike = llvm::all_of(phi.incoming_values(), [&](Value* v) { return stays(v); });
    return alike ? none(&phi) : nullptr;
  }

  static bool isZero(Value* value) { return match(value, m_Zero()); }
  bool stays(Value* value) {
    Value* amount = of(value);
    return amount && isZero(amount);
  }
  Value* sum(Value* a, Value* b) {
    if (!a || !b) return nullptr;
    return isZero(a) ? b : isZero(b) ? a : builder_.CreateAdd(a, b);
  }
  Value* product(Value* a, Value* b) { return !a || isZero(a) ? a : builder_.CreateMul(a, b); }

  const llvm::Loop& loop_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<Instruction*, Value*> known_;
};

// Where a load of a vector reads; null for anything else.
Value* loadedFrom(Instruction& instruction) {
  if (!instruction.getType()->isVectorTy()) return nullptr;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() ? load->getPointerOperand() : nullptr;
  std::optional<MaskedAccess> access = matchMaskedAccess(instruction);
  return access && access->reads && !access->isApart() ? access->pointers : nullptr;
}

}  // namespace

bool prefetchStagedLoads(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::Function* barrier =
      findFunction(*function.getParent(), FunctionKey(FunctionKind::Barrier));
  if (!barrier) return false;
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallPtrSet<const llvm::Loop*, 4> staging;  // innermost loops around barriers
  for (const llvm::User* call : barrier->users())
    staging.insert(loops.getLoopFor(llvm::cast<Instruction>(call)->getParent()));

  bool changed = false;
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const llvm::Loop* loop = loops.getLoopFor(instruction.getParent());
    while (loop && !staging.contains(loop)) loop = loop->getParentLoop();
    Value* pointer = loop ? loadedFrom(instruction) : nullptr;
    if (!pointer) continue;
    const uint64_t bytes = instruction.getDataLayout().getTypeStoreSize(instruction.getType());
    if (bytes < kLeastBytes || !leadsOnlyTo(*pointer, kDescribed)) continue;
    Value* advance = Advance(*loop, instruction).of(pointer);
    if (!advance || match(advance, m_Zero())) continue;
    llvm::IRBuilder<> builder(&instruction);
    Value* next = builder.CreatePtrAdd(pointer, advance);
    // The next tile beside the current one would not fit the first level.
    for (uint64_t offset = 0; offset < bytes; offset += kLine) {
      ukernel::emitPrefetchToSecondLevel(builder, ukernel::offsetBy(builder, next, offset));
    }
    changed = true;
  }
  return changed;
}

}  // namespace jit::simt

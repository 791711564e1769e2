// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/large_variables.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "jit/coopmat/accumulator_web.h"
#include "jit/coopmat/large_values.h"

namespace jit::coopmat {
namespace {

using llvm::Value;

// How a variable is used, through addresses that are computed from it.
class VariableUses {
 public:
  VariableUses(llvm::AllocaInst& variable, const std::set<uint32_t>& sizes)
      : variable_(variable), sizes_(sizes) {
    visit(variable);
  }
  bool wholeAndInParts() const { return has(Extent::Whole) && has(Extent::Part); }

  // The matrix that a loop writes to the variable, if all that the loop does with that is to read
  // and write it as a whole.
  llvm::Type* onlyWholeIn(const llvm::Loop& loop) const {
    if (is_captured_) return nullptr;
    llvm::Type* matrix = nullptr;
    bool is_written = false;
    for (const Access& access : accesses_) {
      if (!loop.contains(access.instruction)) continue;
      if (access.extent != Extent::Whole ||
          llvm::getLoadStorePointerOperand(access.instruction)->stripPointerCasts() != &variable_)
        return nullptr;
      llvm::Type* type = llvm::getLoadStoreType(access.instruction);
      if (matrix && matrix != type) return nullptr;
      matrix = type;
      is_written |= llvm::isa<llvm::StoreInst>(access.instruction);
    }
    return is_written ? matrix : nullptr;
  }

  // What such a loop reads and writes is `other` from now on.
  void replaceIn(const llvm::Loop& loop, llvm::AllocaInst& other) {
    llvm::erase_if(accesses_, [&](const Access& access) {
      if (!loop.contains(access.instruction)) return false;
      Value* address = llvm::getLoadStorePointerOperand(access.instruction);
      access.instruction->replaceUsesOfWith(address, &other);
      return true;
    });
  }

 private:
  enum class Extent { Whole, Part, None };
  struct Access {
    llvm::Instruction* instruction;
    Extent extent;
  };

  bool has(Extent extent) const {
    return llvm::any_of(accesses_, [&](const Access& access) { return access.extent == extent; });
  }

  void visit(Value& address) {
    for (llvm::Use& use : address.uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      auto note = [&](Extent extent) { accesses_.push_back({user, extent}); };
      if (llvm::getLoadStorePointerOperand(user) == use.get()) {
        note(isLargeMatrix(llvm::getLoadStoreType(user), sizes_) ? Extent::Whole : Extent::Part);
      } else if (llvm::isa<llvm::GetElementPtrInst>(user)) {
        if (user->getType()->isVectorTy()) note(Extent::Part);
        visit(*user);
      } else if (user->isLifetimeStartOrEnd() || llvm::isa<llvm::MemSetInst>(user)) {
        note(Extent::None);
      } else {
        note(Extent::Part);
        is_captured_ |= !llvm::isa<llvm::IntrinsicInst>(user);
      }
    }
  }

  llvm::AllocaInst& variable_;
  const std::set<uint32_t>& sizes_;
  llvm::SmallVector<Access> accesses_;
  bool is_captured_ = false;
};

// In loops that only read and write such a variable as a whole it is a local one: the sums of a
// product whose components are reached afterwards.
void splitAroundLoops(llvm::AllocaInst& variable, VariableUses& uses, const llvm::LoopInfo& loops) {
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isLoopSimplifyForm()) continue;
    llvm::Type* matrix = uses.onlyWholeIn(*loop);
    if (!matrix) continue;
    auto* local = new llvm::AllocaInst(matrix, variable.getAddressSpace(), nullptr,
                                       variable.getAlign(), "", variable.getIterator());
    uses.replaceIn(*loop, *local);
    auto copy = [&](llvm::BasicBlock::iterator at, llvm::AllocaInst& from, llvm::AllocaInst& to) {
      llvm::IRBuilder<> builder(at->getParent(), at);
      Value* whole = builder.CreateAlignedLoad(matrix, &from, variable.getAlign());
      builder.CreateAlignedStore(whole, &to, variable.getAlign());
    };
    copy(loop->getLoopPreheader()->getTerminator()->getIterator(), variable, *local);
    llvm::SmallVector<llvm::BasicBlock*> exits;
    loop->getUniqueExitBlocks(exits);
    for (llvm::BasicBlock* exit : exits) copy(exit->getFirstInsertionPt(), *local, variable);
  }
}

}  // namespace

void keepLargeVariablesInFrame(llvm::Function& function, const std::set<uint32_t>& sizes,
                               KernelFrame& frame, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::AllocaInst*> moved;
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && VariableUses(*variable, sizes).wholeAndInParts()) moved.push_back(variable);
  }
  if (moved.empty()) return;
  simplifyLoops(function, analyses);
  for (llvm::AllocaInst* variable : moved) {
    VariableUses uses(*variable, sizes);
    splitAroundLoops(*variable, uses, analyses.getResult<llvm::LoopAnalysis>(function));
  }
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::AllocaInst* variable : moved) {
    const uint64_t bytes = variable->getAllocationSize(layout)->getFixedValue();
    llvm::IRBuilder<> builder(variable);
    Value* place = builder.CreatePtrAdd(function.getArg(kFrameArgument),
                                        builder.getInt64(frame.allocate(bytes, 64)));
    place->takeName(variable);
    variable->replaceAllUsesWith(place);
    variable->eraseFromParent();
  }
}

}  // namespace jit::coopmat

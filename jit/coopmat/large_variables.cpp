#include "jit/coopmat/large_variables.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "jit/coopmat/large_values.h"

namespace jit::coopmat {
namespace {

using llvm::Value;

// How a variable is used, through addresses that are computed from it.
class VariableUses {
 public:
  VariableUses(llvm::AllocaInst& variable, const std::set<uint32_t>& sizes) : sizes_(sizes) {
    visit(variable);
  }
  bool wholeAndInParts() const { return has_whole_ && has_parts_; }

 private:
  void visit(Value& address) {
    for (llvm::Use& use : address.uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (llvm::isa<llvm::GetElementPtrInst>(user) && !user->getType()->isVectorTy()) {
        visit(*user);
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        note(load->getType());
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        note(store->getValueOperand()->getType());
      } else if (!user->isLifetimeStartOrEnd() && !llvm::isa<llvm::MemSetInst>(user)) {
        has_parts_ = true;
      }
    }
  }
  void note(const llvm::Type* accessed) {
    (isLargeMatrix(accessed, sizes_) ? has_whole_ : has_parts_) = true;
  }

  const std::set<uint32_t>& sizes_;
  bool has_whole_ = false, has_parts_ = false;
};

}  // namespace

void keepLargeVariablesInFrame(llvm::Function& function, const std::set<uint32_t>& sizes,
                               KernelFrame& frame) {
  llvm::SmallVector<llvm::AllocaInst*> moved;
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && VariableUses(*variable, sizes).wholeAndInParts()) moved.push_back(variable);
  }
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

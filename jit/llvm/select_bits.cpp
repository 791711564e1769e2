#include "jit/llvm/select_bits.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace jit {

void selectBits(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    if (!select || !select->getType()->isVectorTy() ||
        !select->getType()->getScalarType()->isBFloatTy())
      continue;
    llvm::IRBuilder<> builder(select);
    llvm::Type* bits = select->getType()->getWithNewType(builder.getInt16Ty());
    llvm::Value* chosen = builder.CreateSelect(
        select->getCondition(), builder.CreateBitCast(select->getTrueValue(), bits),
        builder.CreateBitCast(select->getFalseValue(), bits));
    select->replaceAllUsesWith(builder.CreateBitCast(chosen, select->getType()));
    select->eraseFromParent();
  }
}

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/own_lines.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace jit {

void describeLines(llvm::Function& function, const llvm::Function& kernel) {
  llvm::DISubprogram* whole = kernel.getSubprogram();
  if (!whole) return;
  llvm::LLVMContext& context = kernel.getContext();
  llvm::DISubprogram* own = llvm::DISubprogram::getDistinct(
      context, whole->getScope(), function.getName(), function.getName(), whole->getFile(),
      whole->getLine(), whole->getType(), whole->getScopeLine(), nullptr, 0, 0, whole->getFlags(),
      whole->getSPFlags(), whole->getUnit());
  function.setSubprogram(own);
  llvm::DenseMap<llvm::Metadata*, llvm::DIScope*> scopes;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::DILocation* line = instruction.getDebugLoc();
    if (!line) continue;
    llvm::DIScope*& scope = scopes[line->getScope()];
    if (!scope) {
      scope = own;
      if (auto* file = llvm::dyn_cast<llvm::DILexicalBlockFile>(line->getScope()))
        scope =
            llvm::DILexicalBlockFile::get(context, own, file->getFile(), file->getDiscriminator());
    }
    instruction.setDebugLoc(
        llvm::DILocation::get(context, line->getLine(), line->getColumn(), scope));
  }
}

void forgetLines(llvm::Function& function) {
  llvm::DISubprogram* own = function.getSubprogram();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const bool needs_one = own != nullptr && llvm::isa<llvm::CallInst>(instruction);
    instruction.setDebugLoc(
        needs_one ? llvm::DebugLoc(llvm::DILocation::get(function.getContext(), 0, 0, own))
                  : llvm::DebugLoc());
  }
}

}  // namespace jit

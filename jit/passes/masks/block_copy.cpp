// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/block_copy.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace jit::simt {

namespace {

// Debuggers stop in both versions of a line: gdb does where they are in two blocks of the source,
// with something declared in each.
class OtherBlocks {
 public:
  explicit OtherBlocks(llvm::Module& module) : builder_(module) {}

  void moveTo(llvm::BasicBlock& copy) {
    for (llvm::Instruction& i : copy)
      if (const llvm::DILocation* place = i.getDebugLoc()) i.setDebugLoc(moved(*place, i));
  }

 private:
  llvm::DILocation* moved(const llvm::DILocation& place, llvm::Instruction& at) {
    llvm::LLVMContext& context = place.getContext();
    llvm::DILocalScope* around = place.getScope();
    llvm::DILocalScope*& block = blocks_[around];
    if (block == nullptr)
      block = llvm::DILexicalBlock::getDistinct(context, around, around->getFile(), place.getLine(),
                                                /*Column=*/0);
#if LLVM_VERSION_MAJOR >= 22
    const uint64_t group = place.getAtomGroup() == 0 ? 0 : context.incNextDILocationAtomGroup();
    auto* result = llvm::DILocation::get(context, place.getLine(), place.getColumn(), block,
                                         place.getInlinedAt(), place.isImplicitCode(), group,
                                         place.getAtomRank());
#else
    auto* result = llvm::DILocation::get(context, place.getLine(), place.getColumn(), block,
                                         place.getInlinedAt(), place.isImplicitCode());
#endif
    if (!llvm::isa<llvm::PHINode>(at) && declared_.insert({block, place.getInlinedAt()}).second)
      declare(*result, at);
    return result;
  }

  void declare(const llvm::DILocation& place, llvm::Instruction& at) {
    llvm::DILocalScope* block = place.getScope();
    llvm::DIType* type = builder_.createBasicType("bool", 8, llvm::dwarf::DW_ATE_boolean);
    llvm::DILocalVariable* variable =
        builder_.createAutoVariable(block, "tessera_full", block->getFile(), place.getLine(), type,
                                    /*AlwaysPreserve=*/false, llvm::DINode::FlagArtificial);
    builder_.insertDbgValueIntrinsic(llvm::ConstantInt::getTrue(at.getContext()), variable,
                                     builder_.createExpression(), &place, at.getIterator());
  }

  llvm::DIBuilder builder_;
  llvm::DenseMap<llvm::DILocalScope*, llvm::DILocalScope*> blocks_;
  llvm::DenseSet<std::pair<llvm::DILocalScope*, llvm::DILocation*>> declared_;
};

bool isDebugged(const llvm::Function& function) {
  const llvm::DISubprogram* program = function.getSubprogram();
  return program != nullptr &&
         program->getUnit()->getEmissionKind() == llvm::DICompileUnit::FullDebug;
}

}  // namespace

BlockCopy::BlockCopy(llvm::ArrayRef<llvm::BasicBlock*> blocks) {
  for (llvm::BasicBlock* block : blocks) {
    llvm::BasicBlock* copy = llvm::CloneBasicBlock(block, map_, ".full", block->getParent());
    copy->moveBefore(blocks[0]);
    map_[block] = copy;
    blocks_.push_back(copy);
  }
  llvm::remapInstructionsInBlocks(blocks_, map_);
  if (!isDebugged(*blocks[0]->getParent())) return;
  OtherBlocks others(*blocks[0]->getModule());
  for (llvm::BasicBlock* copy : blocks_) others.moveTo(*copy);
}

void BlockCopy::arrive(llvm::BasicBlock& exit, const llvm::BasicBlock* block,
                       llvm::BasicBlock* from) const {
  for (llvm::PHINode& phi : exit.phis())
    phi.addIncoming(of(phi.getIncomingValueForBlock(block)), from);
}

}  // namespace jit::simt

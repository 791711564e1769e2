// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_loop.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace jit::simt {

namespace {

llvm::BasicBlock* blockBehind(llvm::IRBuilder<>& ir, const char* name) {
  return llvm::BasicBlock::Create(ir.getContext(), name, ir.GetInsertBlock()->getParent(),
                                  ir.GetInsertBlock()->getNextNode());
}

// A loop over the set bits of an integer.
void forEachBit(SimtBuilder& simt, llvm::Value* all,
                llvm::function_ref<void(llvm::Value* bit)> body) {
  auto& ir = simt.ir;
  llvm::Type* type = all->getType();
  llvm::Constant* none = llvm::ConstantInt::get(type, 0);
  llvm::BasicBlock* before = ir.GetInsertBlock();
  llvm::BasicBlock* done = blockBehind(ir, "lanes.done");
  llvm::BasicBlock* loop = blockBehind(ir, "lanes");
  ir.CreateCondBr(ir.CreateICmpNE(all, none), loop, done);

  ir.SetInsertPoint(loop);
  auto* rest = ir.CreatePHI(type, 2, "rest");
  rest->addIncoming(all, before);
  llvm::Value* lane = simt.call(llvm::Intrinsic::cttz, {rest, ir.getTrue()});
  body(ir.CreateZExtOrTrunc(lane, ir.getInt64Ty(), "lane"));
  llvm::Value* next = ir.CreateAnd(rest, ir.CreateSub(rest, llvm::ConstantInt::get(type, 1)));
  rest->addIncoming(next, ir.GetInsertBlock());
  auto* again = ir.CreateCondBr(ir.CreateICmpNE(next, none), loop, done);
  keepRolled(*again);
  ir.SetInsertPoint(done);
}

}  // namespace

void keepRolled(llvm::BranchInst& again) {
  llvm::LLVMContext& context = again.getContext();
  llvm::MDNode* no_unroll =
      llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, no_unroll});
  id->replaceOperandWith(0, id);
  again.setMetadata(llvm::LLVMContext::MD_loop, id);
}

void forEachLane(SimtBuilder& simt, llvm::Value* lanes,
                 llvm::function_ref<void(llvm::Value* lane)> body) {
  auto& ir = simt.ir;
  if (simt.width <= kMaskWordBits) {
    forEachBit(simt, simt.bits(lanes), body);
    return;
  }
  // Word by word, as arithmetic on all of the mask would take all of its words each time.
  const uint32_t words = (simt.width + kMaskWordBits - 1) / kMaskWordBits;
  llvm::Value* bits = ir.CreateZExt(simt.bits(lanes), ir.getIntNTy(words * kMaskWordBits));
  llvm::BasicBlock& entry = ir.GetInsertBlock()->getParent()->getEntryBlock();
  auto* slot = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(bits->getType());
  ir.CreateAlignedStore(bits, slot, llvm::Align(8));
  forEachIndex(simt, words, [&](llvm::Value* word) {
    llvm::Value* at = ir.CreateInBoundsGEP(ir.getInt64Ty(), slot, word);
    llvm::Value* first = ir.CreateMul(word, ir.getInt64(kMaskWordBits));
    forEachBit(simt, ir.CreateAlignedLoad(ir.getInt64Ty(), at, llvm::Align(8)),
               [&](llvm::Value* bit) { body(ir.CreateAdd(first, bit, "lane")); });
  });
}

void forEachIndex(SimtBuilder& simt, uint64_t count,
                  llvm::function_ref<void(llvm::Value* index)> body) {
  auto& ir = simt.ir;
  llvm::BasicBlock* before = ir.GetInsertBlock();
  llvm::BasicBlock* done = blockBehind(ir, "indices.done");
  llvm::BasicBlock* loop = blockBehind(ir, "indices");
  ir.CreateBr(loop);

  ir.SetInsertPoint(loop);
  auto* index = ir.CreatePHI(ir.getInt64Ty(), 2, "index");
  index->addIncoming(ir.getInt64(0), before);
  body(index);
  llvm::Value* next = ir.CreateAdd(index, ir.getInt64(1));
  index->addIncoming(next, ir.GetInsertBlock());
  auto* again = ir.CreateCondBr(ir.CreateICmpNE(next, ir.getInt64(count)), loop, done);
  keepRolled(*again);
  ir.SetInsertPoint(done);
}

void ifHolds(SimtBuilder& simt, llvm::Value* condition, llvm::function_ref<void()> body) {
  auto& ir = simt.ir;
  llvm::BasicBlock* done = blockBehind(ir, "done");
  llvm::BasicBlock* then = blockBehind(ir, "then");
  ir.CreateCondBr(condition, then, done);
  ir.SetInsertPoint(then);
  body();
  ir.CreateBr(done);
  ir.SetInsertPoint(done);
}

}  // namespace jit::simt

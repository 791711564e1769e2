#include "jit/simt/lane_loop.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace jit::simt {

namespace {

llvm::BasicBlock* blockBehind(llvm::IRBuilder<>& ir, const char* name) {
  return llvm::BasicBlock::Create(ir.getContext(), name, ir.GetInsertBlock()->getParent(),
                                  ir.GetInsertBlock()->getNextNode());
}

// Where all are live the count is a constant, but copies of the body gain nothing.
llvm::MDNode* stayingLoop(llvm::LLVMContext& context) {
  llvm::MDNode* no_unroll =
      llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, no_unroll});
  id->replaceOperandWith(0, id);
  return id;
}

}  // namespace

void forEachLane(SimtBuilder& simt, llvm::Value* lanes,
                 llvm::function_ref<void(llvm::Value* lane)> body) {
  auto& ir = simt.ir;
  llvm::Value* all = simt.bits(lanes);
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
  again->setMetadata(llvm::LLVMContext::MD_loop, stayingLoop(ir.getContext()));
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

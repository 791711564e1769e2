#include "jit/simt/lane_loop.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace jit::simt {

namespace {

llvm::BasicBlock* blockBehind(llvm::IRBuilder<>& ir, const char* name) {
  return llvm::BasicBlock::Create(ir.getContext(), name, ir.GetInsertBlock()->getParent(),
                                  ir.GetInsertBlock()->getNextNode());
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
  ir.CreateCondBr(ir.CreateICmpNE(next, none), loop, done);
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

Scan scan(SimtBuilder& simt, llvm::Value* vector, llvm::Constant* identity,
          llvm::function_ref<llvm::Value*(llvm::Value*, llvm::Value*)> combine) {
  auto& ir = simt.ir;
  const int width = static_cast<int>(simt.width);
  llvm::Value* neutral = simt.broadcast(identity);
  // The elements moved up by `distance`; what comes in is neutral.
  auto moved = [&](llvm::Value* v, int distance) {
    llvm::SmallVector<int, 64> from;
    for (int l = 0; l < width; ++l) from.push_back(l < distance ? l : width + l - distance);
    return ir.CreateShuffleVector(neutral, v, from);
  };
  llvm::Value* up_to = vector;
  for (int distance = 1; distance < width; distance *= 2)
    up_to = combine(moved(up_to, distance), up_to);
  return {moved(up_to, 1), ir.CreateExtractElement(up_to, simt.width - 1)};
}

}  // namespace jit::simt

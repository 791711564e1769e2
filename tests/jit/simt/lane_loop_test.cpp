#include "jit/simt/lane_loop.h"

#include <gtest/gtest.h>

#include "tests/jit/llvm/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

// Words: 0 counts the turns, 1 holds a mask of 16 lanes; turn t puts its lane into word 2 + t.
void addLoop(llvm::Function& kernel) {
  llvm::BasicBlock& body = *std::next(kernel.begin());
  SimtBuilder simt(kernel.getContext(), 16);
  auto& ir = simt.ir;
  ir.SetInsertPoint(body.getTerminator());
  llvm::Value* words = &*kernel.getEntryBlock().begin();
  llvm::Value* mask = ir.CreateTrunc(
      ir.CreateLoad(ir.getInt32Ty(), ir.CreateConstGEP1_64(ir.getInt32Ty(), words, 1)),
      ir.getInt16Ty());
  // The rest of the block goes behind the loop.
  body.getTerminator()->eraseFromParent();
  ir.SetInsertPoint(&body);
  forEachLane(simt, ir.CreateBitCast(mask, simt.vectorOf(ir.getInt1Ty())), [&](llvm::Value* lane) {
    llvm::Value* turn = ir.CreateLoad(ir.getInt32Ty(), words);
    llvm::Value* place = ir.CreateAdd(turn, ir.getInt32(2));
    ir.CreateStore(ir.CreateTrunc(lane, ir.getInt32Ty()),
                   ir.CreateGEP(ir.getInt32Ty(), words, place));
    ir.CreateStore(ir.CreateAdd(turn, ir.getInt32(1)), words);
  });
  ir.CreateRetVoid();
}

TEST(LaneLoop, AscendingTurnsOfTheSetLanes) {
  IrModule module(R"(
    define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
    entry:
      %words = load ptr, ptr %dispatch
      br label %body
    body:
      ret void
    })");
  addLoop(*module->getFunction("kernel"));
  ASSERT_EQ(module.complaints(), "");
  auto kernel = module.load("kernel");
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  for (uint32_t mask : {0u, 1u, 0x8000u, 0x8421u, 0x7ffeu, 0xffffu}) {
    KernelMemory memory(18, 0, 0);
    memory.words.assign(18, 99);
    memory.words[0] = 0;
    memory.words[1] = mask;
    memory.run(*kernel);
    uint32_t turn = 0;
    for (uint32_t lane = 0; lane < 16; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      EXPECT_EQ(memory.words[2 + turn++], lane) << "mask " << mask;
    }
    EXPECT_EQ(memory.words[0], turn) << "mask " << mask;
    for (; turn < 16; ++turn) EXPECT_EQ(memory.words[2 + turn], 99u);
  }
}

}  // namespace
}  // namespace jit::simt

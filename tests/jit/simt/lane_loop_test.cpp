// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/jit/ir/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

constexpr uint32_t kMaskWords = 5;  // for up to 160 lanes

// Words: 0 counts the turns, a mask begins in 1; turn t puts its lane into the t-th word behind it.
void addLoop(llvm::Function& kernel, uint32_t width) {
  llvm::BasicBlock& body = *std::next(kernel.begin());
  SimtBuilder simt(kernel.getContext(), width);
  auto& ir = simt.ir;
  ir.SetInsertPoint(body.getTerminator());
  llvm::Value* words = &*kernel.getEntryBlock().begin();
  llvm::Type* all = ir.getIntNTy(32 * kMaskWords);
  llvm::Value* mask = ir.CreateTrunc(
      ir.CreateAlignedLoad(all, ir.CreateConstGEP1_64(ir.getInt32Ty(), words, 1), llvm::Align(4)),
      ir.getIntNTy(width));
  // The rest of the block goes behind the loop.
  body.getTerminator()->eraseFromParent();
  ir.SetInsertPoint(&body);
  forEachLane(simt, ir.CreateBitCast(mask, simt.vectorOf(ir.getInt1Ty())), [&](llvm::Value* lane) {
    llvm::Value* turn = ir.CreateLoad(ir.getInt32Ty(), words);
    llvm::Value* place = ir.CreateAdd(turn, ir.getInt32(1 + kMaskWords));
    ir.CreateStore(ir.CreateTrunc(lane, ir.getInt32Ty()),
                   ir.CreateGEP(ir.getInt32Ty(), words, place));
    ir.CreateStore(ir.CreateAdd(turn, ir.getInt32(1)), words);
  });
  ir.CreateRetVoid();
}

void expectTurns(uint32_t width, const std::vector<std::vector<uint32_t>>& masks) {
  IrModule module(R"(
    define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
    entry:
      %words = load ptr, ptr %dispatch
      br label %body
    body:
      ret void
    })");
  addLoop(*module->getFunction("kernel"), width);
  ASSERT_EQ(module.complaints(), "");
  auto kernel = module.load("kernel");
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  for (std::vector<uint32_t> mask : masks) {
    mask.resize(kMaskWords);
    KernelMemory memory(1 + kMaskWords + width, 0, 0);
    memory.words.assign(1 + kMaskWords + width, 999);
    memory.words[0] = 0;
    std::copy(mask.begin(), mask.end(), memory.words.begin() + 1);
    memory.run(*kernel);
    std::vector<uint32_t> turns;
    for (uint32_t lane = 0; lane < width; ++lane)
      if (mask[lane / 32] >> lane % 32 & 1) turns.push_back(lane);
    EXPECT_EQ(memory.words[0], turns.size()) << "width " << width;
    turns.resize(width, 999);
    EXPECT_EQ(std::vector<uint32_t>(memory.words.begin() + 1 + kMaskWords, memory.words.end()),
              turns)
        << "width " << width;
  }
}

TEST(LaneLoop, AscendingTurnsOfTheSetLanes) {
  expectTurns(16, {{0}, {1}, {0x8000}, {0x8421}, {0x7ffe}, {0xffff}});
}

// Of several words some may be empty.
TEST(LaneLoop, LanesOfAWideStream) {
  for (uint32_t width : {96u, 160u})
    expectTurns(width, {{0, 0, 0, 0, 0},
                        {1, 0, 0x80000000, 0, 0x80000001},
                        {0, 0x8421, 0, 0xffff, 0},
                        {~0u, ~0u, ~0u, ~0u, ~0u}});
}

}  // namespace
}  // namespace jit::simt

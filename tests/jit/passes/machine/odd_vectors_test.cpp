// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/odd_vectors.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

// Values of `lanes` elements that go from block to block in `module`'s function `kernel`.
int crossing(IrModule& module, unsigned lanes) {
  int count = 0;
  for (llvm::Instruction& instruction : llvm::instructions(*module->getFunction("kernel"))) {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
    if (!type || type->getNumElements() != lanes) continue;
    count += llvm::isa<llvm::PHINode>(instruction) ||
             instruction.isUsedOutsideOfBlock(instruction.getParent());
  }
  return count;
}

// Doubles 96 words %y times in a loop whose second half may be skipped, twice over an edge of the
// same switch, adds what they were in the beginning, and writes them behind the words.
constexpr const char* kKernel = R"(
  define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
  entry:
    %words = load ptr, ptr %dispatch
    %start = load <96 x i32>, ptr %words, align 4
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %again ]
    %sum = phi <96 x i32> [ %start, %entry ], [ %last, %again ]
    %before = phi <96 x i32> [ zeroinitializer, %entry ], [ %sum, %again ]
    %next = add i32 %i, 1
    %twice = add <96 x i32> %sum, %sum
    switch i32 %x, label %change [ i32 1, label %again
                                   i32 2, label %again ]
  change:
    %changed = sub <96 x i32> %twice, %before
    br label %again
  again:
    %last = phi <96 x i32> [ %twice, %loop ], [ %twice, %loop ], [ %changed, %change ]
    %more = icmp ult i32 %next, %y
    br i1 %more, label %loop, label %exit
  exit:
    %all = add <96 x i32> %last, %start
    %target = getelementptr i8, ptr %words, i64 384
    store <96 x i32> %all, ptr %target, align 4
    ret void
  })";

TEST(OddVectors, ValuesAreTheSame) {
  for (const rt::Isa isa : {rt::Isa::Reference, rt::hostIsa()}) {
    const Target target = makeTarget(isa);
    IrModule module(kKernel);
    ASSERT_EQ(crossing(module, 96), 5);
    splitOddVectors(*module->getFunction("kernel"), target.vector_bytes);
    ASSERT_EQ(module.complaints(), "") << module.text();
    EXPECT_EQ(crossing(module, 96), 0) << module.text();
    auto kernel = module.load("kernel", target);
    ASSERT_TRUE(bool(kernel));
    for (const uint32_t x : {0u, 1u, 2u}) {
      constexpr uint32_t kIterations = 5;
      test::KernelMemory memory(192, 0, 0);
      for (uint32_t i = 0; i < 96; ++i) memory.words[i] = 3 * i + 1;
      memory.run(*kernel, {x, kIterations, 0});
      for (uint32_t i = 0; i < 96; ++i) {
        uint32_t sum = memory.words[i], before = 0;
        for (uint32_t iteration = 0; iteration < kIterations; ++iteration) {
          const uint32_t next = x == 0 ? 2 * sum - before : 2 * sum;
          before = sum;
          sum = next;
        }
        ASSERT_EQ(memory.words[96 + i], sum + memory.words[i]) << "word " << i << ", x " << x;
      }
    }
  }
}

}  // namespace
}  // namespace jit

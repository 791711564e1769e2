// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/interruptible_loops.h"

#include <gtest/gtest.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/codegen/codegen.h"
#include "jit/pipeline/analyses.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

constexpr const char* kHead =
    "define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {\n";

// The kernel after the pass.
std::unique_ptr<IrModule> transformed(const std::string& body) {
  auto module = std::make_unique<IrModule>(kHead + body + "}");
  auto machine = createTargetMachine(makeTarget(rt::hostIsa()));
  EXPECT_TRUE(bool(machine));
  Analyses analyses(**machine);
  makeLoopsInterruptible(*(*module)->getFunction("kernel"), analyses.functions());
  EXPECT_EQ(module->complaints(), "") << module->text();
  return module;
}

// Runs it with a counter that has left 0: it has to come back.
void runStopped(IrModule& module) {
  auto kernel = module.load("kernel");
  ASSERT_TRUE(bool(kernel));
  const std::atomic<uint64_t> stop = 1;
  rt::DispatchArgs dispatch{};
  dispatch.stop = &stop;
  rt::WorkgroupMemory memory{};
  kernel->entry(&dispatch, &memory, 0, 0, 0, 1);
}

size_t looksAtTheCounter(IrModule& module) {
  size_t count = 0;
  const std::string text = module.text();
  for (size_t at = 0; (at = text.find("load atomic", at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(InterruptibleLoops, AnEndlessLoopEnds) {
  auto module = transformed("entry:\n br label %loop\nloop:\n br label %loop\n");
  EXPECT_EQ(looksAtTheCounter(*module), 1u) << module->text();
  runStopped(*module);
}

TEST(InterruptibleLoops, AnEndlessLoopInALoopEnds) {
  auto module = transformed(R"(
    entry:
      br label %outer
    outer:
      %i = phi i32 [ 0, %entry ], [ %next, %again ]
      br label %inner
    inner:
      %n = phi i32 [ 0, %outer ], [ %m, %inner ]
      %m = add i32 %n, 2
      %even = trunc i32 %m to i1
      br i1 %even, label %again, label %inner
    again:
      %next = add i32 %i, 1
      %more = icmp ult i32 %next, 5
      br i1 %more, label %outer, label %exit
    exit:
      ret void
  )");
  EXPECT_EQ(looksAtTheCounter(*module), 2u) << module->text();
  runStopped(*module);
}

// Nothing dominates what goes round: control enters it at two places.
TEST(InterruptibleLoops, AnEndlessWayRoundThatIsNoLoopEnds) {
  auto module = transformed(R"(
    entry:
      %first = icmp eq i32 %x, 7
      br i1 %first, label %a, label %b
    a:
      br label %b
    b:
      br label %a
  )");
  EXPECT_EQ(looksAtTheCounter(*module), 1u) << module->text();
  runStopped(*module);
}

// A short loop has another way round through its header, which may be taken for ever.
TEST(InterruptibleLoops, AShortLoopOnAnEndlessWayRoundEnds) {
  auto module = transformed(R"(
    entry:
      %first = icmp eq i32 %x, 7
      br i1 %first, label %short, label %around
    short:
      %i = phi i32 [ 0, %entry ], [ %next, %short ], [ 0, %around ]
      %next = add i32 %i, 1
      %more = icmp ult i32 %next, 10
      br i1 %more, label %short, label %around
    around:
      br label %short
  )");
  EXPECT_GE(looksAtTheCounter(*module), 1u) << module->text();
  runStopped(*module);
}

// Such a loop has no number of iterations: each look at the counter may give another.
TEST(InterruptibleLoops, ALoopThatCountsFromNoValueIsNotShort) {
  auto module = transformed(R"(
    entry:
      br label %loop
    loop:
      %k = phi i32 [ undef, %entry ], [ %next, %iteration ]
      %more = icmp ult i32 %k, 4
      br i1 %more, label %iteration, label %exit
    iteration:
      %next = lshr i32 %k, 1
      br label %loop
    exit:
      ret void
  )");
  EXPECT_EQ(looksAtTheCounter(*module), 1u) << module->text();
}

TEST(InterruptibleLoops, ShortInnermostLoopsStayAsTheyAre) {
  auto loop = [](const char* iterations) {
    return std::string(R"(
    entry:
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %next, %loop ]
      %next = add i32 %i, 1
      %more = icmp ult i32 %next, )") +
           iterations + "\n br i1 %more, label %loop, label %exit\nexit:\n ret void\n";
  };
  EXPECT_EQ(looksAtTheCounter(*transformed(loop("1000"))), 0u);
  EXPECT_EQ(looksAtTheCounter(*transformed(loop("100000"))), 1u);
  EXPECT_EQ(looksAtTheCounter(*transformed(loop("%x"))), 1u);
}

TEST(InterruptibleLoops, WhatHasNoLoopStaysAsItIs) {
  EXPECT_EQ(transformed("entry:\n ret void\n")->text().find("stop"), std::string::npos);
}

}  // namespace
}  // namespace jit

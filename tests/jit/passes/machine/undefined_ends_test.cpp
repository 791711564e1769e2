// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/undefined_ends.h"

#include <gtest/gtest.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

bool undefined(const std::string& body) {
  test::IrModule module("define void @kernel(i32 %x) {\nentry:\n" + body + "}");
  return endsUndefined(*module->getFunction("kernel"));
}

TEST(UndefinedEnds, NothingIsLeft) {
  EXPECT_TRUE(undefined("unreachable\n"));
  EXPECT_TRUE(undefined("br label %next\nnext:\n unreachable\n"));
  EXPECT_TRUE(undefined(R"(
      %c = trunc i32 %x to i1
      br i1 %c, label %a, label %b
    a:
      br label %b
    b:
      unreachable
  )"));
}

TEST(UndefinedEnds, SomethingIsLeft) {
  EXPECT_FALSE(undefined("ret void\n"));
  // An endless loop is something, and so is a switch that has a case for all that there is.
  EXPECT_FALSE(undefined("br label %loop\nloop:\n br label %loop\n"));
  EXPECT_FALSE(undefined(R"(
      switch i32 %x, label %never [ i32 0, label %end i32 1, label %end ]
    never:
      unreachable
    end:
      ret void
  )"));
  EXPECT_FALSE(undefined(R"(
      br label %loop
    loop:
      switch i32 %x, label %never [ i32 0, label %loop i32 1, label %loop ]
    never:
      unreachable
  )"));
}

}  // namespace
}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

// Which functions are told to be kept; tests/jit/passes/merge_equal_functions*.ll have which are.
#include "jit/passes/code/equal_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using testing::ElementsAre;

// Names of the functions that are left, in order.
std::vector<std::string> merged(IrModule& module) {
  llvm::SmallVector<llvm::Function*> functions;
  for (llvm::Function& function : *module)
    if (function.hasInternalLinkage()) functions.push_back(&function);
  std::vector<std::string> names;
  for (llvm::Function* function : mergeEqualFunctions(functions))
    names.push_back(function->getName().str());
  EXPECT_EQ(module.complaints(), "") << module.text();
  for (const llvm::Function& function : *module) {
    if (!function.hasInternalLinkage()) continue;
    EXPECT_THAT(names, testing::Contains(function.getName().str()));
  }
  return names;
}

// @a and @c call each other, as @b and @d do, whose part differs by `step`.
std::vector<std::string> mergedOfPairs(const std::string& step) {
  IrModule module(R"(
    define internal void @a(i32 %x) {
      %done = icmp eq i32 %x, 0
      br i1 %done, label %exit, label %on
    on:
      call void @c(i32 %x)
      ret void
    exit:
      ret void
    }
    define internal void @b(i32 %x) {
      %done = icmp eq i32 %x, 0
      br i1 %done, label %exit, label %on
    on:
      call void @d(i32 %x)
      ret void
    exit:
      ret void
    }
    define internal void @c(i32 %x) {
      %y = sub i32 %x, 1
      call void @a(i32 %y)
      ret void
    }
    define internal void @d(i32 %x) {
      %y = sub i32 %x, )" +
                  step + R"(
      call void @b(i32 %y)
      ret void
    })");
  return merged(module);
}

TEST(EqualFunctions, ThoseThatAreKeptAreReturnedInOrder) {
  EXPECT_THAT(mergedOfPairs("1"), ElementsAre("a", "c"));
  EXPECT_THAT(mergedOfPairs("2"), ElementsAre("a", "b", "c", "d"));
}

}  // namespace
}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

// Data of a module is found by its contents.
#include "jit/ir/vector_data.h"

#include <gtest/gtest.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

TEST(ConstantData, IsFoundByContents) {
  test::IrModule module(
      "@other = private constant [2 x i32] [i32 1, i32 3], align 64\n"
      "@written = private global [2 x i32] [i32 1, i32 2], align 64\n"
      "@elsewhere = constant [2 x i32] [i32 1, i32 2], align 64\n"
      "@data = private constant [2 x i32] [i32 1, i32 2], align 16\n");
  llvm::Constant& contents = *module->getNamedGlobal("data")->getInitializer();
  EXPECT_EQ(findConstantData(*module, contents, llvm::Align(16)), module->getNamedGlobal("data"));
  EXPECT_EQ(findConstantData(*module, contents, llvm::Align(64)), nullptr);
}

}  // namespace
}  // namespace jit

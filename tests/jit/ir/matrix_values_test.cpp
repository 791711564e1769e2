// SPDX-License-Identifier: Apache-2.0

// Which values are matrices: what follows from the operations, and not from numbers of elements.
#include "jit/ir/matrix_values.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit::coopmat {
namespace {

// A function that loads a matrix of 16x32 as %m, and does what `code` says.
class Values {
 public:
  explicit Values(const std::string& code)
      : module_(R"(
declare !tessera.matrix !{!"load", i32 4, i32 16, i32 32, i32 0} <512 x float> @load(ptr, i64, i64)
declare !tessera.matrix !{!"transpose", i32 4, i32 16, i32 32} <512 x float> @turn(<512 x float>)
define void @f(ptr %d, <512 x float> %lanes, i1 %is) {
entry:
  %v = alloca [3 x <512 x float>]
  %v1 = getelementptr i8, ptr %v, i64 2048
  %w = alloca <512 x float>
  %m = call <512 x float> @load(ptr %d, i64 128, i64 -1)
)" + code + "  ret void\n}\n"),
        matrices_(*module_->getFunction("f")) {}

  // "16x32", "?" for a matrix of unknown size, "" for none.
  std::string of(llvm::StringRef name) {
    const auto size = matrices_.sizeOf(&instruction(name));
    if (!size) return "";
    if (*size == MatrixSize{}) return "?";
    return std::to_string(size->rows) + "x" + std::to_string(size->columns);
  }
  bool isWhole(llvm::StringRef name) { return matrices_.isWhole(instruction(name)); }

 private:
  llvm::Instruction& instruction(llvm::StringRef name) {
    for (llvm::Instruction& i : llvm::instructions(*module_->getFunction("f")))
      if (i.getName() == name) return i;
    ADD_FAILURE() << "no instruction " << name.str();
    return module_->getFunction("f")->front().front();
  }

  test::IrModule module_;
  MatrixValues matrices_;
};

TEST(MatrixValues, FollowArithmeticAndChoices) {
  Values values(R"(
  %sum = fadd <512 x float> %m, %m
  %test = fcmp olt <512 x float> %sum, %m
  %chosen = select <512 x i1> %test, <512 x float> %sum, <512 x float> zeroinitializer
  %whole = fptosi <512 x float> %chosen to <512 x i32>
  %root = call <512 x float> @llvm.sqrt.v512f32(<512 x float> %sum)
  %turned = call <512 x float> @turn(<512 x float> %root)
  %more = fneg <512 x float> %turned
  %other = fadd <512 x float> %lanes, %lanes
)");
  for (const char* name : {"m", "sum", "test", "chosen", "whole", "root"})
    EXPECT_EQ(values.of(name), "16x32") << name;
  EXPECT_EQ(values.of("turned"), "32x16");
  EXPECT_EQ(values.of("more"), "32x16");
  EXPECT_EQ(values.of("other"), "");  // as many elements, but an element for each invocation
}

TEST(MatrixValues, FollowBackwardsToWhatAnOperationTakes) {
  Values values(R"(
  %made = fneg <512 x float> %lanes
  %doubled = fadd <512 x float> %made, %made
  %turned = call <512 x float> @turn(<512 x float> %doubled)
)");
  EXPECT_EQ(values.of("made"), "16x32");
  EXPECT_EQ(values.of("doubled"), "16x32");
}

TEST(MatrixValues, FollowVariables) {
  Values values(R"(
  store <512 x float> %m, ptr %v
  store <512 x float> zeroinitializer, ptr %v1
  store <512 x float> %lanes, ptr %w
  %back = load <512 x float>, ptr %v1
  %part = load float, ptr %v1
  %other = load <512 x float>, ptr %w
)");
  EXPECT_EQ(values.of("back"), "?");
  EXPECT_TRUE(values.isWhole("back"));
  EXPECT_FALSE(values.isWhole("part"));
  EXPECT_EQ(values.of("other"), "");
  EXPECT_FALSE(values.isWhole("other"));
}

TEST(MatrixValues, FollowPhisOfLoops) {
  Values values(R"(
  br label %loop
loop:
  %p = phi <512 x float> [ zeroinitializer, %entry ], [ %next, %loop ]
  %q = phi <512 x float> [ zeroinitializer, %entry ], [ %q1, %loop ]
  %next = fadd <512 x float> %p, %m
  %q1 = fadd <512 x float> %q, %lanes
  br i1 %is, label %loop, label %exit
exit:
)");
  EXPECT_EQ(values.of("p"), "16x32");
  EXPECT_EQ(values.of("next"), "16x32");
  EXPECT_EQ(values.of("q"), "");
}

}  // namespace
}  // namespace jit::coopmat

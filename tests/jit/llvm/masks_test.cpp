// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/masks.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "tests/jit/llvm/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

// The number of choices that are dropped between `left` and `right` by `compare` of %m's bits,
// where %inner is `select <32 x i1> condition, one, other`.
unsigned dropped(const std::string& compare, const std::string& condition, const std::string& one,
                 const std::string& other, const std::string& left, const std::string& right) {
  IrModule module(
      "define <32 x i32> @f(<32 x i1> %m, <32 x i32> %x, <32 x i32> %y) {\n"
      "%not = xor <32 x i1> %m, splat (i1 true)\n"
      "%bits = bitcast <32 x i1> %m to i32\n"
      "%test = icmp " +
      compare +
      " i32 %bits, 0\n"
      "%inner = select <32 x i1> " +
      condition + ", <32 x i32> " + one + ", <32 x i32> " + other +
      "\n"
      "%outer = select i1 %test, <32 x i32> " +
      left + ", <32 x i32> " + right +
      "\n"
      "ret <32 x i32> %outer\n}\n");
  const unsigned count = dropChoicesByEmptyMasks(*module->getFunction("f"));
  EXPECT_EQ(module.complaints(), "");
  return count;
}

TEST(ChoicesByEmptyMasks, AreDroppedWhereTheyChangeNothing) {
  EXPECT_EQ(dropped("eq", "%m", "%y", "%x", "%x", "%inner"), 1u);
  EXPECT_EQ(dropped("ne", "%m", "%y", "%x", "%inner", "%x"), 1u);
  EXPECT_EQ(dropped("eq", "%not", "%x", "%y", "%x", "%inner"), 1u);
}

TEST(ChoicesByEmptyMasks, StayWhereTheyChangeSomething) {
  EXPECT_EQ(dropped("eq", "%m", "%x", "%y", "%x", "%inner"), 0u);
  EXPECT_EQ(dropped("ne", "%m", "%y", "%x", "%x", "%inner"), 0u);
  EXPECT_EQ(dropped("eq", "%not", "%y", "%x", "%x", "%inner"), 0u);
  EXPECT_EQ(dropped("ult", "%m", "%y", "%x", "%x", "%inner"), 0u);
}

// All comparisons first, then a selection by each.
std::string switched(unsigned cases) {
  std::string text = "define <32 x i32> @f(<32 x i32> %v, <32 x i32> %w) {\n";
  for (unsigned k = 0; k < cases; ++k) {
    const std::string n = std::to_string(k);
    text += "%m" + n + " = icmp eq <32 x i32> %v, splat (i32 " + n + ")\n";
  }
  std::string last = "%w";
  for (unsigned k = 0; k < cases; ++k) {
    const std::string n = std::to_string(k);
    text += "%s" + n + " = select <32 x i1> %m" + n + ", <32 x i32> splat (i32 " + n +
            "9), <32 x i32> " + last + "\n";
    last = "%s" + n;
  }
  return text + "ret <32 x i32> " + last + "\n}\n";
}

TEST(ComparisonsAtUses, StandBeforeTheSelections) {
  IrModule module(switched(100));
  llvm::Function& function = *module->getFunction("f");
  EXPECT_EQ(compareAtUses(function), 100u);
  EXPECT_EQ(module.complaints(), "");
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::SelectInst>(instruction)) {
      EXPECT_EQ(instruction.getPrevNode(), instruction.getOperand(0));
    }
  }
}

TEST(ComparisonsAtUses, FewStayWhereTheyAre) {
  IrModule module(switched(4));
  EXPECT_EQ(compareAtUses(*module->getFunction("f")), 0u);
}

}  // namespace
}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/epilogue_stores.h"

#include <gtest/gtest.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "tests/jit/coopmat/jit_module.h"

namespace jit::coopmat {
namespace {

// A loop whose sum `%s` is left to blocks that `after` describes, the first of which is the exit;
// there, %out leads into the client's memory, and %frame does not.
class DestinationsTest : public testing::Test {
 protected:
  explicit DestinationsTest() : module_{makeTarget(rt::hostIsa())} {}

  void parse(std::string after) {
    for (size_t at; (at = after.find("STORE")) != std::string::npos;)
      after.replace(at, 5, "call void @tessera.matrix.store.v256float.16.16.");
    module_.parse(R"(
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 0} void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64)
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 1} void @tessera.matrix.store.v256float.16.16.1(<256 x float>, ptr, i64, i64)
declare i64 @number()
declare void @use(<256 x float>)
define void @f(ptr %d, ptr %shared, ptr %frame, i64 %x, <256 x float> %sum) !tessera.function !{!"subgroup"} {
entry:
  %out = load ptr, ptr %d
  br label %exit
exit:
  %s = phi <256 x float> [ %sum, %entry ]
)" + after + "  ret void\n}\n");
    exit_ = module_.module().getFunction("f")->getEntryBlock().getSingleSuccessor();
  }

  std::optional<EpilogueStores> stores() {
    const llvm::DominatorTree dominators(*exit_->getParent());
    return epilogueStoresOf({llvm::cast<llvm::PHINode>(&exit_->front())}, dominators);
  }

  // What is computed at the start of the exit; how many instructions are new is in `added_`.
  std::optional<Destinations> compute() {
    const size_t before = exit_->size();
    llvm::IRBuilder<> builder(&*exit_->getFirstInsertionPt());
    std::optional<Destinations> destinations = computeEarlier(builder, *stores());
    added_ = exit_->size() - before;
    return destinations;
  }

  test::JitModule module_;
  llvm::BasicBlock* exit_;
  size_t added_;
};

TEST_F(DestinationsTest, StoreByRowsToTheClientsMemory) {
  parse("STORE0(<256 x float> %s, ptr %out, i64 64, i64 -1)\n");
  ASSERT_TRUE(stores());
  EXPECT_EQ(stores()->calls[0].matrix, &exit_->front());
  EXPECT_FALSE(stores()->condition);
  EXPECT_TRUE(stores()->may_come_first);
}

TEST_F(DestinationsTest, StoreUnderACondition) {
  const std::string guarded =
      "%is_out = icmp eq i64 %x, 7\n"
      "br i1 %is_out, label %other, label %store\n"
      "store:\nSTORE0(<256 x float> %s, ptr %out, i64 64, i64 -1)\nbr label %after\n"
      "other:\n";
  parse(guarded + "call void @use(<256 x float> %s)\nbr label %after\nafter:\n");
  ASSERT_TRUE(stores());
  EXPECT_TRUE(stores()->may_come_first);
  const auto destinations = compute();
  ASSERT_TRUE(destinations);
  EXPECT_EQ(added_, 2u) << "the condition, and that it does not hold";
  parse(guarded + "br label %after\nafter:\ncall void @use(<256 x float> %s)\n");
  EXPECT_FALSE(stores()) << "used after it";
}

// As after unrolling a loop that tests the same at each iteration.
TEST_F(DestinationsTest, StoreWhereTheConditionIsTestedAgain) {
  auto twice = [&](const std::string& second) {
    parse(
        "%c = icmp eq i64 %x, 7\n%e = icmp eq i64 %x, 8\n"
        "br i1 %c, label %one, label %join\none:\nbr label %join\n"
        "join:\nbr i1 " +
        second +
        ", label %after, label %store\n"
        "store:\nSTORE0(<256 x float> %s, ptr %out, i64 64, i64 -1)\nbr label %after\nafter:\n");
    return stores();
  };
  ASSERT_TRUE(twice("%c"));
  EXPECT_EQ(stores()->path.size(), 3u);
  EXPECT_FALSE(stores()->is_condition_true);
  EXPECT_FALSE(twice("%e")) << "another condition";
}

// What is right only under the condition is not computed before it is tested.
TEST_F(DestinationsTest, NothingIsComputedThatMightTrap) {
  parse(
      "%is_zero = icmp eq i64 %x, 0\n"
      "br i1 %is_zero, label %after, label %store\n"
      "store:\n%q = udiv i64 64, %x\n"
      "STORE0(<256 x float> %s, ptr %out, i64 %q, i64 -1)\nbr label %after\nafter:\n");
  ASSERT_TRUE(stores());
  EXPECT_FALSE(compute());
}

TEST_F(DestinationsTest, StoresThatSomebodyWouldNotice) {
  const std::string store = "STORE0(<256 x float> %s, ptr %out, i64 64, i64 -1)\n";
  auto may_come_first = [&](const std::string& before, const std::string& after) {
    parse(before + store + after);
    return stores()->may_come_first;
  };
  EXPECT_FALSE(may_come_first("%n = load i64, ptr %out\n", ""));
  EXPECT_FALSE(may_come_first("store i64 0, ptr %frame\n", ""));
  EXPECT_FALSE(may_come_first("call i64 @number()\n", ""));
  EXPECT_TRUE(may_come_first("%n = load i64, ptr %d, !invariant.load !{}\n", ""));
  EXPECT_TRUE(may_come_first("", "%n = load i64, ptr %out\nstore i64 0, ptr %frame\n"));
}

TEST_F(DestinationsTest, OtherStoresAreNone) {
  parse("STORE1(<256 x float> %s, ptr %out, i64 64, i64 -1)\n");
  EXPECT_FALSE(stores()) << "by columns";
  parse("STORE0(<256 x float> %s, ptr %frame, i64 64, i64 -1)\n");
  EXPECT_FALSE(stores()) << "of the workgroup's own";
  parse("%t = fadd <256 x float> %s, %s\nSTORE0(<256 x float> %t, ptr %out, i64 64, i64 -1)\n");
  EXPECT_FALSE(stores()) << "of something else";
  parse(
      "switch i64 %x, label %more [ i64 7, label %more ]\n"
      "more:\nSTORE0(<256 x float> %s, ptr %out, i64 64, i64 -1)\n");
  EXPECT_FALSE(stores()) << "elsewhere";
}

TEST_F(DestinationsTest, StoreInABlockThatComesNext) {
  parse("br label %more\nmore:\nSTORE0(<256 x float> %s, ptr %out, i64 64, i64 -1)\n");
  ASSERT_TRUE(stores());
  EXPECT_EQ(stores()->path.size(), 2u);
  EXPECT_FALSE(stores()->condition);
}

TEST_F(DestinationsTest, AreComputedAtTheStart) {
  parse(
      "call i64 @number()\n"
      "%n = load i64, ptr %d\n"
      "%i = mul i64 %n, %x\n"
      "%at = getelementptr i8, ptr %out, i64 %i\n"
      "STORE0(<256 x float> %s, ptr %at, i64 %n, i64 -1)\n");
  const auto destinations = compute();
  ASSERT_TRUE(destinations);
  EXPECT_EQ(added_, 3u);
  auto* base = llvm::cast<llvm::Instruction>(destinations->of_accumulators[0].base);
  auto* stride = llvm::cast<llvm::Instruction>(destinations->of_accumulators[0].stride_bytes);
  EXPECT_TRUE(stride->comesBefore(base));
  EXPECT_TRUE(llvm::isa<llvm::CallInst>(base->getNextNode())) << "before all that was there";
  EXPECT_EQ(llvm::cast<llvm::Instruction>(base->getOperand(1))->getOperand(0), stride);
}

TEST_F(DestinationsTest, ValuesFromElsewhereStay) {
  parse("STORE0(<256 x float> %s, ptr %out, i64 %x, i64 -1)\n");
  const auto destinations = compute();
  ASSERT_TRUE(destinations);
  EXPECT_EQ(added_, 0u);
  EXPECT_EQ(destinations->of_accumulators[0].base->getName(), "out");
  EXPECT_EQ(destinations->of_accumulators[0].stride_bytes->getName(), "x");
}

TEST_F(DestinationsTest, CallsAreNotRepeated) {
  parse(
      "%n = call i64 @number()\n"
      "%i = mul i64 %x, %x\n"
      "%at = getelementptr i8, ptr %out, i64 %i\n"
      "STORE0(<256 x float> %s, ptr %at, i64 %n, i64 -1)\n");
  EXPECT_FALSE(compute());
  EXPECT_EQ(added_, 0u);
}

}  // namespace
}  // namespace jit::coopmat

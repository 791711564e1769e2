#include "jit/coopmat/destinations.h"

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>

#include "tests/jit/coopmat/jit_module.h"

namespace jit::coopmat {
namespace {

// A loop whose sum `%s` is left to a block that `after` describes; there, %out leads into the
// client's memory, and %frame does not.
class DestinationsTest : public testing::Test {
 protected:
  explicit DestinationsTest() : module_{makeTarget(rt::hostIsa())} {}

  void parse(std::string after) {
    for (size_t at; (at = after.find("STORE")) != std::string::npos;)
      after.replace(at, 5, "call void @tessera.matrix.store.v256float.16.16.");
    module_.parse(R"(
declare void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64)
declare void @tessera.matrix.store.v256float.16.16.1(<256 x float>, ptr, i64, i64)
declare i64 @number()
define void @f(ptr %d, ptr %frame, i64 %x, <256 x float> %sum) {
entry:
  %out = load ptr, ptr %d
  br label %exit
exit:
  %s = phi <256 x float> [ %sum, %entry ]
)" + after + "  ret void\n}\n");
    exit_ = &module_.module().getFunction("f")->back();
  }

  std::optional<StoreCall> store() { return storeOfSum(llvm::cast<llvm::PHINode>(exit_->front())); }

  // What is computed at the start of the exit; how many instructions are new is in `added_`.
  llvm::SmallVector<Destination> compute() {
    const size_t before = exit_->size();
    llvm::IRBuilder<> builder(&*exit_->getFirstInsertionPt());
    auto destinations = computeEarlier(builder, {*store()});
    added_ = exit_->size() - before;
    return destinations;
  }

  test::JitModule module_;
  llvm::BasicBlock* exit_;
  size_t added_;
};

TEST_F(DestinationsTest, StoreByRowsToTheClientsMemory) {
  parse("STORE0(<256 x float> %s, ptr %out, i64 64, i64 -1)\n");
  ASSERT_TRUE(store());
  EXPECT_EQ(store()->matrix, &exit_->front());
}

TEST_F(DestinationsTest, OtherStoresAreNone) {
  parse("STORE1(<256 x float> %s, ptr %out, i64 64, i64 -1)\n");
  EXPECT_FALSE(store()) << "by columns";
  parse("STORE0(<256 x float> %s, ptr %frame, i64 64, i64 -1)\n");
  EXPECT_FALSE(store()) << "of the workgroup's own";
  parse("%t = fadd <256 x float> %s, %s\nSTORE0(<256 x float> %t, ptr %out, i64 64, i64 -1)\n");
  EXPECT_FALSE(store()) << "of something else";
  parse("br label %more\nmore:\nSTORE0(<256 x float> %s, ptr %out, i64 64, i64 -1)\n");
  exit_ = exit_->getSinglePredecessor();
  EXPECT_FALSE(store()) << "elsewhere";
}

TEST_F(DestinationsTest, AreComputedAtTheStart) {
  parse(
      "call i64 @number()\n"
      "%n = load i64, ptr %d\n"
      "%i = mul i64 %n, %x\n"
      "%at = getelementptr i8, ptr %out, i64 %i\n"
      "STORE0(<256 x float> %s, ptr %at, i64 %n, i64 -1)\n");
  const auto destinations = compute();
  ASSERT_EQ(destinations.size(), 1u);
  EXPECT_EQ(added_, 3u);
  auto* base = llvm::cast<llvm::Instruction>(destinations[0].base);
  auto* stride = llvm::cast<llvm::Instruction>(destinations[0].stride_bytes);
  EXPECT_TRUE(stride->comesBefore(base));
  EXPECT_TRUE(llvm::isa<llvm::CallInst>(base->getNextNode())) << "before all that was there";
  EXPECT_EQ(llvm::cast<llvm::Instruction>(base->getOperand(1))->getOperand(0), stride);
}

TEST_F(DestinationsTest, ValuesFromElsewhereStay) {
  parse("STORE0(<256 x float> %s, ptr %out, i64 %x, i64 -1)\n");
  const auto destinations = compute();
  ASSERT_EQ(destinations.size(), 1u);
  EXPECT_EQ(added_, 0u);
  EXPECT_EQ(destinations[0].base->getName(), "out");
  EXPECT_EQ(destinations[0].stride_bytes->getName(), "x");
}

TEST_F(DestinationsTest, CallsAreNotRepeated) {
  parse(
      "%n = call i64 @number()\n"
      "%i = mul i64 %x, %x\n"
      "%at = getelementptr i8, ptr %out, i64 %i\n"
      "STORE0(<256 x float> %s, ptr %at, i64 %n, i64 -1)\n");
  EXPECT_TRUE(compute().empty());
  EXPECT_EQ(added_, 0u);
}

}  // namespace
}  // namespace jit::coopmat

// SPDX-License-Identifier: Apache-2.0

// In which order the multiply-adds of a block, and what stands between them, come.
#include "jit/coopmat/product_order.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include <string>

#include "tests/jit/coopmat/jit_module.h"

namespace jit::coopmat {
namespace {

constexpr char kBefore[] = R"(
declare !tessera.matrix !{!"load", i32 4, i32 16, i32 16, i32 0} <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"muladd", i32 16, i32 16, i32 16, i32 4, i32 4, i32 4, i32 4, i32 0, i32 1} <256 x float> @tessera.matrix.muladd(<256 x float>, <256 x float>, <256 x float>) memory(none) nounwind willreturn
declare !tessera.function !{!"barrier"} void @tessera.barrier()
define void @f(ptr %a, ptr %b, ptr %c, <256 x float> %p, <256 x float> %q) {
)";

constexpr char kAfter[] = R"(
  ret void
}
)";

// The instructions of the function with this body in their new order: results by their names,
// barriers as '|', stores as '='.
std::string ordered(const std::string& body) {
  test::JitModule module(makeTarget(rt::Isa::Reference));
  module.parse(
      kBefore +
      test::withWords(body, {{"LOAD", "call <256 x float> @tessera.matrix.load.v256float.16.16.0"},
                             {"MULADD", "call <256 x float> @tessera.matrix.muladd"},
                             {"BARRIER", "call void @tessera.barrier()"}}) +
      kAfter);
  llvm::Function& function = *module.module().getFunction("f");
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  orderProducts(function, loops, dominators);
  std::string order;
  for (const llvm::Instruction& i : llvm::instructions(function)) {
    if (i.isTerminator()) continue;
    if (!order.empty()) order += ' ';
    order += i.hasName() ? i.getName().str() : llvm::isa<llvm::StoreInst>(i) ? "=" : "|";
  }
  return order;
}

TEST(ProductOrderTest, BarriersBehindProductsStayBehindThem) {
  EXPECT_EQ(ordered(R"(
  BARRIER
  %x = LOAD(ptr %a, i64 64, i64 -1)
  %y = LOAD(ptr %b, i64 64, i64 -1)
  %m = MULADD(<256 x float> %x, <256 x float> %y, <256 x float> %p)
  %n = MULADD(<256 x float> %y, <256 x float> %x, <256 x float> %q)
  BARRIER
  store float 1.0, ptr %a
  BARRIER)"),
            "| x y m n | = |");
}

TEST(ProductOrderTest, BarriersBehindSeveralStepsStayBehindTheLast) {
  EXPECT_EQ(ordered(R"(
  BARRIER
  %x = LOAD(ptr %a, i64 64, i64 -1)
  %m = MULADD(<256 x float> %x, <256 x float> %x, <256 x float> %p)
  %n = MULADD(<256 x float> %x, <256 x float> %x, <256 x float> %q)
  %y = LOAD(ptr %b, i64 64, i64 -1)
  %m2 = MULADD(<256 x float> %y, <256 x float> %y, <256 x float> %m)
  %n2 = MULADD(<256 x float> %y, <256 x float> %y, <256 x float> %n)
  BARRIER)"),
            "| x m n y m2 n2 |");
}

TEST(ProductOrderTest, BarriersBetweenStepsStayThere) {
  EXPECT_EQ(ordered(R"(
  %x = LOAD(ptr %a, i64 64, i64 -1)
  %m = MULADD(<256 x float> %x, <256 x float> %x, <256 x float> %p)
  %n = MULADD(<256 x float> %x, <256 x float> %x, <256 x float> %q)
  BARRIER
  %y = LOAD(ptr %b, i64 64, i64 -1)
  %m2 = MULADD(<256 x float> %y, <256 x float> %y, <256 x float> %m)
  %n2 = MULADD(<256 x float> %y, <256 x float> %y, <256 x float> %n)
  BARRIER)"),
            "x m n | y m2 n2 |");
}

TEST(ProductOrderTest, ProductsOfAStepComeTogetherBehindTheReadsOfAll) {
  EXPECT_EQ(ordered(R"(
  %x = LOAD(ptr %a, i64 64, i64 -1)
  %m = MULADD(<256 x float> %x, <256 x float> %x, <256 x float> %p)
  store float 1.0, ptr %c
  %y = LOAD(ptr %b, i64 64, i64 -1)
  %n = MULADD(<256 x float> %y, <256 x float> %y, <256 x float> %q)
  store float 2.0, ptr %c)"),
            "x = y m n =");
}

TEST(ProductOrderTest, ReadsBehindABarrierStayBehindIt) {
  EXPECT_EQ(ordered(R"(
  %x = LOAD(ptr %a, i64 64, i64 -1)
  %m = MULADD(<256 x float> %x, <256 x float> %x, <256 x float> %p)
  %n = MULADD(<256 x float> %x, <256 x float> %x, <256 x float> %q)
  BARRIER
  %r = load float, ptr %a
  store float %r, ptr %b
  BARRIER)"),
            "x m n | r = |");
}

}  // namespace
}  // namespace jit::coopmat

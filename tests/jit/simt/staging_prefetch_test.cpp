// SPDX-License-Identifier: Apache-2.0

// Which loads are prefetched for the next turn, and from where.
#include "jit/simt/staging_prefetch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/llvm/analyses.h"
#include "jit/llvm/codegen.h"
#include "tests/jit/llvm/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Sixteen bytes of the buffer at word `index` (i32), in a loop over %k, which grows by 5, and
// loops inside it over %row, with barriers or without.
std::string kernelText(const std::string& index, const std::string& access, bool barrier) {
  return R"(
    declare void @tessera.barrier()
    declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
    define void @kernel(ptr %dispatch, ptr %shared, i32 %x, i32 %y, i32 %z) {
    entry:
      %set = load ptr, ptr %dispatch, !invariant.load !0
      %buffer = load ptr, ptr %set, !invariant.load !0
      %local = alloca [1024 x i32]
      br label %turn
    turn:
      %k = phi i32 [ 0, %entry ], [ %k.next, %last ]
      br label %rows
    rows:
      %row = phi i32 [ 0, %turn ], [ %row.next, %rows ]
      %stride.at = getelementptr i8, ptr %dispatch, i64 8
      %stride = load i32, ptr %stride.at, !invariant.load !0
      )" +
         index +
         R"(
      %wide = zext i32 %index to i64
      )" +
         access +
         R"(
      store <4 x i32> %loaded, ptr %shared
      %row.next = add i32 %row, 1
      %more.rows = icmp ult i32 %row.next, 3
      br i1 %more.rows, label %rows, label %last
    last:
      )" +
         (barrier ? "call void @tessera.barrier()" : "") +
         R"(
      %k.next = add i32 %k, 5
      %more = icmp ult i32 %k.next, %z
      br i1 %more, label %turn, label %done
    done:
      ret void
    }
    !0 = !{}
  )";
}

constexpr char kLoad[] = R"(
      %at = getelementptr i32, ptr %buffer, i64 %wide
      %loaded = load <4 x i32>, ptr %at, align 4)";

// What is added to the loads' addresses, as text; "?" for each that is not constant.
std::vector<std::string> distances(const std::string& index, const std::string& access = kLoad,
                                   bool barrier = true) {
  auto machine = createTargetMachine(makeTarget(rt::hostIsa()));
  EXPECT_TRUE(bool(machine));
  IrModule module(kernelText(index, access, barrier));
  Analyses analyses(**machine);
  llvm::Function& function = *module->getFunction("kernel");
  const bool changed = prefetchStagedLoads(function, analyses.functions());
  EXPECT_EQ(module.complaints(), "") << module.text();
  std::vector<std::string> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != llvm::Intrinsic::prefetch) continue;
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(call->getArgOperand(0));
    auto* constant = address ? llvm::dyn_cast<llvm::ConstantInt>(address->getOperand(1)) : nullptr;
    found.push_back(constant ? std::to_string(constant->getSExtValue()) : "?");
  }
  EXPECT_EQ(changed, !found.empty());
  return found;
}

TEST(StagingPrefetch, RowsOfATileFurtherAlong) {
  EXPECT_THAT(distances(R"(%start = mul i32 %row, %stride
                           %index = add i32 %start, %k)"),
              ElementsAre("20"));
}

TEST(StagingPrefetch, RowsOfATileFurtherDown) {
  EXPECT_THAT(distances(R"(%line = add i32 %row, %k
                           %index = mul i32 %line, %stride)"),
              ElementsAre("?"));
}

TEST(StagingPrefetch, IndicesThatMayWrapAndMaskedLoads) {
  EXPECT_THAT(distances("%index = add i32 %row, %k", R"(
      %wraps = icmp ugt i32 %index, -4
      %signed = sext i32 %index to i64
      %either = select i1 %wraps, i64 %signed, i64 %wide
      %at = getelementptr i32, ptr %buffer, i64 %either
      %some = icmp ult <4 x i32> <i32 0, i32 1, i32 2, i32 3>, splat (i32 3)
      %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %at, i32 4, <4 x i1> %some,
                                                          <4 x i32> zeroinitializer))"),
              ElementsAre("20"));
}

TEST(StagingPrefetch, EachLineOfAWideLoad) {
  EXPECT_THAT(distances("%index = sub i32 %row, %k", R"(
      %at = getelementptr i32, ptr %buffer, i64 %wide
      %all = load <32 x i32>, ptr %at, align 4
      %loaded = shufflevector <32 x i32> %all, <32 x i32> poison, <4 x i32> zeroinitializer)"),
              ElementsAre("-20", "64"));
}

TEST(StagingPrefetch, NothingWithoutABarrier) {
  EXPECT_THAT(distances("%index = add i32 %row, %k", kLoad, false), IsEmpty());
}

TEST(StagingPrefetch, NothingThatStaysFromTurnToTurn) {
  EXPECT_THAT(distances("%index = mul i32 %row, %stride"), IsEmpty());
}

TEST(StagingPrefetch, NothingThatCannotBeTold) {
  EXPECT_THAT(distances("%index = mul i32 %k, %k"), IsEmpty());
  EXPECT_THAT(distances("%index = and i32 %k, 15"), IsEmpty());
  EXPECT_THAT(distances(R"(%link.at = getelementptr i32, ptr %buffer, i32 %k
                           %index = load i32, ptr %link.at)"),
              IsEmpty());
}

TEST(StagingPrefetch, NothingOfTheWorkgroupsOwnMemory) {
  for (const char* own : {"%shared", "%local"}) {
    EXPECT_THAT(distances("%index = add i32 %row, %k",
                          "%at = getelementptr i32, ptr " + std::string(own) + R"(, i64 %wide
                           %loaded = load <4 x i32>, ptr %at, align 4)"),
                IsEmpty())
        << own;
  }
}

}  // namespace
}  // namespace jit::simt

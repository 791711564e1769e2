// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/workgroup_order.h"

#include <gtest/gtest.h>

#include "jit/ir/kernel_facts.h"
#include "jit/pipeline/passes.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

// A subgroup function that accesses %memory.
std::string kernelThat(const char* accesses) {
  return std::string(R"(
      define internal void @subgroup(ptr %dispatch, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z,
                                     i32 %stream) !tessera.function !{!"subgroup"} {
        %memory = load ptr, ptr %dispatch
        )") +
         accesses + R"(
        ret void
      }
      !tessera.kernel = !{!0, !1}
      !0 = !{!"lanes", i64 32}
      !1 = !{!"streams", i64 8})";
}

bool canTellOrder(const char* accesses) {
  return simt::canTellOrder(*test::IrModule(kernelThat(accesses)));
}

TEST(WorkgroupOrder, IsSeenByAtomicAndVolatileAccesses) {
  EXPECT_TRUE(canTellOrder("%flag = load atomic i32, ptr %memory monotonic, align 4"));
  EXPECT_TRUE(canTellOrder("store atomic i32 1, ptr %memory release, align 4"));
  EXPECT_TRUE(canTellOrder("%old = atomicrmw add ptr %shared, i32 1 monotonic"));
  EXPECT_TRUE(canTellOrder("%old = cmpxchg ptr %memory, i32 0, i32 1 monotonic monotonic"));
  EXPECT_TRUE(canTellOrder("%flag = load volatile i32, ptr %memory"));
  EXPECT_TRUE(canTellOrder("store volatile i32 1, ptr %memory"));
  // As gathers and scatters of volatile memory are written.
  EXPECT_TRUE(canTellOrder("fence syncscope(\"singlethread\") seq_cst"));
}

TEST(WorkgroupOrder, IsNotSeenByOthers) {
  EXPECT_FALSE(canTellOrder(""));
  EXPECT_FALSE(canTellOrder("%word = load i32, ptr %memory\n store i32 %word, ptr %shared"));
  EXPECT_FALSE(canTellOrder("fence acq_rel"));
}

TEST(WorkgroupOrder, IsAFactOfTheKernel) {
  for (bool is_atomic : {false, true}) {
    auto text = runPassesOnText(
        kernelThat(is_atomic ? "%old = atomicrmw add ptr %memory, i32 1 monotonic" : ""),
        {"build-workgroup-kernel"}, makeTarget(rt::Isa::Reference));
    ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
    EXPECT_EQ(readFacts(*test::IrModule(*text)).is_unordered, !is_atomic);
  }
}

}  // namespace
}  // namespace jit

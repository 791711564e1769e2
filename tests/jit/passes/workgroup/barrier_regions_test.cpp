// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/barrier_regions.h"

#include <gtest/gtest.h>
#include <llvm/IR/Instructions.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

// A subgroup function with this body, run as a workgroup. Set 0 is %words; %out is %words plus
// four bytes for each subgroup before this one.
class Workgroup {
 public:
  Workgroup(const std::string& body, unsigned subgroups, KernelFrame frame = {})
      : module_(R"(
          declare !tessera.function !{!"barrier"} void @tessera.barrier()
          declare void @llvm.lifetime.start.p0(ptr)
          define internal void @subgroup(ptr %dispatch, ptr %shared, ptr %frame, i32 %x, i32 %y,
                                         i32 %z, i32 %subgroup) !tessera.function !{!"subgroup"} {
          entry:
            %words = load ptr, ptr %dispatch
            %out = getelementptr i32, ptr %words, i32 %subgroup
            %mine = getelementptr i32, ptr %shared, i32 %subgroup
        )" + body +
                "}") {
    auto built =
        buildWorkgroupKernel(*module_->getFunction("subgroup"), subgroups, false, frame, "main");
    if (!built) {
      ADD_FAILURE() << llvm::toString(built.takeError());
      return;
    }
    kernel_ = *built;
    text_ = module_.text();
    EXPECT_EQ(module_.complaints(), "") << text_;
  }

  // Words of set 0 after a run.
  std::vector<uint32_t> run(std::vector<uint32_t> words,
                            std::array<uint32_t, 3> workgroup = {0, 0, 0}) {
    if (!loaded_.entry) {
      auto loaded = module_.load("main");
      if (!loaded) {
        ADD_FAILURE() << llvm::toString(loaded.takeError());
        return {};
      }
      loaded_ = std::move(*loaded);
    }
    KernelMemory memory(words.size(), 4096, kernel_.scratch_bytes);
    memory.words = std::move(words);
    memory.run(loaded_, workgroup);
    EXPECT_TRUE(memory.guardsAreIntact());
    return memory.words;
  }

  const WorkgroupKernel& kernel() const { return kernel_; }
  const std::string& text() const { return text_; }
  // Stores of values of a type into frames.
  unsigned saves(const std::string& type) const {
    unsigned count = 0;
    for (size_t at = text_.find("store " + type + " "); at != std::string::npos;
         at = text_.find("store " + type + " ", at + 1)) {
      ++count;
    }
    return count;
  }

 private:
  IrModule module_;
  std::string text_;
  WorkgroupKernel kernel_{};
  LoadedKernel loaded_{};
};

using Words = std::vector<uint32_t>;

TEST(BarrierRegions, WithoutBarriersSubgroupsRunInOrder) {
  Workgroup workgroup(R"(
      %count = load i32, ptr %words
      %next = add i32 %count, 1
      store i32 %next, ptr %words
      %at = getelementptr i32, ptr %out, i32 1
      %v = add i32 %count, %y
      store i32 %v, ptr %at
      ret void)",
                      4);
  EXPECT_EQ(workgroup.kernel().barriers, 0u);
  EXPECT_EQ(workgroup.run({0, 0, 0, 0, 0}, {0, 10, 0}), (Words{4, 10, 11, 12, 13}));
}

TEST(BarrierRegions, OneSubgroupHasNoBarriers) {
  Workgroup workgroup(R"(
      call void @tessera.barrier()
      store i32 %x, ptr %out
      ret void)",
                      1);
  EXPECT_EQ(workgroup.kernel().barriers, 0u);
  EXPECT_EQ(workgroup.kernel().scratch_bytes, 0u);
  EXPECT_EQ(workgroup.run({0}, {9, 0, 0}), (Words{9}));
}

TEST(BarrierRegions, NeighboursSeeWhatWasWrittenBefore) {
  Workgroup workgroup(R"(
      %v = add i32 %subgroup, 1
      store i32 %v, ptr %mine
      call void @tessera.barrier()
      %n = add i32 %subgroup, 1
      %neighbour = urem i32 %n, 4
      %at = getelementptr i32, ptr %shared, i32 %neighbour
      %seen = load i32, ptr %at
      store i32 %seen, ptr %out
      ret void)",
                      4);
  EXPECT_EQ(workgroup.kernel().barriers, 1u);
  // Addresses are computed anew.
  EXPECT_EQ(workgroup.kernel().scratch_bytes, 0u);
  EXPECT_EQ(workgroup.run({0, 0, 0, 0}), (Words{2, 3, 4, 1}));
}

constexpr char kRotate[] = R"(
      %start = load i32, ptr %out
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %i1, %after ]
      %sum = phi i32 [ %start, %entry ], [ %sum1, %after ]
      store i32 %sum, ptr %mine
      call void @tessera.barrier()
      %n = add i32 %subgroup, 1
      %neighbour = urem i32 %n, 4
      %at = getelementptr i32, ptr %shared, i32 %neighbour
      %seen = load i32, ptr %at
      call void @tessera.barrier()
      br label %after
    after:
      %sum1 = add i32 %sum, %seen
      %i1 = add i32 %i, 1
      %more = icmp ult i32 %i1, 3
      br i1 %more, label %loop, label %done
    done:
      store i32 %sum1, ptr %out
      ret void)";

TEST(BarrierRegions, Loops) {
  Workgroup workgroup(kRotate, 4);
  EXPECT_EQ(workgroup.kernel().barriers, 2u);
  Words expected{1, 10, 100, 1000};
  for (int i = 0; i < 3; ++i) {
    Words before = expected;
    for (int s = 0; s < 4; ++s) expected[s] += before[(s + 1) % 4];
  }
  EXPECT_EQ(workgroup.run({1, 10, 100, 1000}), expected);
}

TEST(BarrierRegions, WhatIsInItsSlotIsNotSavedAgain) {
  Workgroup workgroup(R"(
      %v = load <16 x i32>, ptr %words, align 4
      call void @tessera.barrier()
      call void @tessera.barrier()
      call void @tessera.barrier()
      store <16 x i32> %v, ptr %words, align 4
      ret void)",
                      2);
  EXPECT_EQ(workgroup.saves("<16 x i32>"), 2u) << workgroup.text();
  EXPECT_EQ(workgroup.kernel().scratch_bytes, 2 * 64u);
}

TEST(BarrierRegions, SlotsAreShared) {
  Workgroup workgroup(R"(
      %a = load i32, ptr %out
      call void @tessera.barrier()
      %b = mul i32 %a, 3
      store i32 %b, ptr %out
      %c = load i32, ptr %out
      call void @tessera.barrier()
      %d = add i32 %c, 1
      store i32 %d, ptr %out
      ret void)",
                      2, [] {
                        KernelFrame frame;
                        frame.allocate(60, 4);
                        return frame;
                      }());
  EXPECT_EQ(workgroup.kernel().scratch_bytes, 2 * 64u);
  EXPECT_EQ(workgroup.run({5, 6}), (Words{16, 19}));
}

TEST(BarrierRegions, Conditions) {
  Workgroup workgroup(R"(
      %a = load i32, ptr %out
      %c = icmp ne i32 %x, 0
      br i1 %c, label %then, label %else
    then:
      %t = mul i32 %a, 2
      store i32 %t, ptr %mine
      call void @tessera.barrier()
      br label %merge
    else:
      %e = mul i32 %a, 5
      store i32 %e, ptr %mine
      br label %merge
    merge:
      %m = phi i32 [ %t, %then ], [ %e, %else ]
      call void @tessera.barrier()
      %o = xor i32 %subgroup, 1
      %at = getelementptr i32, ptr %shared, i32 %o
      %seen = load i32, ptr %at
      %r0 = add i32 %seen, %m
      %r = add i32 %r0, %a
      store i32 %r, ptr %out
      ret void)",
                      2);
  EXPECT_EQ(workgroup.run({1, 100}, {1, 0, 0}), (Words{203, 302}));
  EXPECT_EQ(workgroup.run({1, 100}, {0, 0, 0}), (Words{506, 605}));
}

TEST(BarrierRegions, SubgroupsThatReturnedCountAsArrived) {
  Workgroup workgroup(R"(
      %leaves = icmp eq i32 %subgroup, 1
      br i1 %leaves, label %gone, label %stay
    gone:
      store i32 77, ptr %out
      ret void
    stay:
      store i32 %subgroup, ptr %mine
      call void @tessera.barrier()
      %o = xor i32 %subgroup, 2
      %at = getelementptr i32, ptr %shared, i32 %o
      %seen = load i32, ptr %at
      store i32 %seen, ptr %out
      ret void)",
                      3);
  EXPECT_EQ(workgroup.run({9, 9, 9}), (Words{2, 77, 0}));
}

TEST(BarrierRegions, WideVectorsAndMasks) {
  Workgroup workgroup(R"(
      %at = getelementptr [256 x i32], ptr %words, i32 %subgroup
      %v = load <256 x i32>, ptr %at, align 4
      %mask = icmp sgt <256 x i32> %v, splat (i32 9)
      %first = extractelement <256 x i32> %v, i32 0
      store i32 %first, ptr %mine
      call void @tessera.barrier()
      %o = xor i32 %subgroup, 1
      %seen.at = getelementptr i32, ptr %shared, i32 %o
      %seen = load i32, ptr %seen.at
      %i = insertelement <256 x i32> poison, i32 %seen, i32 0
      %s = shufflevector <256 x i32> %i, <256 x i32> poison, <256 x i32> zeroinitializer
      %sum = add <256 x i32> %v, %s
      %r = select <256 x i1> %mask, <256 x i32> %sum, <256 x i32> zeroinitializer
      store <256 x i32> %r, ptr %at, align 4
      ret void)",
                      2);
  Words words(512);
  for (int i = 0; i < 512; ++i) words[i] = i * 7 % 23;
  words[0] = 1000;
  words[256] = 2000;
  Words expected(512);
  for (int i = 0; i < 512; ++i) {
    expected[i] = words[i] > 9 ? words[i] + (i < 256 ? 2000 : 1000) : 0;
  }
  EXPECT_EQ(workgroup.run(words), expected);
}

TEST(BarrierRegions, VariablesKeepTheirContents) {
  Workgroup workgroup(R"(
      %var = alloca [8 x i32], align 1024
      call void @llvm.lifetime.start.p0(ptr %var)
      %i = and i32 %x, 7
      %at = getelementptr i32, ptr %var, i32 %i
      %v = add i32 %subgroup, 40
      store i32 %v, ptr %at, align 1024
      call void @tessera.barrier()
      %kept = load i32, ptr %at, align 1024
      store i32 %kept, ptr %out
      ret void)",
                      3);
  EXPECT_EQ(workgroup.kernel().scratch_bytes, 3 * 64u);
  EXPECT_EQ(workgroup.run({0, 0, 0}, {5, 0, 0}), (Words{40, 41, 42}));
}

TEST(BarrierRegions, VariablesOfOneRegionStayOnTheStack) {
  Workgroup workgroup(R"(
      call void @tessera.barrier()
      br label %region
    region:
      %var = alloca [8 x i32]
      %i = and i32 %x, 7
      %at = getelementptr i32, ptr %var, i32 %i
      store i32 %subgroup, ptr %at
      %kept = load i32, ptr %at
      store i32 %kept, ptr %out
      call void @tessera.barrier()
      ret void)",
                      2);
  EXPECT_EQ(workgroup.kernel().scratch_bytes, 0u);
  EXPECT_EQ(workgroup.run({9, 9}), (Words{0, 1}));
}

TEST(BarrierRegions, LargeVariablesLiveInTheFrame) {
  Workgroup workgroup(R"(
      %var = alloca [100000 x i32]
      %at = getelementptr i32, ptr %var, i32 %x
      store i32 %subgroup, ptr %at
      %kept = load i32, ptr %at
      store i32 %kept, ptr %out
      ret void)",
                      2);
  EXPECT_EQ(workgroup.kernel().scratch_bytes, 400000u);
  EXPECT_EQ(workgroup.run({9, 9}, {99999, 0, 0}), (Words{0, 1}));
}

}  // namespace
}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

// That operations of wide streams which become loops compute what they did before, and which
// operations one loop may carry out.
#include "jit/passes/workgroup/lane_tiles.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/passes/access/contiguous_access.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

constexpr uint32_t kLanes = 128;
constexpr uint32_t kWords = 16 * kLanes;

// A kernel in which %words is the memory, %a and %b are its first vectors of 128 words, %mask tells
// odd ones among %a, and %at are places of the third vector, a permutation of them.
std::string kernel(const std::string& body) {
  std::string lanes;
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    lanes += (lane == 0 ? "i32 " : ", i32 ") + std::to_string((lane * 37 + 5) % kLanes);
  return R"(
      declare <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr>, i32, <128 x i1>, <128 x i32>)
      declare void @llvm.masked.scatter.v128i32.v128p0(<128 x i32>, <128 x ptr>, i32, <128 x i1>)
      declare <128 x i32> @llvm.umax.v128i32(<128 x i32>, <128 x i32>)
      define void @main(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
      entry:
        %words = load ptr, ptr %dispatch
        %b.at = getelementptr i32, ptr %words, i64 128
        %c.at = getelementptr i32, ptr %words, i64 256
        %d.at = getelementptr i32, ptr %words, i64 384
        %e.at = getelementptr i32, ptr %words, i64 512
        %a = load <128 x i32>, ptr %words, align 4
        %b = load <128 x i32>, ptr %b.at, align 4
        %odd = and <128 x i32> %a, splat (i32 1)
        %mask = icmp ne <128 x i32> %odd, zeroinitializer
        %at = getelementptr i32, ptr %c.at, <128 x i32> <)" +
         lanes + ">\n" + body + "}";
}

unsigned blocksOf(IrModule& module) { return unsigned(module->getFunction("main")->size()); }

// Runs the kernel as it is and with loops, which must be `rows` of them; `edges` that come from one
// of several ways and lead to where several come together get a block.
void expectTheSame(const std::string& text, unsigned rows, unsigned edges = 0) {
  IrModule plain(text), looped(text);
  const unsigned blocks = blocksOf(looped);
  EXPECT_EQ(loopOverLaneTiles(*looped->getFunction("main"), kLanes), rows != 0);
  EXPECT_EQ(looped.complaints(), "") << looped.text();
  EXPECT_EQ(blocksOf(looped), blocks + 3 * rows + edges) << looped.text();
  std::vector<uint32_t> before(kWords), results[2];
  for (uint32_t w = 0; w < kWords; ++w) before[w] = 0x9e3779b9u * (w + 1) >> 3;
  for (auto [module, result] : {std::pair{&plain, &results[0]}, {&looped, &results[1]}}) {
    auto loaded = module->load("main");
    ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
    KernelMemory memory(kWords, 0, 0);
    memory.words = before;
    memory.run(*loaded);
    *result = memory.words;
  }
  EXPECT_NE(results[0], before);
  EXPECT_EQ(results[0], results[1]);
}

// Constant pointers to what is no constant: an expression, whose elements cannot be asked for.
TEST(LaneTiles, ExpressionsAreOperands) {
  std::string table, places;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    table += (lane == 0 ? "i32 " : ", i32 ") + std::to_string(lane * 2654435761u);
    places += (lane == 0 ? "i64 " : ", i64 ") + std::to_string((lane * 29 + 3) % kLanes);
  }
  expectTheSame("@table = private constant [128 x i32] [" + table + "]\n" +
                    kernel(R"(
        %looked.up = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> getelementptr (i32, ptr @table, <128 x i64> <)" +
                           places + R"(>), i32 4, <128 x i1> %mask, <128 x i32> %b)
        %sum = add <128 x i32> %looked.up, %b
        %most = call <128 x i32> @llvm.umax.v128i32(<128 x i32> %sum, <128 x i32> %a)
        store <128 x i32> %most, ptr %c.at, align 4
        ret void)"),
                1);
}

TEST(LaneTiles, ComputeTheSame) {
  // Gathers, scatters, constants, scalars, bits, other widths, pointers, what is wanted outside.
  expectTheSame(kernel(R"(
        %gathered = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> %at, i32 4, <128 x i1> %mask, <128 x i32> %b)
        %head = insertelement <128 x i32> poison, i32 %x, i64 0
        %scalar = shufflevector <128 x i32> %head, <128 x i32> poison, <128 x i32> zeroinitializer
        %sum = add <128 x i32> %gathered, %scalar
        %most = call <128 x i32> @llvm.umax.v128i32(<128 x i32> %sum, <128 x i32> splat (i32 99))
        %bytes = trunc <128 x i32> %most to <128 x i8>
        %halves = uitofp <128 x i8> %bytes to <128 x half>
        %numbers = fpext <128 x half> %halves to <128 x float>
        %chosen = select <128 x i1> %mask, <128 x float> %numbers, <128 x float> splat (float 0.5)
        %words.again = bitcast <128 x float> %chosen to <128 x i32>
        call void @llvm.masked.scatter.v128i32.v128p0(<128 x i32> %words.again, <128 x ptr> %at, i32 4, <128 x i1> %mask)
        store <128 x i1> %mask, ptr %d.at, align 4
        store <128 x half> %halves, ptr %e.at, align 4
        ret void)"),
                1);
}

TEST(LaneTiles, ValuesGoThroughOtherBlocks) {
  expectTheSame(kernel(R"(
        br label %round
      round:
        %i = phi i32 [ 0, %entry ], [ %i.next, %round ]
        %sum = phi <128 x i32> [ %a, %entry ], [ %sum.next, %round ]
        %step = mul <128 x i32> %sum, splat (i32 5)
        %more.of = xor <128 x i32> %step, %b
        %shifted = lshr <128 x i32> %more.of, splat (i32 3)
        %sum.next = add <128 x i32> %shifted, %a
        %i.next = add i32 %i, 1
        %more = icmp ult i32 %i.next, 3
        br i1 %more, label %round, label %exit
      exit:
        %left = sub <128 x i32> %sum.next, %step
        %right = or <128 x i32> %left, %b
        %last = add <128 x i32> %right, %shifted
        store <128 x i32> %last, ptr %d.at, align 4
        ret void)"),
                3, 1);
}

// Three operations of `name`, which make a row.
std::string row(const std::string& name, const std::string& from, const std::string& other) {
  return "%" + name + ".1 = mul <128 x i32> %" + from + ", splat (i32 5)\n%" + name +
         ".2 = xor <128 x i32> %" + name + ".1, %" + other + "\n%" + name + " = add <128 x i32> %" +
         name + ".2, splat (i32 9)\n";
}

bool hasAfterwards(const std::string& text, const char* what) {
  IrModule module(text);
  loopOverLaneTiles(*module->getFunction("main"), kLanes);
  return module.text().find(what) != std::string::npos;
}

bool hasWidePhis(const std::string& text) { return hasAfterwards(text, "phi <128 x"); }

// Blocks may stand before those whose values they take.
TEST(LaneTiles, BlocksStandInAnyOrder) {
  expectTheSame(kernel(R"(
        br label %first
      second:
        %f = mul <128 x i32> %v, %b
        %g = xor <128 x i32> %f, %w
        %h = sub <128 x i32> %g, %a
        store <128 x i32> %h, ptr %d.at, align 4
        ret void
      first:
        %v = add <128 x i32> %a, %b
        %w = mul <128 x i32> %v, %a
        %u = xor <128 x i32> %w, %b
        store <128 x i32> %u, ptr %e.at, align 4
        br label %second
        )"),
                3);
}

// What is not wanted any more makes room for what is made of it.
TEST(LaneTiles, PhisShareMemory) {
  const std::string text = kernel(row("p", "a", "b") + R"(
        br label %round
      round:
        %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
        %sum = phi <128 x i32> [ %p, %entry ], [ %either, %latch ]
        %some = icmp eq i32 %i, 1
        br i1 %some, label %way, label %latch
      way:)" + row("changed", "sum", "b") +
                                  R"(
        br label %latch
      latch:
        %either = phi <128 x i32> [ %changed, %way ], [ %sum, %round ]
        %i.next = add i32 %i, 1
        %more = icmp ult i32 %i.next, 3
        br i1 %more, label %round, label %exit
      exit:)" + row("last", "either", "b") +
                                  R"(
        store <128 x i32> %last, ptr %d.at, align 4
        ret void)");
  expectTheSame(text, 3, 2);
  EXPECT_FALSE(hasWidePhis(text));
  EXPECT_FALSE(hasAfterwards(text, "call void @llvm.memcpy"));
}

// Two that change places at each iteration, one that stays, and one that takes what the first was.
TEST(LaneTiles, PhisChangePlacesInMemory) {
  const std::string text =
      kernel(row("p", "a", "b") + row("q", "b", "a") + R"(
        br label %round
      round:
        %i = phi i32 [ 0, %entry ], [ %i.next, %round ]
        %one = phi <128 x i32> [ %p, %entry ], [ %two, %round ]
        %two = phi <128 x i32> [ %q, %entry ], [ %one, %round ]
        %same = phi <128 x i32> [ %q, %entry ], [ %same, %round ]
        %late = phi <128 x i32> [ zeroinitializer, %entry ], [ %one, %round ]
        %sum = phi <128 x i32> [ undef, %entry ], [ %next, %round ])" +
             row("f", "one", "late") + row("g", "f", "two") + row("next", "g", "same") + R"(
        %i.next = add i32 %i, 1
        %more = icmp ult i32 %i.next, 5
        br i1 %more, label %round, label %exit
      exit:)" +
             row("last", "next", "late") + R"(
        store <128 x i32> %last, ptr %d.at, align 4
        ret void)");
  expectTheSame(text, 3, 1);
  EXPECT_FALSE(hasWidePhis(text));
}

// Phis of phis, from a loop inside and from one of two ways.
TEST(LaneTiles, PhisOfPhisInMemory) {
  const std::string text = kernel(row("p", "a", "b") + R"(
        br label %outer
      outer:
        %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
        %here = phi <128 x i32> [ %p, %entry ], [ %there, %latch ]
        br label %inner
      inner:
        %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
        %turned = phi <128 x i32> [ %here, %outer ], [ %turned.next, %inner ])" +
                                  row("turned.next", "turned", "here") + R"(
        %k.next = add i32 %k, 1
        %again = icmp ult i32 %k.next, 3
        br i1 %again, label %inner, label %middle
      middle:
        %some = icmp eq i32 %i, 1
        br i1 %some, label %way, label %latch
      way:)" + row("changed", "turned.next", "here") +
                                  R"(
        br label %latch
      latch:
        %there = phi <128 x i32> [ %changed, %way ], [ %turned, %middle ]
        %i.next = add i32 %i, 1
        %more = icmp ult i32 %i.next, 4
        br i1 %more, label %outer, label %exit
      exit:)" + row("last", "there", "here") +
                                  R"(
        store <128 x i32> %last, ptr %d.at, align 4
        ret void)");
  expectTheSame(text, 4, 3);
  EXPECT_FALSE(hasWidePhis(text));
}

TEST(LaneTiles, PhisThatAreWantedInRegistersStay) {
  const std::string text = kernel(row("p", "a", "b") + R"(
        br i1 %is, label %way, label %exit
      way:)" + row("q", "p", "a") +
                                  R"(
        br label %exit
      exit:
        %one = phi <128 x i32> [ %p, %entry ], [ %q, %way ]
        store <128 x i32> %one, ptr %d.at, align 4
        ret void)");
  std::string condition = text;
  condition.replace(condition.find("%odd ="), 0, "%is = icmp eq i32 %x, 0\n");
  expectTheSame(condition, 2);
  EXPECT_TRUE(hasWidePhis(condition));
}

// A load of the whole vector between a scatter and arithmetic that takes it: it must see what was
// scattered, by all lanes.
TEST(LaneTiles, OthersSeeWhatWasScattered) {
  expectTheSame(kernel(R"(
        %more = add <128 x i32> %a, %b
        call void @llvm.masked.scatter.v128i32.v128p0(<128 x i32> %more, <128 x ptr> %at, i32 4, <128 x i1> %mask)
        %all = load <128 x i32>, ptr %c.at, align 4
        %one = xor <128 x i32> %all, %a
        %two = mul <128 x i32> %one, %b
        %three = add <128 x i32> %two, %more
        store <128 x i32> %three, ptr %d.at, align 4
        ret void)"),
                2);
}

// A gather must not see what is stored after it.
TEST(LaneTiles, StoresWaitForGathers) {
  expectTheSame(kernel(R"(
        %first = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> %at, i32 4, <128 x i1> %mask, <128 x i32> %b)
        store <128 x i32> %a, ptr %c.at, align 4
        %second = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> %at, i32 4, <128 x i1> %mask, <128 x i32> %b)
        %one = sub <128 x i32> %first, %second
        %two = mul <128 x i32> %one, %b
        store <128 x i32> %two, ptr %d.at, align 4
        ret void)"),
                2);
}

TEST(LaneTiles, FewOperationsStay) {
  expectTheSame(kernel(R"(
        %turned = shufflevector <128 x i32> %a, <128 x i32> %b, <128 x i32> splat (i32 130)
        store <128 x i1> %mask, ptr %e.at, align 4
        %one = sub <128 x i32> %turned, %a
        %two = mul <128 x i32> %one, %b
        store <128 x i32> %two, ptr %d.at, align 4
        ret void)"),
                1);
}

// A place in memory that counts up does so in the loop too, also where another loop computes it:
// the scatter is a store of the lanes of an iteration.
TEST(LaneTiles, PlacesThatCountUp) {
  std::string counts;
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    counts += (lane == 0 ? "i32 " : ", i32 ") + std::to_string(lane);
  const std::string text = kernel(R"(
        %head = insertelement <128 x i32> poison, i32 %x, i64 0
        %scalar = shufflevector <128 x i32> %head, <128 x i32> poison, <128 x i32> zeroinitializer
        %lane = or disjoint <128 x i32> %scalar, <)" +
                                  counts + R"(>
        %same = icmp eq <128 x i32> %lane, %a
        %masks = xor <128 x i1> %mask, %same
        br label %more
      more:
        %sum = add <128 x i32> %a, %b
        %most = call <128 x i32> @llvm.umax.v128i32(<128 x i32> %sum, <128 x i32> %lane)
        %wide = zext nneg <128 x i32> %lane to <128 x i64>
        %place = getelementptr i32, ptr %d.at, <128 x i64> %wide
        call void @llvm.masked.scatter.v128i32.v128p0(<128 x i32> %most, <128 x ptr> %place, i32 4, <128 x i1> %masks)
        ret void)");
  expectTheSame(text, 2);
  IrModule module(text);
  llvm::Function& function = *module->getFunction("main");
  EXPECT_FALSE(coalesceContiguousAccesses(function, /*keeps_wide_scatters=*/true)) << module.text();
  EXPECT_TRUE(loopOverLaneTiles(function, kLanes));
  EXPECT_TRUE(coalesceContiguousAccesses(function, /*keeps_wide_scatters=*/false)) << module.text();
  EXPECT_NE(module.text().find("call void @llvm.masked.store.v32i32"), std::string::npos)
      << module.text();
}

TEST(LaneTiles, SubgroupsStay) {
  const std::string text = R"(
      define void @main(<64 x i32> %a, <64 x i32> %b) {
        %one = add <64 x i32> %a, %b
        %two = sub <64 x i32> %one, %b
        %three = mul <64 x i32> %two, %b
        %four = xor <64 x i32> %three, %b
        ret void
      })";
  IrModule module(text);
  EXPECT_FALSE(loopOverLaneTiles(*module->getFunction("main"), 64));
  EXPECT_FALSE(loopOverLaneTiles(*module->getFunction("main"), 256)) << "other vectors";
}

}  // namespace
}  // namespace jit::simt

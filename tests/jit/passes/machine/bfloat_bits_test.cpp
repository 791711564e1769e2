// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/bfloat_bits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/passes/machine/expand_small_floats.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using testing::HasSubstr;

bool isBfloat(const llvm::Value* v) { return v->getType()->getScalarType()->isBFloatTy(); }

// Instructions that take or give bfloat16.
int concerned(const llvm::Module& module) {
  int count = 0;
  for (const llvm::Function& function : module) {
    count +=
        isBfloat(&function) || llvm::any_of(function.args(), [](auto& a) { return isBfloat(&a); });
    for (const llvm::Instruction& i : llvm::instructions(function))
      count += isBfloat(&i) || llvm::any_of(i.operand_values(), isBfloat);
  }
  return count;
}

// Everything that moves values, of vectors and single ones, in loops and other blocks, and
// constants.
constexpr const char* kMoves = R"(
define internal void @moves(i1 %again, i1 %one, <8 x i1> %each, i32 %k, ptr %from, ptr %to) {
entry:
  %x = load <8 x bfloat>, ptr %from, align 2
  %s = load bfloat, ptr %to, align 2
  %w = load i16, ptr %to, align 2
  %b = bitcast i16 %w to bfloat
  br label %loop
loop:
  %p = phi <8 x bfloat> [ %x, %entry ], [ %q, %loop ]
  %q = phi <8 x bfloat> [ 
    <bfloat 0xR7F81, bfloat 0xR0001, bfloat poison, bfloat 0.0,
     bfloat 0.0, bfloat 0.0, bfloat 0.0, bfloat 1.0>, %entry ], [ %p, %loop ]
  %r = phi bfloat [ %s, %entry ], [ %t, %loop ]
  %chosen = select <8 x i1> %each, <8 x bfloat> %p, <8 x bfloat> zeroinitializer
  %all = select i1 %one, <8 x bfloat> %chosen, <8 x bfloat> %q
  %mixed = shufflevector <8 x bfloat> %all, <8 x bfloat> %x,
    <8 x i32> <i32 8, i32 1, i32 10, i32 3, i32 12, i32 5, i32 14, i32 7>
  %e = extractelement <8 x bfloat> %mixed, i32 %k
  %t = select i1 %one, bfloat %e, bfloat %r
  %v = insertelement <8 x bfloat> %mixed, bfloat %b, i32 %k
  %f = freeze <8 x bfloat> %v
  store <8 x bfloat> %f, ptr %to, align 2
  store bfloat %t, ptr %from, align 2
  store bfloat 0xRFF81, ptr %from, align 2
  %words = bitcast <8 x bfloat> %f to <4 x i32>
  store <4 x i32> %words, ptr %to, align 4
  br i1 %again, label %loop, label %end
end:
  store bfloat %r, ptr %to, align 2
  ret void
})";

TEST(BfloatBits, MovesAreOfIntegers) {
  IrModule module(kMoves);
  carryBfloatsAsBits(*module);
  EXPECT_EQ(module.complaints(), "");
  EXPECT_EQ(concerned(*module), 0) << module.text();
  EXPECT_THAT(module.text(),
              HasSubstr("<i16 32641, i16 1, i16 poison, i16 0, i16 0, i16 0, i16 0, i16 16256>"));
  EXPECT_THAT(module.text(), HasSubstr("store i16 -127, ptr %from"));
  EXPECT_THAT(module.text(), HasSubstr("phi i16 [ %s, %entry ], [ %t, %loop ]"));
  // A bitcast between what are integers of 16 bits now is none.
  EXPECT_THAT(module.text(), HasSubstr("insertelement <8 x i16> %mixed, i16 %w, i32 %k"));
}

TEST(BfloatBits, MaskedAccesses) {
  IrModule module(R"(
define void @f(<8 x i1> %mask, ptr %at, <8 x ptr> %each, <8 x bfloat> %otherwise) {
  %a = call <8 x bfloat> @llvm.masked.load.v8bf16.p0(
    ptr %at, i32 2, <8 x i1> %mask, <8 x bfloat> %otherwise)
  call void @llvm.masked.scatter.v8bf16.v8p0(
    <8 x bfloat> %a, <8 x ptr> %each, i32 2, <8 x i1> %mask)
  %b = call <8 x bfloat> @llvm.masked.gather.v8bf16.v8p0(
    <8 x ptr> %each, i32 2, <8 x i1> %mask, <8 x bfloat> zeroinitializer)
  call void @llvm.masked.store.v8bf16.p0(<8 x bfloat> %b, ptr %at, i32 2, <8 x i1> %mask)
  %low = call <4 x bfloat> @llvm.vector.extract.v4bf16.v8bf16(<8 x bfloat> %b, i64 4)
  store <4 x bfloat> %low, ptr %at, align 2
  ret void
})");
  carryBfloatsAsBits(*module);
  EXPECT_EQ(module.complaints(), "");
  for (const llvm::Instruction& i : llvm::instructions(*module->getFunction("f")))
    EXPECT_FALSE(isBfloat(&i)) << module.text();
  for (const char* access : {"masked.load.v8i16", "masked.store.v8i16", "masked.gather.v8i16",
                             "masked.scatter.v8i16", "vector.extract.v4i16"})
    EXPECT_THAT(module.text(), HasSubstr(access));
}

// What is computed keeps its type, with bitcasts around it, one for each value.
TEST(BfloatBits, ComputationsAreLeft) {
  IrModule module(R"(
define void @f(i1 %c, ptr %from, ptr %to) {
entry:
  %x = load <8 x bfloat>, ptr %from, align 2
  %y = fadd <8 x bfloat> %x, splat (bfloat 1.0)
  %z = fmul <8 x bfloat> %y, %x
  store <8 x bfloat> %z, ptr %to, align 2
  br i1 %c, label %other, label %end
other:
  store <8 x bfloat> %z, ptr %from, align 2
  br label %end
end:
  %p = phi <8 x bfloat> [ %z, %entry ], [ %x, %other ]
  store <8 x bfloat> %p, ptr %from, align 2
  ret void
})");
  carryBfloatsAsBits(*module);
  EXPECT_EQ(module.complaints(), "");
  int given = 0, taken = 0;
  for (const llvm::Instruction& i : llvm::instructions(*module->getFunction("f"))) {
    if (!llvm::isa<llvm::BitCastInst>(i)) continue;
    (isBfloat(&i) ? taken : given) += 1;
  }
  EXPECT_EQ(taken, 2) << module.text();  // x by fadd and by fmul
  EXPECT_EQ(given, 1) << module.text();  // z
  EXPECT_THAT(module.text(), HasSubstr("fmul <8 x bfloat> %y"));
}

TEST(BfloatBits, CallsPassIntegers) {
  IrModule module(R"(
define internal bfloat @second(i32 %n, bfloat %a, bfloat %b) alwaysinline {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %no
yes:
  ret bfloat %a
no:
  %r = call bfloat @second(i32 0, bfloat %b, bfloat %a)
  ret bfloat %r
}
define void @f(ptr %p) {
  %x = load bfloat, ptr %p, align 2
  %y = call bfloat @second(i32 1, bfloat %x, bfloat 0xR7F81)
  store bfloat %y, ptr %p, align 2
  ret void
})");
  carryBfloatsAsBits(*module);
  EXPECT_EQ(module.complaints(), "");
  EXPECT_EQ(concerned(*module), 0) << module.text();
  EXPECT_THAT(module.text(), HasSubstr("define internal i16 @second(i32 %n, i16 %a, i16 %b)"));
  EXPECT_THAT(module.text(), HasSubstr("call i16 @second(i32 1, i16 %x, i16 32641)"));
}

// Whatever the machine, code that computes, and moves what it computes, has no single bfloat16.
TEST(BfloatBits, NothingIsLeftToTheCodeGenerator) {
  for (bool rounds : {false, true}) {
    IrModule module(R"(
define void @f(i1 %c, ptr %from, ptr %to, float %f) {
entry:
  %x = load bfloat, ptr %from, align 2
  %w = fpext bfloat %x to float
  store float %w, ptr %to, align 4
  %n = fptrunc float %f to bfloat
  br i1 %c, label %other, label %end
other:
  %s = fadd bfloat %x, %n
  %l = fcmp olt bfloat %s, %x
  %m = fneg bfloat %s
  %o = select i1 %l, bfloat %m, bfloat %s
  br label %end
end:
  %p = phi bfloat [ %n, %entry ], [ %o, %other ]
  store bfloat %p, ptr %from, align 2
  ret void
})");
    expandBfloats(*module, rounds);
    EXPECT_EQ(module.complaints(), "");
    carryBfloatsAsBits(*module);
    EXPECT_EQ(module.complaints(), "");
    int vectors = 0;
    for (const llvm::Instruction& i : llvm::instructions(*module->getFunction("f"))) {
      EXPECT_FALSE(i.getType()->isBFloatTy()) << module.text();
      vectors += isBfloat(&i);
    }
    EXPECT_EQ(vectors, rounds ? 2 : 0) << module.text();
  }
}

// 128 of them, each handed on to the next iteration of a loop and computed with; then eight,
// frozen, under a mask.
TEST(BfloatBits, MachineCodeKeepsThem) {
  constexpr uint32_t kCount = 128;
  for (const rt::Isa isa : {rt::Isa::Reference, rt::Isa::Avx2, rt::Isa::Avx512}) {
    if (isa > rt::hostIsa()) continue;
    const Target target = makeTarget(isa);
    IrModule module(R"(
declare <8 x bfloat> @llvm.masked.load.v8bf16.p0(ptr, i32, <8 x i1>, <8 x bfloat>)
define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
entry:
  %words = load ptr, ptr %dispatch
  %results = getelementptr i8, ptr %words, i64 256
  %numbers = getelementptr i8, ptr %words, i64 512
  %others = getelementptr i8, ptr %words, i64 1024
  %first = load bfloat, ptr %words, align 2
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %last = phi bfloat [ %first, %entry ], [ %now, %loop ]
  %from = getelementptr bfloat, ptr %words, i64 %i
  %now = load bfloat, ptr %from, align 2
  %to = getelementptr bfloat, ptr %results, i64 %i
  store bfloat %last, ptr %to, align 2
  %number = fpext bfloat %last to float
  %there = getelementptr float, ptr %numbers, i64 %i
  store float %number, ptr %there, align 4
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 128
  br i1 %again, label %loop, label %exit
exit:
  %mask = trunc <8 x i32> <i32 1, i32 0, i32 1, i32 1, i32 0, i32 0, i32 1, i32 0> to <8 x i1>
  %some = call <8 x bfloat> @llvm.masked.load.v8bf16.p0(
    ptr %words, i32 2, <8 x i1> %mask, <8 x bfloat> splat (bfloat 0xRFF81))
  %frozen = freeze <8 x bfloat> %some
  %all = insertelement <8 x bfloat> %frozen, bfloat %now, i32 1
  store <8 x bfloat> %all, ptr %others, align 2
  ret void
})");
    expandBfloats(*module, target.features.avx512_bf16);
    carryBfloatsAsBits(*module);
    ASSERT_EQ(module.complaints(), "") << module.text();
    auto kernel = module.load("kernel", target);
    ASSERT_TRUE(bool(kernel));
    test::KernelMemory memory(300, 0, 0);
    auto* halves = reinterpret_cast<uint16_t*>(memory.words.data());
    // Signalling NaNs and subnormals.
    for (uint32_t i = 0; i < kCount; ++i) halves[i] = i % 2 ? 0x7f81 + i / 2 : 0x8001 + i / 2;
    memory.run(*kernel);
    for (uint32_t i = 0; i < kCount; ++i) {
      const uint16_t last = halves[i == 0 ? 0 : i - 1];
      ASSERT_EQ(halves[kCount + i], last) << i << " on " << rt::isaName(isa);
      ASSERT_EQ(memory.words[kCount + i], uint32_t{last} << 16) << i;
    }
    const uint16_t others[] = {halves[0], halves[kCount - 1], halves[2], halves[3], 0xff81,
                               0xff81,    halves[6],          0xff81};
    for (uint32_t i = 0; i < 8; ++i) ASSERT_EQ(halves[512 + i], others[i]) << i;
  }
}

}  // namespace
}  // namespace jit

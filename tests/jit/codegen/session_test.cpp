// SPDX-License-Identifier: Apache-2.0

#include "jit/codegen/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Target/TargetMachine.h>

#include <bit>
#include <cmath>

#include "jit/base/containment.h"
#include "jit/codegen/codegen.h"
#include "tests/jit/ir/ir_kernel.h"
#include "tests/support/sanitizer.h"

namespace jit {
namespace {

using test::IrModule;
using test::KernelMemory;

// A kernel of this body in which %words is the memory of set 0.
std::string kernelText(const std::string& body) {
  return R"(
    declare float @llvm.sin.f32(float)
    declare void @getenv(ptr)
    declare <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float>, <32 x bfloat>,
                                                           <32 x bfloat>)
    define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
      %words = load ptr, ptr %dispatch
    )" + body +
         "}";
}

TEST(Session, CodeCallsTheCLibraryWhereInstructionsLack) {
  for (rt::Isa isa : {rt::Isa::Reference, rt::hostIsa()}) {
    IrModule module(kernelText(R"(
      %v = load float, ptr %words
      %s = frem float %v, 2.0
      %h = fptrunc float %s to half
      %f = fpext half %h to float
      store float %f, ptr %words
      ret void)"));
    auto kernel = module.load("kernel", makeTarget(isa));
    ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
    KernelMemory memory(1, 0, 0);
    memory.words[0] = std::bit_cast<uint32_t>(5.5f);
    memory.run(*kernel);
    EXPECT_EQ(std::bit_cast<float>(memory.words[0]), 1.5f);
  }
}

TEST(Session, NothingOfTheProcessCanBeCalled) {
  IrModule module(kernelText("call void @getenv(ptr %words)\n ret void"));
  auto kernel = module.load("kernel");
  ASSERT_FALSE(bool(kernel));
  EXPECT_THAT(llvm::toString(kernel.takeError()), testing::HasSubstr("getenv"));
}

TEST(Session, MissingEntry) {
  IrModule module(kernelText("ret void"));
  auto kernel = module.load("other");
  ASSERT_FALSE(bool(kernel));
  EXPECT_THAT(llvm::toString(kernel.takeError()), testing::HasSubstr("other"));
}

// All that LLVM leaves of a kernel whose code it takes for undefined.
TEST(Session, AnEntryWithoutCodeIsRefused) {
  IrModule module(kernelText("unreachable"));
  auto kernel = module.load("kernel");
  ASSERT_FALSE(bool(kernel));
  EXPECT_THAT(llvm::toString(kernel.takeError()), testing::HasSubstr("empty"));
}

TEST(Session, CodeOutlivesIt) {
  auto session = Session::create();
  ASSERT_TRUE(bool(session));
  IrModule module(kernelText("store i32 42, ptr %words\n ret void"));
  auto machine = createTargetMachine(makeTarget(rt::hostIsa()));
  ASSERT_TRUE(bool(machine));
  auto object = generateObject(*module, **machine);
  ASSERT_TRUE(bool(object));
  auto kernel = (*session)->load(*object, "kernel");
  ASSERT_TRUE(bool(kernel));
  session->reset();
  KernelMemory memory(1, 0, 0);
  memory.run(*kernel);
  EXPECT_EQ(memory.words[0], 42u);
}

// An instruction that the target lacks: LLVM's code generator gives up, the process does not.
TEST(Session, InstructionsAboveTheCeilingAreAnError) {
  static auto* const module = new IrModule(kernelText(R"(
      %c = load <16 x float>, ptr %words
      %a = load <32 x bfloat>, ptr %words
      %r = call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %c,
                                                               <32 x bfloat> %a, <32 x bfloat> %a)
      store <16 x float> %r, ptr %words
      ret void)"));
  llvm::Error error = runContained([&]() -> llvm::Error {
    leaveMemoryBehind();
    auto kernel = module->load("kernel", makeTarget(rt::Isa::Reference));
    return kernel ? llvm::Error::success() : kernel.takeError();
  });
  ASSERT_TRUE(bool(error));
  EXPECT_THAT(llvm::toString(std::move(error)), testing::HasSubstr("LLVM gave up"));
}

TEST(Target, CodeStaysUnderTheCeiling) {
  const std::string text = kernelText(R"(
      %v = load <16 x float>, ptr %words, align 4
      %w = fadd <16 x float> %v, %v
      store <16 x float> %w, ptr %words, align 4
      ret void)");
  auto assembly = [&](rt::Isa isa) {
    IrModule module(text);
    Target target = makeTarget(isa);
    setTargetAttributes(*module, target);
    return llvm::cantFail(generateAssembly(*module, target));
  };
  std::string reference = assembly(rt::Isa::Reference);
  EXPECT_THAT(reference, testing::HasSubstr("addps"));
  EXPECT_THAT(reference, testing::Not(testing::HasSubstr("vaddps")));
  if (rt::hostIsa() >= rt::Isa::Avx2) {
    std::string avx2 = assembly(rt::Isa::Avx2);
    EXPECT_THAT(avx2, testing::HasSubstr("ymm"));
    EXPECT_THAT(avx2, testing::Not(testing::HasSubstr("zmm")));
  }
  if (rt::hostIsa() >= rt::Isa::Avx512) {
    EXPECT_THAT(assembly(rt::Isa::Avx512), testing::HasSubstr("zmm"));
  }
}

}  // namespace
}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/expand_halves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "tests/jit/llvm/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

struct Operation {
  const char* text;  // of %a, %b: T, %f: F, %n: N; $ stands for a suffix of intrinsics' names
  const char* type;  // of the result
};

constexpr Operation kOperations[] = {
    {"fadd T %a, %b", "T"},
    {"fsub T %a, %b", "T"},
    {"fmul contract T %a, %a", "T"},
    {"fdiv T %a, %b", "T"},
    {"fneg T %a", "T"},
    {"fcmp olt T %a, %b", "M"},
    {"fpext T %a to F", "F"},
    {"fptrunc F %f to T", "T"},
    {"sitofp N %n to T", "T"},
    {"uitofp N %n to T", "T"},
    {"fptosi T %a to N", "N"},
    {"fptoui T %a to N", "N"},
    {"call T @llvm.fabs.$f16(T %a)", "T"},
    {"call T @llvm.copysign.$f16(T %a, T %b)", "T"},
    {"call T @llvm.fma.$f16(T %a, T %b, T %a)", "T"},
    {"call T @llvm.sqrt.$f16(T %a)", "T"},
    {"call T @llvm.floor.$f16(T %a)", "T"},
    {"call T @llvm.ceil.$f16(T %a)", "T"},
    {"call T @llvm.trunc.$f16(T %a)", "T"},
    {"call T @llvm.rint.$f16(T %a)", "T"},
    {"call T @llvm.nearbyint.$f16(T %a)", "T"},
    {"call T @llvm.roundeven.$f16(T %a)", "T"},
    {"call T @llvm.minnum.$f16(T %a, T %b)", "T"},
    {"call T @llvm.maxnum.$f16(T %a, T %b)", "T"},
    {"call N @llvm.fptosi.sat.$i32.$f16(T %a)", "N"},
    {"call N @llvm.fptoui.sat.$i32.$f16(T %a)", "N"},
};

// A function that returns the operation's result, of vectors with so many elements, or of scalars.
std::string functionOf(const Operation& operation, unsigned elements) {
  auto shaped = [&](const std::string& scalar) {
    return elements == 0 ? scalar : "<" + std::to_string(elements) + " x " + scalar + ">";
  };
  std::string text = std::string("define R @f(T %a, T %b, F %f, N %n) {\n  %r = ") +
                     operation.text + "\n  ret R %r\n}\n";
  std::string result;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k] == 'R' ? operation.type[0] : text[k];
    switch (c) {
      case 'T':
        result += shaped("half");
        break;
      case 'F':
        result += shaped("float");
        break;
      case 'N':
        result += shaped("i32");
        break;
      case 'M':
        result += shaped("i1");
        break;
      case '$':
        if (elements != 0) result += "v" + std::to_string(elements);
        break;
      default:
        result += c;
    }
  }
  const size_t intrinsic = result.find("call ");
  if (intrinsic == std::string::npos) return result;
  const std::string call =
      result.substr(intrinsic + 5, result.find('\n', intrinsic) - intrinsic - 5);
  std::string declaration = "declare ";
  for (size_t k = 0; k < call.size(); ++k) {
    if (call[k] == '%')
      k += 1;  // parameters of declarations have no names
    else
      declaration += call[k];
  }
  return declaration + "\n" + result;
}

// What computes with halves, and does not only move them.
bool computesWithHalves(const llvm::Instruction& i) {
  auto is_half = [](const llvm::Type* type) { return type->getScalarType()->isHalfTy(); };
  if (!is_half(i.getType()) &&
      llvm::none_of(i.operands(), [&](const llvm::Use& u) { return is_half(u->getType()); }))
    return false;
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (call && call->getCalledFunction()->getName().starts_with("tessera.")) return false;
  return !llvm::isa<llvm::BitCastInst, llvm::ShuffleVectorInst, llvm::ReturnInst>(i);
}

TEST(ExpandHalves, NothingIsLeftToLlvm) {
  for (const Operation& operation : kOperations) {
    for (unsigned elements : {0u, 2u, 16u, 32u, 40u}) {
      IrModule module(functionOf(operation, elements));
      expandHalves(*module);
      EXPECT_EQ(module.complaints(), "") << operation.text;
      for (const llvm::Function& function : *module) {
        for (const llvm::Instruction& i : llvm::instructions(function))
          EXPECT_FALSE(computesWithHalves(i)) << operation.text << "\n" << module.text();
      }
    }
  }
}

TEST(ExpandHalves, OneConversionOfAValueInABlock) {
  IrModule module(R"(
    define half @f(half %a) {
      %b = fmul half %a, %a
      %c = fadd half %b, %a
      %d = fadd half %c, 0xH3800
      ret half %d
    })");
  expandHalves(*module);
  EXPECT_EQ(module.complaints(), "");
  size_t widened = 0;
  for (const llvm::Instruction& i : llvm::instructions(*module->getFunction("f"))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
    widened += call && call->getCalledFunction()->getName() == "tessera.half_to_float";
  }
  EXPECT_EQ(widened, 3u) << module.text();  // of a, b and c
}

TEST(ExpandHalves, OtherFormatsStay) {
  IrModule module(R"(
    define float @f(float %a, bfloat %b, double %d) {
      %w = fpext bfloat %b to float
      %n = fptrunc double %d to float
      %s = fadd float %w, %n
      %r = fmul float %s, %a
      ret float %r
    })");
  const std::string before = module.text();
  expandHalves(*module);
  EXPECT_EQ(module.text(), before);
}

}  // namespace
}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/expand_small_floats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/ir/function_kind.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

struct Operation {
  // Of %a, %b: T, %f: F, %n: N; $ and # stand for T and N in intrinsics' names.
  const char* text;
  const char* type;  // of the result
};

struct Format {
  const char *type, *suffix;
  void (*expand)(llvm::Module&);
  llvm::Type* (*of)(llvm::LLVMContext&);
};

constexpr Format kFormats[] = {
    {"half", "f16", expandHalves, llvm::Type::getHalfTy},
    {"bfloat", "bf16", [](llvm::Module& module) { expandBfloats(module, false); },
     llvm::Type::getBFloatTy},
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
    {"call T @llvm.fabs.$(T %a)", "T"},
    {"call T @llvm.copysign.$(T %a, T %b)", "T"},
    {"call T @llvm.fma.$(T %a, T %b, T %a)", "T"},
    {"call T @llvm.sqrt.$(T %a)", "T"},
    {"call T @llvm.floor.$(T %a)", "T"},
    {"call T @llvm.ceil.$(T %a)", "T"},
    {"call T @llvm.trunc.$(T %a)", "T"},
    {"call T @llvm.rint.$(T %a)", "T"},
    {"call T @llvm.nearbyint.$(T %a)", "T"},
    {"call T @llvm.roundeven.$(T %a)", "T"},
    {"call T @llvm.minnum.$(T %a, T %b)", "T"},
    {"call T @llvm.maxnum.$(T %a, T %b)", "T"},
    {"call N @llvm.fptosi.sat.#.$(T %a)", "N"},
    {"call N @llvm.fptoui.sat.#.$(T %a)", "N"},
};

// A function that returns the operation's result, of vectors with so many elements, or of scalars.
std::string functionOf(const Format& format, const Operation& operation, unsigned elements) {
  auto shaped = [&](const std::string& scalar) {
    return elements == 0 ? scalar : "<" + std::to_string(elements) + " x " + scalar + ">";
  };
  const std::string vector = elements == 0 ? "" : "v" + std::to_string(elements);
  std::string text = std::string("define R @f(T %a, T %b, F %f, N %n) {\n  %r = ") +
                     operation.text + "\n  ret R %r\n}\n";
  std::string result;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k] == 'R' ? operation.type[0] : text[k];
    switch (c) {
      case 'T':
        result += shaped(format.type);
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
        result += vector + format.suffix;
        break;
      case '#':
        result += vector + "i32";
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

// What computes with floats of this format, and does not only move them.
bool computes(const llvm::Instruction& i, const Format& format) {
  llvm::Type* scalar = format.of(i.getContext());
  auto is_of_it = [&](const llvm::Value* v) { return v->getType()->getScalarType() == scalar; };
  if (!is_of_it(&i) && llvm::none_of(i.operand_values(), is_of_it)) return false;
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (call && kindOf(*call->getCalledFunction())) return false;
  return !llvm::isa<llvm::BitCastInst, llvm::ShuffleVectorInst, llvm::ReturnInst>(i);
}

TEST(ExpandSmallFloats, NothingIsLeftToLlvm) {
  for (const Format& format : kFormats) {
    for (const Operation& operation : kOperations) {
      for (unsigned elements : {0u, 2u, 16u, 32u, 40u}) {
        IrModule module(functionOf(format, operation, elements));
        format.expand(*module);
        EXPECT_EQ(module.complaints(), "") << operation.text;
        for (const llvm::Function& function : *module) {
          for (const llvm::Instruction& i : llvm::instructions(function))
            EXPECT_FALSE(computes(i, format)) << operation.text << "\n" << module.text();
        }
      }
    }
  }
}

// The machine's instruction rounds vectors; a single number is made one.
TEST(ExpandBfloats, VectorsAreRoundedByTheInstruction) {
  IrModule module(R"(
    define void @f(float %x, <8 x float> %y, ptr %p) {
      %a = fptrunc float %x to bfloat
      %b = fptrunc <8 x float> %y to <8 x bfloat>
      %c = fadd <8 x bfloat> %b, splat (bfloat 1.0)
      store bfloat %a, ptr %p
      store <8 x bfloat> %c, ptr %p
      ret void
    })");
  expandBfloats(*module, true);
  EXPECT_EQ(module.complaints(), "");
  int roundings = 0;
  for (const llvm::Instruction& i : llvm::instructions(*module->getFunction("f"))) {
    EXPECT_FALSE(llvm::isa<llvm::FPExtInst>(i)) << module.text();
    if (!llvm::isa<llvm::FPTruncInst>(i)) continue;
    EXPECT_TRUE(i.getType()->isVectorTy()) << module.text();
    roundings += 1;
  }
  EXPECT_EQ(roundings, 3) << module.text();
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
    widened += call && kindOf(*call->getCalledFunction()) == FunctionKind::HalfToFloat;
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

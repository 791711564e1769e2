// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_function.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <string>

#include "jit/ir/helper_function.h"

namespace jit::simt {
namespace {

// Calls that are inlined.
constexpr unsigned kMostInlined = 4;

// Floats below 32 bits go as integers: not every machine has registers for them.
llvm::Type* passedType(llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  if (!type->isFPOrFPVectorTy() || bits >= 32) return type;
  return type->getWithNewType(llvm::Type::getIntNTy(type->getContext(), bits));
}

// What depends on where `key` is wanted.
FunctionKey withTypes(FunctionKey key, const SimtBuilder& simt, const llvm::Value& v) {
  const llvm::FastMathFlags flags = simt.ir.getFastMathFlags();
  std::string text;
  llvm::raw_string_ostream out(text);
  out << *v.getType();
  flags.print(out);
  key.add({flags.allowReassoc(), flags.noNaNs(), flags.noInfs(), flags.noSignedZeros(),
           flags.allowReciprocal(), flags.allowContract(), flags.approxFunc()},
          "");
  return key.add(v.getType(), text);
}

}  // namespace

llvm::Value* callLaneFunction(SimtBuilder& simt, const FunctionKey& what, llvm::Value* v,
                              llvm::Type* result,
                              llvm::function_ref<llvm::Value*(SimtBuilder&, llvm::Value*)> emit) {
  llvm::Module& module = *simt.ir.GetInsertBlock()->getModule();
  const FunctionKey key = withTypes(what, simt, *v);
  llvm::Function* function = findFunction(module, key);
  if (function == nullptr) {
    auto* type =
        llvm::FunctionType::get(passedType(result), {passedType(v->getType())}, /*isVarArg=*/false);
    function = ukernel::createHelperFunction({module, *simt.ir.GetInsertBlock()->getParent()}, key,
                                             type, llvm::MemoryEffects::none());
    SimtBuilder inside(module.getContext(), simt.width);
    inside.ir.SetInsertPoint(&function->getEntryBlock());
    inside.ir.setFastMathFlags(simt.ir.getFastMathFlags());
    llvm::Value* passed = inside.ir.CreateBitCast(function->getArg(0), v->getType());
    inside.ir.CreateRet(inside.ir.CreateBitCast(emit(inside, passed), passedType(result)));
  }
  llvm::Value* passed = simt.ir.CreateBitCast(v, function->getArg(0)->getType());
  return simt.ir.CreateBitCast(simt.ir.CreateCall(function, {passed}), result);
}

void inlineLaneFunctions(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (kindOf(function) != FunctionKind::Lanes) continue;
    if (function.getNumUses() > kMostInlined) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*llvm::cast<llvm::CallInst>(user), info);
    }
    function.eraseFromParent();
  }
}

}  // namespace jit::simt

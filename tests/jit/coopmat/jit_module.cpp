// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/coopmat/jit_module.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "jit/base/diagnostics.h"
#include "jit/codegen/codegen.h"
#include "jit/codegen/session.h"
#include "jit/coopmat/k_loop.h"
#include "jit/coopmat/lower.h"
#include "jit/coopmat/stage_unrolling.h"
#include "jit/passes/machine/tile_unit.h"
#include "jit/pipeline/analyses.h"
#include "runtime/tile_permission.h"

namespace jit::test {
namespace {

Session& session() {
  static std::unique_ptr<Session> session = llvm::cantFail(Session::create());
  return *session;
}

}  // namespace

std::string withWords(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [word, replacement] : words) {
    for (size_t at; (at = text.find(word)) != std::string::npos;)
      text.replace(at, word.size(), replacement);
  }
  return text;
}

JitModule::JitModule(const Target& target)
    : target_(target), machine_(llvm::cantFail(createTargetMachine(target))) {
  containDiagnostics(context_);
  module_ = std::make_unique<llvm::Module>("test", context_);
  setDataLayout(*module_, *machine_);
}

JitModule::~JitModule() = default;

llvm::Function* JitModule::subgroupFunction(const std::string& name) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(context_);
  llvm::Type* i32 = llvm::Type::getInt32Ty(context_);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context_),
                                       {ptr, ptr, ptr, i32, i32, i32, i32}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, *module_);
  setKey(*function, FunctionKey(FunctionKind::Subgroup));
  return function;
}

void JitModule::parse(const std::string& assembly) {
  llvm::SMDiagnostic diagnostic;
  module_ = llvm::parseAssemblyString(assembly, diagnostic, context_);
  if (!module_) {
    diagnostic.print("test", llvm::errs());
    std::abort();
  }
  setDataLayout(*module_, *machine_);
}

bool JitModule::hasFunction(FunctionKind kind) const {
  return llvm::any_of(*module_, [&](auto& function) { return kindOf(function) == kind; });
}

bool JitModule::unrollStages(llvm::Function& function) {
  Analyses analyses(*machine_);
  const bool changed = coopmat::unrollStages(function, target_, analyses.functions());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  if (changed) passes.run(function, analyses.functions());
  return changed;
}

bool JitModule::schedule(llvm::Function& function) {
  Analyses analyses(*machine_);
  return coopmat::runKLoopScheduling(function, target_, frame, analyses.functions());
}

std::string JitModule::lower() {
  if (llvm::Error error = coopmat::lowerMatrixOperations(*module_, target_, frame, 0)) {
    return llvm::toString(std::move(error));
  }
  return {};
}

void* JitModule::compile(const std::string& entry) {
  setTargetAttributes(*module_, target_);
  Analyses analyses(*machine_);
  for (llvm::Function& function : *module_) {
    if (function.isDeclaration()) continue;
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::InstCombinePass(
        llvm::InstCombineOptions().setMaxIterations(1).setVerifyFixpoint(false)));
    passes.addPass(llvm::SimplifyCFGPass());
    passes.run(function, analyses.functions());
  }
  if (target_.emulates_tiles)
    emulateTiles(*module_);
  else if (configureTiles(*module_->getFunction(entry)) && !rt::tilePermission().granted())
    llvm::report_fatal_error(rt::describeRefusal(rt::tilePermission()).c_str());
  if (llvm::verifyModule(*module_, &llvm::errs())) std::abort();
  auto object = llvm::cantFail(generateObject(*module_, *machine_));
  LoadedKernel loaded = llvm::cantFail(session().load(object, entry));
  code_ = loaded.code;
  return reinterpret_cast<void*>(loaded.entry);
}

}  // namespace jit::test

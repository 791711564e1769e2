// SPDX-License-Identifier: Apache-2.0

#include "jit/codegen/codegen.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <mutex>

#include "jit/base/containment.h"
#include "jit/base/diagnostics.h"
#include "jit/base/error.h"
#include "jit/ir/helper_function.h"

namespace jit {
namespace {

constexpr llvm::StringLiteral kTriple = "x86_64-unknown-linux-gnu";

// What LLVM's code generation begins with, for the client's code only: the loops of helper
// functions walk pointers as they are, and this takes a tenth of the time that compiling them does.
void reduceLoopStrength(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::legacy::FunctionPassManager passes(&module);
  passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  passes.add(llvm::createCanonicalizeFreezeInLoopsPass());
  passes.add(llvm::createLoopStrengthReducePass());
  passes.doInitialization();
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && !ukernel::isHelperFunction(function)) passes.run(function);
  }
  passes.doFinalization();
}

llvm::Error emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType type,
                 llvm::raw_pwrite_stream& stream) {
  reduceLoopStrength(module, machine);
  llvm::legacy::PassManager passes;
  // No function of the C library is known to be there; jit/ir/symbols.def has those that
  // instructions become.
  llvm::TargetLibraryInfoImpl library{llvm::Triple(module.getTargetTriple())};
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type)) {
    return internal("this LLVM cannot write the kind of file asked for");
  }
  passes.run(module);
  return takeDiagnostics(module.getContext());
}

// An option that LLVM offers on command lines only. The copy of LLVM is this library's own.
void setOption(llvm::StringRef name, llvm::StringRef value) {
  auto& options = llvm::cl::getRegisteredOptions();
  const auto found = options.find(name);
  if (found != options.end()) found->second->addOccurrence(0, name, value);
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const Target& target) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    // Instructions stay in the order in which they are emitted. LLVM's scheduler orders them for
    // what it knows of the pipeline and lengthens the lives of values: long blocks of whole vectors
    // then spill up to twice as often and take up to twice as long to compile, and what it is for,
    // processors that run out of order do by themselves.
    setOption("enable-misched", "false");
    setOption("disable-lsr", "true");  // reduceLoopStrength
    // The jumps where cutLargeBlocks has cut blocks stay as they are. (What else this keeps from
    // being done are branches for each part of a condition.)
    setOption("disable-cgp-branch-opts", "true");
    // After a change CodeGenPrepare looks again at the blocks that it has changed, as it does in
    // huge functions, and not at all of them from the first on.
    setOption("cgpp-huge-func", "0");
  });
  llvm::Triple triple(kTriple);
  std::string reason;
#if LLVM_VERSION_MAJOR >= 22
  const llvm::Target* llvm_target = llvm::TargetRegistry::lookupTarget(triple, reason);
#else
  const llvm::Target* llvm_target = llvm::TargetRegistry::lookupTarget(triple.str(), reason);
#endif
  if (!llvm_target) return internal("LLVM has no code generator for this machine: " + reason);
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> machine(llvm_target->createTargetMachine(
#if LLVM_VERSION_MAJOR >= 21
      triple,
#else
      triple.str(),
#endif
      // Position-independent, so that calls of far functions go through stubs beside the code.
      target.cpu, target.feature_string, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      llvm::CodeGenOptLevel::Less, /*JIT=*/true));
  if (!machine) return internal("LLVM makes no code generator for this machine");
  return machine;
}

void heedTimeLimitBetweenPasses(llvm::LLVMContext& context) {
  context.setYieldCallback([](llvm::LLVMContext*, void*) { heedTimeLimit(); }, nullptr);
}

void setDataLayout(llvm::Module& module, const llvm::TargetMachine& machine) {
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(machine.getTargetTriple());
#else
  module.setTargetTriple(machine.getTargetTriple().str());
#endif
  module.setDataLayout(machine.createDataLayout());
}

void setTargetAttributes(llvm::Module& module, const Target& target) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("tune-cpu", target.tune_cpu);
    function.addFnAttr(llvm::Attribute::NoUnwind);
    // So that no spill slot crosses a cache line: LLVM does not realign the stack for spilled
    // registers alone. Not where nothing returns: an entry that LLVM leaves empty has to stay so,
    // to be refused when it is loaded.
    const bool returns = llvm::any_of(function, [](const llvm::BasicBlock& block) {
      return llvm::isa<llvm::ReturnInst>(block.getTerminator());
    });
    if (returns)
      function.addFnAttr(llvm::Attribute::getWithStackAlignment(function.getContext(),
                                                                llvm::Align(target.vector_bytes)));
  }
}

llvm::Expected<llvm::SmallVector<char, 0>> generateObject(llvm::Module& module,
                                                          llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  if (llvm::Error error = emit(module, machine, llvm::CodeGenFileType::ObjectFile, stream)) {
    return error;
  }
  return object;
}

llvm::Expected<std::string> generateAssembly(const llvm::Module& module, const Target& target) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createTargetMachine(target);
  if (!machine) return machine.takeError();
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  const RemarkSilence silence(copy->getContext());  // generateObject() has the same remarks
  if (llvm::Error error = emit(*copy, **machine, llvm::CodeGenFileType::AssemblyFile, stream)) {
    return error;
  }
  return std::string(text.begin(), text.end());
}

}  // namespace jit

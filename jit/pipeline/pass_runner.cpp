// SPDX-License-Identifier: Apache-2.0

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/base/containment.h"
#include "jit/base/diagnostics.h"
#include "jit/base/error.h"
#include "jit/codegen/codegen.h"
#include "jit/ir/verify_operations.h"
#include "jit/passes/machine/undefined_ends.h"
#include "jit/pipeline/analyses.h"
#include "jit/pipeline/pass_list.h"
#include "jit/pipeline/passes.h"
#include "runtime/clock.h"

namespace jit {
namespace {

#ifdef NDEBUG
constexpr bool kVerifiesEach = false;
#else
constexpr bool kVerifiesEach = true;
#endif

// Before this one, values need not dominate their uses.
constexpr llvm::StringLiteral kFirstValid = "repair-ssa";

llvm::Error notValid(llvm::StringRef pass, const std::string& complaints) {
  return internal("the LLVM IR after " + pass.str() + " is not valid: " + complaints);
}

llvm::Error verify(PassContext& context, llvm::StringRef pass) {
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (!llvm::verifyModule(context.module, &stream))
    complaints = brokenRules(context.module, context.facts);
  if (complaints.empty()) return llvm::Error::success();
  return notValid(pass, complaints);
}

// What a pass has cost and done.
struct Line {
  llvm::StringRef name;
  uint64_t nanoseconds = 0;
  unsigned changed = 0;  // functions; a module counts as one
};

class Runner {
 public:
  explicit Runner(PassContext& context) : context_(context) {}

  llvm::Error run(const PassRow& row) {
    is_valid_ |= row.name == kFirstValid;
    Line& line = lines_.emplace_back(Line{.name = row.name});
    const uint64_t begun = rt::now();
    llvm::Error error = row.on_module != nullptr ? onModule(row, line) : onFunctions(row, line);
    line.nanoseconds = rt::now() - begun;
    endPass(row.name, begun);
    heedTimeLimit();
    return error;
  }

  const Line& last() const { return lines_.back(); }

  std::string table() const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << "      us  changed  pass\n";
    for (const Line& line : lines_)
      stream << llvm::format("%8.0f %8u  ", static_cast<double>(line.nanoseconds) / 1000,
                             line.changed)
             << line.name << "\n";
    return text;
  }

 private:
  llvm::Error onModule(const PassRow& row, Line& line) {
    PassOutcome preserved = row.on_module(context_);
    if (!preserved) return preserved.takeError();
    if (preserved->areAllPreserved()) return llvm::Error::success();
    line.changed = 1;
    context_.analyses.clear();
    context_.clean.clear();
    if (kVerifiesEach && is_valid_) return verify(context_, row.name);
    return llvm::Error::success();
  }

  llvm::Error onFunctions(const PassRow& row, Line& line) {
    for (llvm::Function* function : functionsOf(context_, row.unit)) {
      if (row.cleans_up && context_.clean.contains(function)) continue;
      PassOutcome preserved = row.on_function(context_, *function);
      if (!preserved) return preserved.takeError();
      if (row.cleans_up) context_.clean.insert(function);
      if (preserved->areAllPreserved()) continue;
      ++line.changed;
      context_.analyses.invalidate(*function, *preserved);
      if (!row.cleans_up) context_.clean.erase(function);
      if (!kVerifiesEach || !is_valid_) continue;
      std::string complaints;
      llvm::raw_string_ostream stream(complaints);
      if (llvm::verifyFunction(*function, &stream)) return notValid(row.name, complaints);
    }
    if (kVerifiesEach && is_valid_ && line.changed != 0) {
      const std::string broken = brokenRules(context_.module, context_.facts);
      if (!broken.empty()) return notValid(row.name, broken);
    }
    return llvm::Error::success();
  }

  PassContext& context_;
  bool is_valid_ = false;
  std::vector<Line> lines_;
};

llvm::Error runNamed(PassContext& context, llvm::ArrayRef<std::string> names) {
  Runner runner(context);
  for (const std::string& name : names) {
    const PassRow* row =
        llvm::find_if(passRows(), [&](const PassRow& row) { return row.name == name; });
    if (row == passRows().end()) return malformed("there is no pass " + name);
    if (llvm::Error error = runner.run(*row)) return error;
  }
  return llvm::Error::success();
}

}  // namespace

llvm::Error runPasses(PassContext& context, Dump& dump) {
  Runner runner(context);
  unsigned changed = 0;  // since the last dump
  for (const PassRow& row : passRows()) {
    if (!row.stage.empty()) {
      beginStage(row.stage);
    } else if (!row.dump.empty()) {
      if (changed == 0 || !dump.enabled()) continue;
      writeFacts(context.module, context.facts);
      dump.ir(row.dump, context.module);
      changed = 0;
    } else {
      if (row.for_speed && context.facts.is_debugged) continue;
      if (llvm::Error error = runner.run(row)) return error;
      changed += runner.last().changed;
      if (runner.last().changed != 0 && dump.wantsAfter(row.name)) {
        writeFacts(context.module, context.facts);
        dump.ir("after-" + row.name.str(), context.module);
      }
      if (row.name == kFirstValid)
        if (llvm::Error error = verify(context, "emission")) return error;
    }
  }
  if (dump.enabled()) dump.text("passes", "txt", runner.table());
  if (llvm::Error error = verify(context, "optimization")) return error;
  if (endsUndefined(*context.module.getFunction(context.kernel_name)))
    return internal("the optimizer found the kernel's code undefined, and left nothing of it");
  return llvm::Error::success();
}

llvm::Expected<std::string> runPassesOnText(llvm::StringRef text,
                                            llvm::ArrayRef<std::string> passes,
                                            const Target& target, std::vector<Remark>* remarks) {
  llvm::LLVMContext context;
  containDiagnostics(context);
  if (remarks != nullptr) listenToRemarks(context, *remarks);
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
  if (module == nullptr) {
    std::string complaints;
    llvm::raw_string_ostream stream(complaints);
    diagnostic.print("", stream, /*ShowColors=*/false);
    return malformed("this is not LLVM IR: " + complaints);
  }
  auto machine = createTargetMachine(target);
  if (!machine) return machine.takeError();
  setDataLayout(*module, **machine);
  Analyses analyses(**machine);
  KernelFacts facts = readFacts(*module);
  PassContext pass{.module = *module,
                   .target = target,
                   .analyses = analyses.functions(),
                   .facts = facts,
                   .kernel_name = "kernel"};
  setTargetAttributes(*module, target);
  if (llvm::Error error = runNamed(pass, passes)) return error;
  if (llvm::Error error = verify(pass, "the passes")) return error;
  writeFacts(*module, facts);
  std::string result;
  llvm::raw_string_ostream stream(result);
  module->print(stream, nullptr);
  return result;
}

llvm::SmallVector<llvm::StringRef> passNames() {
  llvm::SmallVector<llvm::StringRef> names;
  for (const PassRow& row : passRows())
    if (!row.name.empty()) names.push_back(row.name);
  return names;
}

std::string describePasses() {
  size_t width = 0;
  for (llvm::StringRef name : passNames()) width = std::max(width, name.size());
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const PassRow& row : passRows())
    if (!row.name.empty())
      stream << llvm::left_justify(row.name, width) << "  " << row.text << "\n";
  return text;
}

}  // namespace jit

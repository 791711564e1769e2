// SPDX-License-Identifier: Apache-2.0

// The passes over a kernel's LLVM IR, one list (passes.def): run in order, timed, dumped, verified
// after each in debug builds; and each by itself, on IR as text.
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>

#include "jit/base/remark.h"
#include "jit/base/target.h"
#include "jit/ir/kernel_facts.h"
#include "jit/pipeline/dump.h"

namespace jit {

// What passes work on.
struct PassContext {
  llvm::Module& module;
  const Target& target;
  llvm::FunctionAnalysisManager& analyses;
  KernelFacts& facts;
  std::string kernel_name;  // of the function that build-workgroup-kernel makes
  // Functions that have not changed since a CLEANUP_PASS.
  llvm::SmallPtrSet<const llvm::Function*, 4> clean = {};
};

// The functions that a pass runs on.
enum class PassUnit : uint8_t {
  Subgroup,   // the shader's code, while there is one
  Shared,     // those that share-code has made
  Code,       // both: the shader's own code
  Functions,  // all that have a body
  Kernel,     // the one of PassContext::kernel_name
};

// All passes: the module's FunctionKind::Subgroup becomes the kernel, an rt::KernelFunction. What
// the dump is given besides the stages' IR: `passes`, what each took and changed. Kinds of failure:
// Unsupported (matrix operations without a microkernel), Internal.
llvm::Error runPasses(PassContext& context, Dump& dump);

// Runs passes by name, one after the other, on the text of a module (a dump, for one), and returns
// the text of what they make of it. The kernel's facts are the module's (kernel_facts.h). `remarks`
// gets what the passes remark on. Kinds of failure: Malformed, where the text
// is none or there is no such pass; those of the passes.
llvm::Expected<std::string> runPassesOnText(llvm::StringRef text,
                                            llvm::ArrayRef<std::string> passes,
                                            const Target& target,
                                            std::vector<Remark>* remarks = nullptr);

// The names of all passes, in their order.
llvm::SmallVector<llvm::StringRef> passNames();

// For people: all passes in their order, a line each, with what they are for.
std::string describePasses();

}  // namespace jit

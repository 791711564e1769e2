// SPDX-License-Identifier: Apache-2.0

// A module of LLVM IR that a test makes, compiled as the driver compiles kernels.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>

#include "jit/base/target.h"
#include "jit/ir/function_kind.h"
#include "jit/ir/kernel_frame.h"

namespace llvm {
class TargetMachine;
}

namespace jit::test {

// `text` with each word, wherever it stands, replaced by what it stands for.
std::string withWords(std::string text, const std::map<std::string, std::string>& words);

class JitModule {
 public:
  explicit JitModule(const Target& target);
  ~JitModule();

  llvm::LLVMContext& context() { return context_; }
  llvm::Module& module() { return *module_; }
  const Target& target() const { return target_; }

  // An external function with the signature of jit/emit/emitter.h's subgroup function.
  llvm::Function* subgroupFunction(const std::string& name);
  // Makes LLVM assembly the module. Ends the process on a syntax error.
  void parse(const std::string& assembly);

  // Runs jit/coopmat/stage_unrolling.h on `function`, joins blocks and returns whether it changed
  // it.
  bool unrollStages(llvm::Function& function);
  // Runs K-loop scheduling on `function`; returns whether it changed it.
  bool schedule(llvm::Function& function);
  // Lowers all matrix operations. Empty, or the failure's message.
  std::string lower();
  // Verifies, tidies, emulates tiles or configures them in `entry`, generates code and loads it.
  // The module cannot be used afterwards. Ends the process where the system permits no tiles.
  void* compile(const std::string& entry);

  // Whether one of its functions is of this kind.
  bool hasFunction(FunctionKind kind) const;

  KernelFrame frame;  // what scheduling and lowering asked for

 private:
  const Target target_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<llvm::Module> module_;
  std::shared_ptr<const void> code_;
};

}  // namespace jit::test

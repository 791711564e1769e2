// SPDX-License-Identifier: Apache-2.0

// Lines of the client's source in the emitted code. Internal to jit/emit.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include <memory>
#include <unordered_map>

#include "jit/spirv/module.h"

namespace jit::spirv {

class DebugLocations {
 public:
  // What is emitted for `module`, the code of `function`. Nothing is written for a module that has
  // no locations: code generation is spared its passes over them.
  void begin(const Module& module, llvm::Function& function);
  // Of what is emitted from here on.
  void set(llvm::IRBuilder<>& ir, const Location& location);
  // When all is emitted.
  void finish();

 private:
  const Module* module_ = nullptr;
  std::unique_ptr<llvm::DIBuilder> builder_;  // null: no locations
  llvm::DISubprogram* subprogram_ = nullptr;
  std::unordered_map<Id, llvm::DIScope*> files_;
};

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// Places in the client's source in the emitted code. Internal to jit/emit.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include <map>
#include <memory>
#include <unordered_map>

#include "jit/spirv/module.h"

namespace jit::spirv {

// Where code of the driver's own stands for an instruction, that.
const Location& ofClient(const Module& module, const Location& location);

// Of most kernels lines are known, for tools that measure; of kernels for debuggers also functions,
// their calls, blocks and, with DebugValues, variables.
class DebugLocations {
 public:
  // What is emitted for `module`, the code of `function`. Nothing is written for a module that has
  // no locations: code generation is spared its passes over them.
  void begin(const Module& module, llvm::Function& function, bool for_debuggers);
  // Of what is emitted from here on.
  void set(llvm::IRBuilder<>& ir, const Location& location);
  // When all is emitted.
  void finish();

  // Whether there are any, and then what makes more.
  llvm::DIBuilder* builder() { return builder_.get(); }
  // For debuggers: the function or block that a place is in, and the place, in the code of its
  // call.
  llvm::DIScope* scopeOf(const Location& location);
  llvm::DILocation* placeOf(const Location& location);
  // The same place, for the one instruction there that debuggers stop at.
  llvm::DILocation* stopAt(llvm::DILocation& place) const;
  llvm::DIFile* file(Id name);
  const Location& ofClient(const Location& location) const {
    return spirv::ofClient(*module_, location);
  }
  // A place in each function that is called, as often as it is, and in the entry point.
  std::vector<Location> functions() const;

 private:
  llvm::DISubprogram* createFunction(llvm::StringRef name, llvm::DIFile* file, unsigned line,
                                     unsigned first_line, llvm::DISubprogram::DISPFlags flags);
  llvm::DISubprogram* subprogramOf(uint32_t call);
  llvm::DIScope* blockIn(Id scope, llvm::DISubprogram* function);
  llvm::DILocation* callerOf(uint32_t call);
  void findFunctions();

  const Module* module_ = nullptr;
  llvm::LLVMContext* context_ = nullptr;
  bool for_debuggers_ = false;
  std::unique_ptr<llvm::DIBuilder> builder_;  // null: no locations
  llvm::DISubprogram* subprogram_ = nullptr;
  std::unordered_map<Id, llvm::DIFile*> files_;
  std::map<std::pair<llvm::DIScope*, Id>, llvm::DIScope*> scopes_in_files_;
  // By the call whose code it is, 0 for the entry point's own: the DebugFunction, where one is
  // known.
  std::map<uint32_t, Id> functions_;
  std::map<std::pair<Id, std::string>, llvm::DISubprogram*> subprograms_;
  std::map<std::pair<Id, llvm::DISubprogram*>, llvm::DIScope*> blocks_;
  std::map<uint32_t, llvm::DILocation*> callers_;
};

}  // namespace jit::spirv

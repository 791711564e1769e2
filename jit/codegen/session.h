// SPDX-License-Identifier: Apache-2.0

// Machine code in the process: links relocatable objects into executable memory.
//
// JITLink is used as it is, without ORC's dylibs, symbol tables and tasks: a kernel is one object
// that refers to nothing but the functions of jit/ir/symbols.def.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <string>

#include "runtime/kernel_abi.h"

namespace jit {

struct LoadedKernel {
  rt::KernelFunction entry;
  uint64_t code_bytes;               // of machine code
  std::shared_ptr<const void> code;  // dropping the last reference frees the memory
};

// Who else is to know the code: Linux perf (perf_dump.h), debuggers (debugger.h).
struct CodeListeners {
  bool perf = false, debuggers = false;
};

// Thread-safe. Code may outlive it.
class Session {
 public:
  // Kinds of failure: Unsupported, where perf cannot be told.
  static llvm::Expected<std::unique_ptr<Session>> create(CodeListeners listeners = {});

  // Loads an object of generateObject and finds the function `entry` in it. The object is not
  // needed afterwards. `name`: the kernel's, for perf. Kinds of failure: Internal (a symbol is
  // missing), OutOfMemory.
  llvm::Expected<LoadedKernel> load(llvm::ArrayRef<char> object, const std::string& entry,
                                    const std::string& name = {});

 private:
  struct Memory;
  Session(std::shared_ptr<Memory> memory, CodeListeners listeners)
      : memory_(std::move(memory)), listeners_(listeners) {}

  std::shared_ptr<Memory> memory_;
  const CodeListeners listeners_;
};

}  // namespace jit

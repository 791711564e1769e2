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

// Thread-safe. Code may outlive it.
class Session {
 public:
  static llvm::Expected<std::unique_ptr<Session>> create();

  // Loads an object of generateObject and finds the function `entry` in it. The object is not
  // needed afterwards. Kinds of failure: Internal (a symbol is missing), OutOfMemory.
  llvm::Expected<LoadedKernel> load(llvm::ArrayRef<char> object, const std::string& entry);

 private:
  struct Memory;
  explicit Session(std::shared_ptr<Memory> memory) : memory_(std::move(memory)) {}

  std::shared_ptr<Memory> memory_;
};

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

// Code that debuggers are to know: gdb's interface for JIT compilers, which lldb has too. The two
// symbols that it takes are among those that the driver exports (icd/exports.map).
// Source: "JIT Compilation Interface" in Debugging with GDB.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/Support/Error.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace jit {

// Where an object's sections are in memory, by name.
using SectionAddresses = std::map<std::string, uint64_t>;

// Has `addresses`, which outlives the link, filled in while a graph is linked.
void noteSectionAddresses(llvm::jitlink::PassConfiguration& passes, SectionAddresses& addresses);

// A debugger knows the object, an ELF file, as long as this lives. Thread-safe.
class DebuggedObject {
 public:
  DebuggedObject(llvm::ArrayRef<char> object, const SectionAddresses& addresses);
  ~DebuggedObject();
  DebuggedObject(const DebuggedObject&) = delete;
  DebuggedObject& operator=(const DebuggedObject&) = delete;

 private:
  struct Entry;
  std::vector<char> object_;  // with the addresses in its section headers
  std::unique_ptr<Entry> entry_;
};

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

// Kernels from LLVM IR as text: what the tests of passes and of code generation run.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jit/base/target.h"
#include "jit/codegen/session.h"
#include "runtime/kernel_abi.h"

namespace jit::test {

// A module of its own context. A text that does not parse fails the test and gives an empty one.
// Functions may use values that do not dominate their uses.
class IrModule {
 public:
  explicit IrModule(const std::string& text);

  llvm::Module& operator*() { return *module_; }
  llvm::Module* operator->() { return module_.get(); }
  std::string text() const;
  // The verifier's complaints; empty when the module is valid.
  std::string complaints() const;
  // Machine code of the module, and the function `entry` in it. Uses the module up.
  llvm::Expected<LoadedKernel> load(const std::string& entry,
                                    const Target& target = makeTarget(rt::hostIsa()));

 private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

// What a kernel sees: `words` is the memory of descriptor set 0, shared memory and scratch are
// filled with a pattern and guarded behind their ends.
class KernelMemory {
 public:
  KernelMemory(size_t words, size_t shared_bytes, size_t scratch_bytes);

  void run(const LoadedKernel& kernel, std::array<uint32_t, 3> workgroup = {0, 0, 0});
  bool guardsAreIntact() const;

  std::vector<uint32_t> words;

 private:
  struct alignas(rt::kWorkgroupMemoryAlignment) Line {
    std::array<uint8_t, rt::kWorkgroupMemoryAlignment> bytes;
  };
  static std::vector<Line> guarded(size_t bytes);

  std::vector<Line> shared_;
  std::vector<Line> scratch_;
};

}  // namespace jit::test

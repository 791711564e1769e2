// SPDX-License-Identifier: Apache-2.0

// The list of passes from the emitter's IR to what the code generator gets.
#pragma once

#include <llvm/Support/Error.h>

#include <string>

#include "jit/llvm/dump.h"
#include "jit/llvm/target.h"
#include "jit/spirv/emitter.h"

namespace llvm {
class TargetMachine;
}

namespace jit {

// Turns the module's `subgroup` function into the kernel `name` (an rt::KernelFunction) and
// optimises it. Returns the bytes of scratch that the kernel needs in rt::WorkgroupMemory.
// Kinds of failure: Unsupported (matrix operations without a microkernel), Internal.
llvm::Expected<uint64_t> optimize(spirv::EmittedKernel& kernel, const std::string& name,
                                  const Target& target, llvm::TargetMachine& machine, Dump& dump);

}  // namespace jit

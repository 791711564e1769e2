// SPDX-License-Identifier: Apache-2.0

// SPIR-V to LLVM IR: one function that runs one subgroup of the entry point, or, in a wide stream,
// the workgroup.
#pragma once

#include <string>

#include "jit/base/target.h"
#include "jit/ir/emitted_kernel.h"
#include "jit/spirv/module.h"
#include "jit/spirv/structure.h"

namespace llvm {
class LLVMContext;
}  // namespace llvm

namespace jit::spirv {

// Writes waterfall loops (analysis/waterfall_loops.h), of which `structure` knows afterwards. Not
// where debuggers or checks are to find the code as it was. Fails as buildStructure does.
llvm::Error shareCounters(Module& module, Structure& structure, const KernelRequest& request);

// Kinds of failure: Unsupported, naming the instruction. `uniformity` receives what was decided
// before emission (analysis/describe_uniformity.h) unless it is null.
llvm::Expected<EmittedKernel> emitKernel(const Module& module, const Structure& structure,
                                         const KernelRequest& request, const Target& target,
                                         llvm::LLVMContext& context, std::string* uniformity);

}  // namespace jit::spirv

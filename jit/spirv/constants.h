// SPDX-License-Identifier: Apache-2.0

// Constants, after specialization.
// Source: SPIR-V Specification, 3.52.7 "Constant-Creation Instructions"; Vulkan Specification,
// "Specialization Constants".
#pragma once

#include <vector>

#include "jit/spirv/reading.h"

namespace jit::spirv {

// Adds the constant that `raw` (OpConstant..., OpSpecConstant..., OpUndef) declares to the module.
llvm::Error declareConstant(Reading& reading, const RawInstruction& raw);

// The leaves of an OpSpecConstantOp; `type` is that of its result.
llvm::Expected<std::vector<uint64_t>> foldSpecConstantOp(const Reading& reading,
                                                         const RawInstruction& raw,
                                                         const Type& type);

// The low `width` bits of `value`, 1 to 64.
uint64_t truncateTo(uint64_t value, uint32_t width);
// The low `width` bits of `value` as a signed number.
int64_t signExtend(uint64_t value, uint32_t width);

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// Modules as SPIRV-Tools' validator can judge them, where it refuses what is valid.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/spirv/reading.h"

namespace jit::spirv {

// Whether the validator's complaint may be its own fault. It does not know the values of
// specialization constants, and refuses a multiply-add of matrices whose Use is one; it refuses
// OpSelect on cooperative matrices, which are composites (SPV_KHR_cooperative_matrix, 2.2.1); and
// debug information that is wrong (glslang's columns, where a macro stands for a member), which
// means nothing to what the shader does (SPV_KHR_non_semantic_info).
bool mayBeMisjudged(const Reading& reading);

// The module with the values of this request instead of specialization constants, and without
// those OpSelect on matrices that are right, and without debug information. What is wrong with it
// is wrong with the module. Needs the constants to be declared.
std::vector<uint32_t> formForValidator(const Reading& reading);

}  // namespace jit::spirv

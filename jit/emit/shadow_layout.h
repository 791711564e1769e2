// SPDX-License-Identifier: Apache-2.0

// Where the shadow of Workgroup memory is (jit/spirv/shadow_values.h). Internal to jit/emit.
#pragma once

#include <cstdint>

#include "jit/spirv/module.h"

namespace jit::spirv {

// Bytes from Workgroup memory to its shadow, which lies behind all of it.
uint64_t workgroupShadowDistance(const Module& module);

}  // namespace jit::spirv

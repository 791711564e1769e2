// SPDX-License-Identifier: Apache-2.0

// Runs a GEMM kernel made by emitGemm and compares all of its result with the model.
#pragma once

#include "tests/jit/coopmat/gemm_kernel.h"

namespace jit::test {

struct GemmCheck {
  GemmKernel kernel;
  uint32_t blocks_down = 1, blocks_across = 1;  // of a_tiles x b_tiles tiles
  uint32_t steps = 1;                           // of op.k, a multiple of steps_per_iteration
  uint32_t padding = 0;                         // bytes between lines
  uint64_t cut = 0;                             // bytes that limits lack at the end of A, B and C
  bool schedules = true;                        // run K-loop scheduling
  bool shares_panels = true;  // as a dispatch of such kernels does, see runtime/panel_cache.h
  bool tiny = false;          // floats so small that their products are subnormal in f32 (f64)
};

// Adds failures to the current test.
void checkGemm(const Target& target, const GemmCheck& check);

}  // namespace jit::test

// SPDX-License-Identifier: Apache-2.0

// Runs a GEMM kernel made by emitGemm and compares all of its result with the model.
#pragma once

#include <functional>

#include "jit/ukernel/register_block.h"
#include "tests/jit/coopmat/component_value.h"
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
  // Changes A, B and C, which have random numbers.
  std::function<void(TestMatrix& a, TestMatrix& b, TestMatrix& c)> fill = nullptr;
  bool is_exact = false;  // with every row, as the model
  bool tiny = false;      // floats so small that their products are subnormal in f32 (f64)
};

// Whether products by this row have the model's bits.
bool addsInOrder(const ukernel::Row& row, const coopmat::MulAdd& op);

// Adds failures to the current test. Rows of microkernels that add k by k have to give the model's
// bits. Others may be as far off as those could be: sums in f32 of K products by (K + 1) * 2^-24 of
// the sum of their magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, 4.2), and by
// 2^-126, the least number that is not flushed, for each sum. Infinities and NaNs have to be there.
void checkGemm(const Target& target, const GemmCheck& check);

}  // namespace jit::test

// SPDX-License-Identifier: Apache-2.0

// A matrix multiplication as the emitter would write it: a subgroup function that computes
// `a_tiles` x `b_tiles` tiles of C in a loop over K.
#pragma once

#include <string>

#include "jit/ir/matrix_ops.h"
#include "tests/jit/coopmat/jit_module.h"

namespace jit::test {

// What the kernel gets instead of rt::DispatchArgs.
struct GemmArgs {
  const void *a, *b;
  const void* c;
  void* d;
  uint64_t a_stride, b_stride, c_stride;  // bytes between lines
  uint64_t a_limit, b_limit, c_limit;     // bytes from the start of each matrix
  uint64_t k;                             // steps of op.k
};

struct GemmKernel {
  coopmat::MulAdd op;
  uint32_t a_tiles = 1, b_tiles = 1;
  coopmat::Layout a_layout = coopmat::Layout::Row, b_layout = coopmat::Layout::Row;
  coopmat::Layout c_layout = coopmat::Layout::Row;
  bool starts_at_c = false;   // accumulators start with C, not with zero
  bool tests_at_end = false;  // do-while
  uint32_t steps_per_iteration = 1;
  bool stores_in_loop = false;  // an i64 to the shared memory in each iteration
  // Tiles of A in odd rows of blocks, and of B in odd columns, are loaded from a copy in the frame,
  // in the third and the fourth of four steps.
  bool copies_tiles = false;
  // Operands are values that something was done to since they were loaded.
  bool a_is_value = false, b_is_value = false;
};

// x counts blocks of columns, y blocks of rows of C.
llvm::Function* emitGemm(JitModule& module, const GemmKernel& kernel, const std::string& name);

using SubgroupFunction = void (*)(const void* dispatch, void* shared, void* frame, uint32_t x,
                                  uint32_t y, uint32_t z, uint32_t subgroup);

}  // namespace jit::test

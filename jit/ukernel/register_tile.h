// SPDX-License-Identifier: Apache-2.0

// The function that owns a register tile of accumulators over a whole K block: loads them once,
// multiplies through the packed panels with all of them in registers, stores them once, there or
// elsewhere.
#pragma once

#include "jit/ir/helper_function.h"
#include "jit/ukernel/register_block.h"

namespace jit::ukernel {

// void (ptr a, ptr b, ptr sums, ptr c, i64 c_stride, i64 steps, ptr to, i64 to_stride). `steps`
// multiply-adds of `op.k` each, at least one. `a` points at the register tile's first row, `b` at
// its micro-panels (for each K group the micro-panels' vectors in order), `sums` at B's column sums
// (one vector of 32-bit integers a micro-panel; read only if the packing needs them), `c` at its
// first accumulator, in rows `c_stride` bytes apart. Vectors are aligned to their size. The
// accumulators go to `to`, which may be `c`, in rows `to_stride` bytes apart that are aligned to
// components. If the row's block reads_rows, (i64 a_stride) follows, bytes between rows of A. With
// `ahead`, (ptr ahead_a, ptr ahead_b) follow, which may be anything that nobody writes meanwhile.
// With `may_start`, (i1 is_first) is last: accumulators are zero, and `c` is not read. Matrices of
// all numbers of rows and columns share the function.
llvm::Function* registerTileFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                                     const RegisterTileCode& code);

// Bytes between rows of tiles of A and of B that are read where they lie: packing would change
// neither their components nor the order of those in a row.
struct InPlaceStrides {
  uint32_t a, b;
};

// The same without packing: void (ptr a_descriptor, i64 a_offset, ptr c, i64 c_stride, i64 steps),
// and for each micro-panel (ptr b_descriptor, i64 b_offset). Where a step's tile is stands in its
// descriptor (tile_descriptors.h), in those from `a_descriptor` and `b_descriptor` on; the register
// tile's first row starts `a_offset` bytes into it, the micro-panel `b_offset`. Vectors of B are
// aligned to components.
llvm::Function* inPlaceRegisterTileFunction(const HelperScope& scope, const Row& row,
                                            const MulAdd& op, const RegisterTile& shape,
                                            const InPlaceStrides& strides);

// K groups in one multiply-add.
uint32_t groupsPerStep(const Row& row, const MulAdd& op);

// A vector of the row's register size with packed components as elements.
llvm::FixedVectorType* packedVector(llvm::IRBuilderBase& builder, const Row& row, const MulAdd& op,
                                    Component component);
llvm::FixedVectorType* accumulatorVector(llvm::IRBuilderBase& builder, const Row& row,
                                         const MulAdd& op);

// Of a function of the operation by this row, of which names say
// "<row>.float16_t.float16_t.float.16x16x16".
FunctionKey keyOf(FunctionKind kind, const Row& row, const MulAdd& op);

// The operation as names have it.
std::string mangle(const MulAdd& op);

}  // namespace jit::ukernel

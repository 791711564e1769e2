// SPDX-License-Identifier: Apache-2.0

// Matrix operations as they stand in the IR between emission and lowering.
//
// A matrix value is a first-class fixed vector, <rows * columns x T>, row-major, T one of half,
// bfloat, float, double, i8, i16, i32, i64; so phis, selects, constants, element-wise arithmetic
// and conversions are plain IR. (8-bit floats are i8; whoever converts them knows the format.)
// Loads, stores, multiply-adds and transposes are calls of the declared functions made here, with
// attributes that let LLVM's passes treat them as what they are. What they become is decided by
// jit/coopmat/k_loop.h and jit/coopmat/lower.h.
//
// Source: SPV_KHR_cooperative_matrix.
#pragma once

#include <cstdint>
#include <optional>

#include "jit/matrix/component.h"

namespace llvm {
class CallInst;
class Instruction;
class IRBuilderBase;
class Type;
class Value;
}  // namespace llvm

namespace jit::coopmat {

// Indices of the workgroup's shared memory and of the subgroup's frame pointer
// (jit/ir/kernel_frame.h) among the arguments of each function that has matrix operations.
inline constexpr unsigned kSharedArgument = 1;
inline constexpr unsigned kFrameArgument = 2;

// Elements of the largest matrix that is a vector in registers: what is larger lives in memory, so
// that no code grows with it.
inline constexpr uint32_t kMostElementsInRegisters = 512;

// Row: consecutive components of a row are consecutive in memory and rows are `stride` apart.
// Column: the same of columns.
enum class Layout : uint8_t { Row, Column };

struct MatrixShape {
  llvm::Type* component;
  uint32_t rows;
  uint32_t columns;
};

// Result (M x N) = A (M x K) * B (K x N) + C (M x N).
struct MulAdd {
  uint32_t m, n, k;
  Component a, b, c, result;
  bool saturating = false;
  bool may_fuse_k = true;  // false where contraction is forbidden

  bool operator==(const MulAdd&) const = default;
};

// <rows * columns x component>.
llvm::Type* matrixType(const MatrixShape& shape);

// The LLVM type of a component.
llvm::Type* componentType(Component component, llvm::IRBuilderBase& builder);

// A component of the type's width; copies need no more.
Component componentOfWidth(const llvm::Type* type);

// Reads a matrix. `stride_bytes` (i64) lies between starts of rows (columns); `limit_bytes` (i64)
// counts the bytes accessible from `base`: components that do not lie wholly below it read 0. A
// limit of -1 is no limit. `base` needs the component's alignment only.
llvm::Value* createLoad(llvm::IRBuilderBase& builder, const MatrixShape& shape, llvm::Value* base,
                        llvm::Value* stride_bytes, llvm::Value* limit_bytes, Layout layout);

// Writes a matrix; arguments as of createLoad. Components beyond the limit are dropped.
void createStore(llvm::IRBuilderBase& builder, llvm::Value* matrix, const MatrixShape& shape,
                 llvm::Value* base, llvm::Value* stride_bytes, llvm::Value* limit_bytes,
                 Layout layout);

// `a`, `b`, `c` are matrix values of the component types that `op` names.
llvm::Value* createMulAdd(llvm::IRBuilderBase& builder, const MulAdd& op, llvm::Value* a,
                          llvm::Value* b, llvm::Value* c);

// The transpose (columns x rows) of a matrix of this shape.
llvm::Value* createTranspose(llvm::IRBuilderBase& builder, const MatrixShape& shape,
                             llvm::Value* matrix);

// The way back, for the passes.
struct LoadCall {
  llvm::CallInst* call;
  MatrixShape shape;
  llvm::Value *base, *stride_bytes, *limit_bytes;
  Layout layout;
};
struct StoreCall {
  llvm::CallInst* call;
  MatrixShape shape;
  llvm::Value *matrix, *base, *stride_bytes, *limit_bytes;
  Layout layout;
};
struct MulAddCall {
  llvm::CallInst* call;
  MulAdd op;
  llvm::Value *a, *b, *c;
};
struct TransposeCall {
  llvm::CallInst* call;
  MatrixShape shape;  // of `matrix`
  llvm::Value* matrix;
};
std::optional<LoadCall> matchLoad(llvm::Value* value);
std::optional<StoreCall> matchStore(llvm::Instruction* instruction);
std::optional<MulAddCall> matchMulAdd(llvm::Value* value);
std::optional<TransposeCall> matchTranspose(llvm::Value* value);

}  // namespace jit::coopmat

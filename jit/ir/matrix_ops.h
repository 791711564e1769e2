// SPDX-License-Identifier: Apache-2.0

// Matrix operations as they stand in the IR between emission and lowering.
//
// A matrix value is a first-class fixed vector, <rows * columns x T>, row-major, T one of half,
// bfloat, float, double, i8, i16, i32, i64; so phis, selects, constants, element-wise arithmetic
// and conversions are plain IR. (8-bit floats are i8; whoever converts them knows the format.)
// Loads, stores, multiply-adds and transposes are calls of the declared functions made here, with
// attributes that let LLVM's passes treat them as what they are. What an operation is, its
// constants and the types of its matrices, is metadata of the function (!tessera.matrix), so that
// no pass can turn a constant into a variable; the function's name is for readers. What other
// values are matrices follows from the operations (jit/ir/matrix_values.h), and
// jit/ir/verify_operations.h has the rules. What operations become is decided by
// jit/coopmat/k_loop.h and jit/coopmat/lower.h.
//
// Source: SPV_KHR_cooperative_matrix.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "jit/matrix/component.h"

namespace llvm {
class CallInst;
class Function;
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

// Its use is what operations take it for: the same value may be A and B.
struct MatrixType {
  Component component;
  uint32_t rows, columns;

  bool operator==(const MatrixType&) const = default;
};

// Result (M x N) = A (M x K) * B (K x N) + C (M x N).
struct MulAdd {
  uint32_t m, n, k;
  Component a, b, c, result;
  bool saturating = false;
  bool may_fuse_k = true;  // false where contraction is forbidden

  bool operator==(const MulAdd&) const = default;
  MatrixType typeA() const { return {a, m, k}; }
  MatrixType typeB() const { return {b, k, n}; }
  MatrixType typeC() const { return {c, m, n}; }
  MatrixType typeOfResult() const { return {result, m, n}; }
};

// <rows * columns x component>.
llvm::Type* vectorType(const MatrixType& type, llvm::IRBuilderBase& builder);

// The LLVM type of a component.
llvm::Type* componentType(Component component, llvm::IRBuilderBase& builder);

// An unsigned integer of the component's width: copies need no more.
Component componentOfWidth(Component component);

// Reads a matrix. `stride_bytes` (i64) lies between starts of rows (columns); `limit_bytes` (i64)
// counts the bytes accessible from `base`: components that do not lie wholly below it read 0. A
// limit of -1 is no limit. `base` needs the component's alignment only.
llvm::Value* createLoad(llvm::IRBuilderBase& builder, const MatrixType& type, llvm::Value* base,
                        llvm::Value* stride_bytes, llvm::Value* limit_bytes, Layout layout);

// Writes a matrix; arguments as of createLoad. Components beyond the limit are dropped.
void createStore(llvm::IRBuilderBase& builder, llvm::Value* matrix, const MatrixType& type,
                 llvm::Value* base, llvm::Value* stride_bytes, llvm::Value* limit_bytes,
                 Layout layout);

// `a`, `b`, `c` are matrix values of the component types that `op` names.
llvm::Value* createMulAdd(llvm::IRBuilderBase& builder, const MulAdd& op, llvm::Value* a,
                          llvm::Value* b, llvm::Value* c);

// The transpose (columns x rows) of a matrix of this type.
llvm::Value* createTranspose(llvm::IRBuilderBase& builder, const MatrixType& type,
                             llvm::Value* matrix);

// The inverse, for the passes: calls taken apart.
struct LoadCall {
  llvm::CallInst* call;
  MatrixType type;
  llvm::Value *base, *stride_bytes, *limit_bytes;
  Layout layout;
};
struct StoreCall {
  llvm::CallInst* call;
  MatrixType type;
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
  MatrixType type;  // of `matrix`
  llvm::Value* matrix;
};
std::optional<LoadCall> matchLoad(llvm::Value* value);
std::optional<StoreCall> matchStore(llvm::Instruction* instruction);
std::optional<MulAddCall> matchMulAdd(llvm::Value* value);
std::optional<TransposeCall> matchTranspose(llvm::Value* value);

// Whether a function is one of the operations, by its metadata, which may be malformed: then none
// of the above finds its calls.
bool isMatrixOperation(const llvm::Function& function);

// What is wrong with a call of an operation: its metadata, or types that are not those which this
// says; empty where nothing is.
std::string malformedOperation(llvm::CallInst& call);

}  // namespace jit::coopmat

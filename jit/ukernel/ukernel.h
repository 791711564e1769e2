// SPDX-License-Identifier: Apache-2.0

// Microkernels: the arithmetic of a multiply-add, one row of ukernels.def each, and which one
// serves an operation on a target.
//
// What all rows have in common:
// - An operand is packed before it is multiplied, unless its rows can be read as they are. A's rows
//   are contiguous along K; B is cut into micro-panels one vector register of accumulators wide, in
//   which `group` consecutive K of a column lie side by side (a K group) and columns follow each
//   other. So one broadcast K group of A and one vector of B make one multiply-add of a whole
//   accumulator register. K is padded with zeros to whole K groups. (The AMX formats are the same:
//   rows of A, and groups of B.)
// - k ascends for each accumulator, in steps of one K group.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "jit/base/target.h"
#include "jit/ir/matrix_ops.h"

namespace jit::ukernel {

using coopmat::Component;
using coopmat::MulAdd;

// How operands are packed for an arithmetic.
struct Packing {
  Component a, b;         // components after conversion
  uint32_t group;         // consecutive K in a K group
  bool flip_a = false;    // 8-bit A changes signedness by an exclusive or with 0x80, and
  int column_factor = 0;  // this many times B's column sums are missing from the accumulators
  uint32_t planes = 1;    // 2: a component is the sum of two packed ones, in panels of their own.
                          // Of what is not finite the first one is it, the second may be anything

  uint32_t groupBytes() const { return group * coopmat::bytesOf(a); }
};

struct RegisterBlock;  // register_block.h

// The instructions of a family of microkernels. Stateless.
struct Arithmetic {
  // What multiplies a register tile; it calls one of the two functions below.
  const RegisterBlock* block;
  bool (*accepts)(const MulAdd& op);
  Packing (*packing)(const MulAdd& op);
  Component (*accumulator)(const MulAdd& op);
  // Of kVectorBlock: acc + sum over the K group of a * b, for each lane. `acc` is a vector of
  // accumulators, `a` and `b` are vectors as wide (a K group a lane) with the packed components as
  // elements.
  llvm::Value* (*multiplyAdd)(llvm::IRBuilderBase& builder, const MulAdd& op, llvm::Value* acc,
                              llvm::Value* a, llvm::Value* b) = nullptr;
  // Of kTileBlock: the intrinsic of LLVM that adds the product of 16 K groups to a tile of
  // accumulators; none where LLVM is too old to have it.
  llvm::Intrinsic::ID (*multiplyTiles)(const MulAdd& op) = nullptr;
};

struct Row {
  std::string_view name;
  const Arithmetic* arithmetic;
  uint32_t vector_bytes;                    // of a register, or of a row of a tile
  uint32_t registers;                       // vector registers or tiles there are
  uint32_t micro_panels;                    // most in a register tile of vectors
  bool (*runs)(const Target& target);       // the target has the instructions
  bool (*preferred)(const Target& target);  // and they are the faster way there
};

// Every row, best first. The last accepts everything but saturation at 64 bits, and floats mixed
// with integers.
std::span<const Row> rows();

// The first row that runs, is preferred and accepts; null when there is none.
const Row* select(const MulAdd& op, const Target& target);

// Accumulators in one register of the row.
uint32_t lanes(const Row& row, const MulAdd& op);

// A result narrower than the accumulators, or a saturating one, is rounded at the end of each
// multiply-add: accumulators are kept as the wider type that holds the rounded value exactly.
bool roundsEachStep(const Row& row, const MulAdd& op);

// `vector` of components `from` as accumulators or packed components `to`, exactly.
llvm::Value* widen(llvm::IRBuilderBase& builder, llvm::Value* vector, Component from, Component to);
// The same as the packed components of each plane, whose sum is exact. Of f16 in two planes of bf16
// the first has the sign, the exponent and the upper bits, the second the rest; both are 0 or
// normal numbers, and have the sign of their sum.
llvm::SmallVector<llvm::Value*, 2> widenToPlanes(llvm::IRBuilderBase& builder, llvm::Value* vector,
                                                 Component from, Component to, uint32_t planes);
// Two planes of bf16 of a vector that has the elements of `even` and `odd` in turns.
llvm::SmallVector<llvm::Value*, 2> interleaveInPlanes(llvm::IRBuilderBase& builder,
                                                      llvm::Value* even, llvm::Value* odd,
                                                      Component from);
// Accumulators as results: floats round to nearest even, integers clamp or wrap.
llvm::Value* narrow(llvm::IRBuilderBase& builder, const Row& row, const MulAdd& op,
                    llvm::Value* accumulators);

// The families.
extern const Arithmetic kTileInt8, kTileF8, kTileF16, kTileBf16, kTileTf32, kTileSplitF16, kFmaF32,
    kFmaF64, kDotBf16, kDotInt8, kMaddInt16, kInteger, kReference;

}  // namespace jit::ukernel

// SPDX-License-Identifier: Apache-2.0

// Instructions that call a function for the elements of a cooperative matrix.
#pragma once

#include "jit/spirv/function_builder.h"

namespace jit::spirv {

// Replaces each such instruction by a call of a function that is written for it and added to
// `functions`: a loop over the elements, with calls of the client's function in it. Kinds of
// failure: Malformed where a rule of the specification is broken.
llvm::Error writeMatrixCalls(Reading& reading, std::unordered_map<Id, Function>& functions);

// One opcode's writer, and what it writes. A row per opcode in kRows of matrix_calls.cpp.
struct MatrixCallRow {
  spv::Op op;
  llvm::Error (*write)(FunctionBuilder& b, const Instruction& i);
};

llvm::Error writePerElement(FunctionBuilder& b, const Instruction& i);    // per_element_call.cpp
llvm::Error writeReduction(FunctionBuilder& b, const Instruction& i);     // reduction_call.cpp
llvm::Error writeDecodingLoad(FunctionBuilder& b, const Instruction& i);  // decoding_load.cpp

// --- for writers ---

// The type of a function of the module.
llvm::Expected<const Type*> functionType(FunctionBuilder& b, const Instruction& i, Id function);
// The matrix type of an operand; Malformed where it is none.
llvm::Expected<const Type*> matrixOperand(FunctionBuilder& b, const Instruction& i, Id operand);
// Invocations that a matrix is spread over.
uint32_t invocationsOf(const Reading& reading, const Type& matrix);
// body(k) for 0 <= k < count, each for one invocation, side by side. `count` is a multiple of
// `granule`: where that is one of the number of invocations, none is ever idle. All see what was
// stored, afterwards.
void forEachInParallel(FunctionBuilder& b, const Type& matrix, Id count, uint64_t granule,
                       FunctionBuilder::Body body);

}  // namespace jit::spirv

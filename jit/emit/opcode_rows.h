// SPDX-License-Identifier: Apache-2.0

// The tables of instructions: a row for each opcode that is emitted. Internal to jit/emit.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

#include "jit/spirv/module.h"

namespace jit::spirv {

class Emission;

// One opcode's emission.
struct OpcodeRow {
  spv::Op op;
  llvm::Error (*emit)(Emission& e, const Instruction& i);
};

// The row of an opcode; null when there is none.
const OpcodeRow* findOpcode(spv::Op op);

// Families, one per file.
llvm::ArrayRef<OpcodeRow> arithmeticOps();  // ops_arithmetic.cpp
llvm::ArrayRef<OpcodeRow> fusedOps();       // ops_fused.cpp
llvm::ArrayRef<OpcodeRow> integerDotOps();  // ops_integer_dot.cpp
llvm::ArrayRef<OpcodeRow> bitOps();         // ops_bit.cpp
llvm::ArrayRef<OpcodeRow> logicalOps();     // ops_logical.cpp
llvm::ArrayRef<OpcodeRow> conversionOps();  // ops_conversion.cpp
llvm::ArrayRef<OpcodeRow> compositeOps();   // ops_composite.cpp
llvm::ArrayRef<OpcodeRow> memoryOps();      // ops_memory.cpp
llvm::ArrayRef<OpcodeRow> atomicOps();      // ops_atomic.cpp
llvm::ArrayRef<OpcodeRow> barrierOps();     // ops_barrier.cpp
llvm::ArrayRef<OpcodeRow> hintOps();        // ops_hint.cpp
llvm::ArrayRef<OpcodeRow> derivativeOps();  // ops_derivative.cpp
llvm::ArrayRef<OpcodeRow> coopmatOps();     // ops_coopmat.cpp
llvm::ArrayRef<OpcodeRow> internalOps();    // ops_internal.cpp
llvm::ArrayRef<OpcodeRow> shadowOps();      // ops_shadow.cpp
llvm::ArrayRef<OpcodeRow> extendedOps();    // ext_glsl450.cpp: OpExtInst

llvm::ArrayRef<OpcodeRow> coopmatConversionOps();   // ops_coopmat_conversion.cpp
llvm::ArrayRef<OpcodeRow> tensorOps();              // ops_tensor.cpp
llvm::ArrayRef<OpcodeRow> tensorElementOps();       // ops_tensor_elements.cpp
llvm::ArrayRef<OpcodeRow> tensorMemoryOps();        // ops_tensor_memory.cpp
llvm::ArrayRef<OpcodeRow> subgroupArithmeticOps();  // ops_subgroup_arithmetic.cpp
llvm::ArrayRef<OpcodeRow> subgroupBallotOps();      // ops_subgroup_ballot.cpp
llvm::ArrayRef<OpcodeRow> subgroupPartitionOps();   // ops_subgroup_partition.cpp
llvm::ArrayRef<OpcodeRow> subgroupShuffleOps();     // ops_subgroup_shuffle.cpp
llvm::ArrayRef<OpcodeRow> subgroupVoteOps();        // ops_subgroup_vote.cpp

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// Which operands of an instruction are ids of values, and which are literals or types: as
// opcode_traits.def has it.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "jit/spirv/module.h"

namespace jit::spirv {

// The ids of the values that an instruction or terminator reads, in order; of a phi the incoming
// values without their labels.
llvm::SmallVector<Id, 8> valueOperands(const Instruction& instruction);

// Which operands these are. Not for group instructions and accesses of tensors.
llvm::SmallVector<uint32_t, 8> valueOperandNumbers(const Instruction& instruction);

// What the pointer that is the result follows from; 0 where it is none, or follows from no other.
Id baseOf(const Instruction& instruction);

// Whether the memory operands that begin at `operand` say so.
bool isVolatile(const Instruction& instruction, size_t operand);

}  // namespace jit::spirv

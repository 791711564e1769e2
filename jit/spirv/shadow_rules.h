// SPDX-License-Identifier: Apache-2.0

// What becomes of undefined bits in each instruction: shadow_rules.def.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include <cstdint>

namespace jit::spirv {

enum class ShadowRule : uint8_t {
  Nothing,    // there is no result, and nothing is decided
  Defined,    // the result is defined, whatever the operands are
  Undefined,  // it is undefined
  Any,        // of a component all bits, where a bit of that component of any operand is undefined
  Joined,     // of all components all bits, where a bit of any operand is
  Same,       // the instruction is done with the shadows of its operands
  // Integers.
  Upwards,  // from the lowest undefined bit on
  And,
  Or,
  Xor,
  Shift,     // of the first operand's bits, by a number that is defined
  BitField,  // the same of fields
  Equal,     // defined if a defined bit differs
  Unsigned,  // comparisons, defined if the highest and the lowest that may be say the same
  Signed,
  // Booleans.
  LogicalAnd,
  LogicalOr,
  AnyTrue,
  AllTrue,
  // Choices and composites.
  Select,
  Phi,
  Shuffle,  // of components
  ExtractDynamic,
  InsertDynamic,
  Construct,
  Extract,
  Insert,
  Bits,      // of the same bits as another type
  Extended,  // an instruction of a set
  // Between invocations: of the value that each brings
  Move,    // it is moved
  Reduce,  // it is combined with others
  Vote,    // it is asked whether any is undefined
  Ballot,
  // Memory and control flow.
  Pointer,  // it follows from another, which the result's undefined bits say of it
  Load,
  Store,
  Copy,
  CopySized,
  Lifetime,
  Atomic,
  AtomicLoad,
  AtomicStore,
  Branch,
  // Matrices.
  MatrixLoad,
  MatrixStore,
  MulAdd,
  Transpose,
  TensorLoad,
  TensorStore,
  Broadcast,
};

// None for an opcode without a row.
const ShadowRule* findShadowRule(spv::Op op);
// Of GLSL.std.450: whether all of an instruction's components follow from all of its operands'.
bool joinsComponents(uint32_t instruction);

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// Type declarations, after specialization.
// Source: SPIR-V Specification, 3.52.6 "Type-Declaration Instructions"; SPV_KHR_cooperative_matrix,
// SPV_KHR_bfloat16, SPV_EXT_float8.
#pragma once

#include "jit/spirv/reading.h"

namespace jit::spirv {

// Unsupported when a type is nested too deeply or, seen as a tree with arrays as one node above
// their element, too large. The validator, this reader and the emitter walk types recursively.
llvm::Error checkTypeExtents(const Binary& binary);

// Reads the declarations of one module in its order.
class TypeReader {
 public:
  explicit TypeReader(Reading& reading) : reading_(reading) {}

  // Adds the type that `raw` declares to the module. Unsupported for kinds the driver lacks.
  llvm::Error declare(const RawInstruction& raw);
  // A pointer that is declared ahead of its structure (OpTypeForwardPointer).
  llvm::Error declareForward(const RawInstruction& raw);
  // Malformed when a forward pointer never got its declaration.
  llvm::Error finish() const;

 private:
  llvm::Error declareFloat(const RawInstruction& raw, Type& type);
  llvm::Error declareArray(const RawInstruction& raw, Type& type);
  llvm::Error declareStruct(const RawInstruction& raw, Type& type);
  llvm::Error declarePointer(const RawInstruction& raw);
  // SPV_KHR_untyped_pointers.
  llvm::Error declareUntypedPointer(const RawInstruction& raw);
  llvm::Error declareCooperativeMatrix(const RawInstruction& raw, Type& type);
  // SPV_NV_tensor_addressing.
  llvm::Error declareTensorLayout(const RawInstruction& raw, Type& type);
  llvm::Error declareTensorView(const RawInstruction& raw, Type& type);
  llvm::Error setElement(const RawInstruction& raw, Type& type);
  llvm::Error add(const RawInstruction& raw, Type type);

  Reading& reading_;
};

// The pointer type of a variable that an OpUntypedVariableKHR declares: to its data type.
const Type* variablePointer(Module& module, const Type& untyped, const Type& data);

// Whether the type is a pointer, or has one among its parts.
bool holdsPointer(const Type& type);
// Whether the type is a cooperative matrix, or has one among its parts; only of `scope`, if given.
bool holdsMatrix(const Type* type, std::optional<spv::Scope> scope = std::nullopt);

// Leaves before component `index` of a value of composite type; `index` must be in range.
uint64_t leavesBefore(const Type& composite, uint32_t index);
// Type of component `index` of a composite; null when there is no such component.
const Type* componentType(const Type& composite, uint32_t index);

}  // namespace jit::spirv

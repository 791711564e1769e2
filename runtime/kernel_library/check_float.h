// SPDX-License-Identifier: Apache-2.0

// Calls of kernels that check arithmetic (TESSERA_CHECK=float). Kernels test results, or operands,
// by themselves and call where a test fails; whether something is wrong is decided here.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.h"
#include "runtime/kernel_library/check_access.h"
#include "runtime/kernel_library/number_formats.h"

namespace rt {

// What would be wrong.
enum class NumberRule : uint8_t {
  Result,     // a result that is no finite number, if it follows from operands that are
  ToInteger,  // operand 0 does not fit into the result's format
  Division,   // by operand 1; of signed numbers the least one by -1, too
  Shift,      // operand 1 is the width of operand 0 or more
  BitField,   // the sum of operand 1, an offset, and 2, a count, is past the width of operand 0
  Sums,       // of a matrix that products were added to: elements that are no finite numbers
  Note,       // nothing: a matrix that products may be made of
};

// Where the numbers of one component of an operand, or of the result, lie: one for each lane, or
// one for all.
struct CheckedNumber {
  static constexpr uint8_t kResult = 255;
  uint32_t offset;  // bytes from the start of all numbers
  NumberFormat format;
  uint8_t varies;   // 0: one for all lanes
  uint8_t operand;  // its number, or kResult
  uint8_t component;
};

// An instruction as data of a kernel. `count` CheckedNumbers follow it, and the name of the
// operation, a string: "sqrt", "+".
struct CheckedOperation {
  uint32_t lanes;  // of a matrix: elements
  uint32_t count;
  NumberRule rule;
  uint8_t mixes;          // each component of the result follows from all components of operands
  uint8_t crosses_lanes;  // each lane's result follows from operands of several lanes
  uint8_t is_infix;
  NumberFormat target;  // of ToInteger
  uint8_t use;          // of a matrix: a MatrixUse (check_matrix_float.h)
  uint8_t is_noted;     // of Sums: all that products were made of has been noted
  uint8_t unused;
  uint16_t rows, columns;  // of a matrix, of which there may be several; 0: there is none

  const CheckedNumber* numbers() const { return reinterpret_cast<const CheckedNumber*>(this + 1); }
  const char* name() const { return reinterpret_cast<const char*>(numbers() + count); }
};

// `access` says who the lanes are.
void checkNumbers(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access,
                  const std::byte* numbers, const CheckedOperation* operation);

}  // namespace rt

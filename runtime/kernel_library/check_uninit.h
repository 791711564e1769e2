// SPDX-License-Identifier: Apache-2.0

// Calls of kernels that check for undefined values (TESSERA_CHECK=uninit). Kernels know which
// values are undefined (jit/spirv/shadow_values.h) and call where one decides something.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.h"
#include "runtime/kernel_library/check_access.h"

namespace rt {

// `decision`: a Decision. CheckedAccess::within has 0 where a lane's value is undefined.
void uninitFound(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access,
                 uint32_t decision);

// The same of what all of a subgroup decide together, if `is_undefined`: where a branch would part
// code that passes schedule together.
void uninitFoundTogether(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                         uint32_t z, uint32_t subgroup, uint32_t decision, uint32_t is_undefined);

// A store of a matrix of which such rows and columns have undefined elements, if any has; bits as
// of undefinedLines().
void uninitMatrix(const DispatchArgs* dispatch, const char* site, uint32_t x, uint32_t y,
                  uint32_t z, uint32_t subgroup, uint64_t rows, uint64_t columns);

// Of a matrix's shadow in memory, row by row, `form` as an rt::ShadowForm packs it: its rows, or
// columns, that have an undefined element. Row r is bit r % 64.
uint64_t undefinedLines(const std::byte* shadow, uint64_t form);
// Makes all elements of such rows and columns undefined.
void undefineLines(std::byte* shadow, uint64_t form, uint64_t rows, uint64_t columns);

struct ShadowForm {
  uint32_t rows, columns;  // 16 bits each
  uint32_t bytes;          // of a component: 8 bits
  bool asks_for_columns;
  constexpr uint64_t pack() const {
    return uint64_t{rows} | uint64_t{columns} << 16 | uint64_t{bytes} << 32 |
           uint64_t{asks_for_columns} << 40;
  }
  static constexpr ShadowForm unpack(uint64_t form) {
    return {static_cast<uint32_t>(form & 0xffff), static_cast<uint32_t>(form >> 16 & 0xffff),
            static_cast<uint32_t>(form >> 32 & 0xff), (form >> 40 & 1) != 0};
  }
};

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

// Calls of kernels that end by themselves: OpAbortKHR, and DebugBreak of NonSemantic.DebugBreak
// where it is checked (TESSERA_CHECK=assert).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernel_library/check_access.h"

namespace rt {

// Of a message (maxShaderAbortMessageSize).
inline constexpr uint64_t kMaxAbortMessageBytes = 65536;

// A number in a message that is not a constant.
struct AbortPart {
  uint64_t offset;  // bytes from the start of the message
  uint64_t bytes;   // up to 8, the low ones of the value
  LaneNumbers value;
};

// The live lanes of `access` abort. The message is that of the first: `size` bytes, in which the
// parts come over the constants.
void shaderAbort(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access,
                 const std::byte* constants, uint64_t size, const AbortPart* parts, uint64_t count);

void debugBreak(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access);

}  // namespace rt

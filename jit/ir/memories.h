// SPDX-License-Identifier: Apache-2.0

// Which memory a pointer of the shader's code leads to.
//
// Emission makes pointers in these ways only, so that what they are made from tells. Workgroup
// memory is reached from the function's argument even by pointers that were numbers meanwhile: no
// number becomes a pointer that leads there, or into what is the subgroup's own.
#pragma once

namespace llvm {
class Value;
}

namespace jit {

// Bits of a set of memories.
using Memories = unsigned;
inline constexpr Memories kLocalVariables = 1;  // allocas
inline constexpr Memories kFrame = 2;           // the frame argument: KernelFrame
inline constexpr Memories kWorkgroup = 4;       // the shared argument
inline constexpr Memories kDispatch = 8;        // the dispatch argument: push constants
// A pointer that is read behind the dispatch argument: descriptors, and what they describe, which
// are buffers and uniform blocks.
inline constexpr Memories kDescribed = 16;
// A number as a pointer: physical addresses, and pointers to storage buffers that were values.
inline constexpr Memories kAddressed = 32;
inline constexpr Memories kConstants = 64;  // data of the module that nobody writes
inline constexpr Memories kUnknown = 128;

// The application's buffers: different ones may be one memory, and only these are reached by
// several workgroups.
inline constexpr Memories kClient = kDescribed | kAddressed;
inline constexpr Memories kSubgroupsOwn = kLocalVariables | kFrame;
inline constexpr Memories kAnyMemory = 2 * kUnknown - 1;

// All that a pointer, or a vector of pointers, may lead to: kAnyMemory where that is not known, as
// in functions that do not have the arguments of the shader's code (jit/ir/emitted_kernel.h).
Memories memoriesBehind(const llvm::Value& pointer);

// Whether it leads there and nowhere else.
inline bool leadsOnlyTo(const llvm::Value& pointer, Memories memories) {
  return (memoriesBehind(pointer) & ~memories) == 0;
}

}  // namespace jit

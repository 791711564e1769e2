// SPDX-License-Identifier: Apache-2.0

// The instruction stream that code is emitted for: its lanes, what is known of them, and its nodes'
// code. Internal to jit/emit.
#pragma once

#include <unordered_map>

#include "jit/analysis/linearization.h"
#include "jit/analysis/uniformity.h"
#include "jit/emit/node_code.h"
#include "jit/emit/value_slots.h"

namespace jit::spirv {

struct Stream {
  // Invocations: a subgroup's or, in a wide stream, the workgroup's, rounded up to whole subgroups.
  uint32_t width = 0;
  uint32_t count = 1;             // of such streams in a workgroup
  llvm::Value* number = nullptr;  // of this one among them, i32
  // What is known of such a stream.
  const simt::Linearization* linearization = nullptr;
  const simt::UniformityAnalysis* uniformity = nullptr;
  std::unordered_map<uint32_t, NodeCode> code;  // by node
  Slots slots;
  llvm::Value* invocation_number = nullptr;  // see Emission::invocationNumber; null: not yet made
};

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// Runs a SPIR-V compute shader one invocation at a time, straight from its words: what random
// programs must compute, whatever the compiler makes of them. Only 32-bit integers and bools;
// invocations of a workgroup run one after the other from barrier to barrier.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/jit/emit/interpreter_module.h"

namespace jit::test {

struct InterpretedDispatch {
  uint32_t workgroups = 1;  // in x
  uint32_t subgroup_size = 32;
  std::vector<uint32_t> push_constants;
  // Storage buffers of set 0 by binding, each a run of 32-bit words; written in place.
  std::vector<std::vector<uint32_t>> buffers;
};

// Throws InterpreterError: an unknown instruction, an access outside of an object, a program that
// does not end, OpUnreachable reached.
void interpret(const ParsedModule& module, InterpretedDispatch& dispatch);

}  // namespace jit::test

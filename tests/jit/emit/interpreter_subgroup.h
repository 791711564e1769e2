// SPDX-License-Identifier: Apache-2.0

// Subgroup operations of the interpreter.
#pragma once

#include <span>

#include "tests/jit/emit/interpreter_invocation.h"

namespace jit::test {

// Does the operation that `participants` wait at: all live invocations of one subgroup that are at
// it, in order. Throws InterpreterError.
void runSubgroupOperation(std::span<Invocation* const> participants, uint32_t subgroup_size);

}  // namespace jit::test

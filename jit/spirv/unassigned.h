// SPDX-License-Identifier: Apache-2.0

// Variables that an invocation may read before it has written them.
#pragma once

#include <unordered_set>

#include "jit/spirv/module.h"

namespace jit::spirv {

// The Function and Private variables of the entry point of which an invocation may read a part that
// it has not written since the variable came into being: at the start, or at the call of the
// function that it belongs to (OpLifetimeStart). The value of such a part is undefined in SPIR-V,
// and must not be so in LLVM's IR, where undefined values make code behind them go away. All other
// variables are written on every path to each read, so that nobody sees what they hold at first.
//
// Parts of small variables are told apart by constant indices; an element that is chosen at run
// time counts as read, but not as written.
std::unordered_set<Id> variablesReadUnassigned(const Module& module);

// Gives each of them an undefined constant as its initializer, and where its function is called 1
// as the second operand of OpLifetimeStart, which is 0 for all others: emission sees to it that the
// variable holds something there.
void markUnassigned(Module& module);

}  // namespace jit::spirv

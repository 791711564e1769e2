// SPDX-License-Identifier: Apache-2.0

// What invocations make of values that they have read from others of their subgroup which are not
// active, for the check of that (emit/uniform_check.h).
#pragma once

#include <vector>

#include "jit/spirv/module.h"

namespace jit::spirv {

// Reading such a value is no error, using it is: a scan by shuffles reads past its ends, and
// chooses something else there. So beside each value of the entry point that follows from shuffles,
// broadcasts, rotations or quads stands another one, a number of 32 bits with a bit for each of the
// instructions that it has such a value from (InternalOp::InactiveSource says whether that is so).
// Operations join the bits of their operands, choices and phis choose among them, shuffles move
// them; and what has an effect, or decides what is done or where, is preceded by an
// InternalOp::InactiveUse of them. Variables that are not values (promote_variables.h) forget them.
// Of more than 32 such instructions the others are not followed.
void followInactiveSources(Module& module);

// The instructions that have bits, from the lowest bit on.
std::vector<const Instruction*> inactiveSources(const Module& module);

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// Variables as the author of a shader knows them, for kernels that a debugger looks at.
//
// A kernel for debuggers is compiled as any other: variables become values. But each value that one
// of them is given is also said (InternalOp::DebugValue), and emission keeps what was said last in
// memory of the invocation, where the debugger finds it. What is too large for that, arrays as a
// rule, stays in memory anyway.
//
// Sources: NonSemantic.Shader.DebugInfo.100 (DebugDeclare, DebugValue, DebugLocalVariable), or
// OpName, where a module has none of them.
#pragma once

#include "jit/spirv/reading.h"

namespace jit::spirv {

// An instruction that DebugLines has read: appends what it says of a variable to `block`.
void readDebugVariable(const Reading& reading, const RawInstruction& raw, const Location& location,
                       Block& block);

// Whether the module describes variables.
bool hasDebugVariables(const Reading& reading);

// Declares the variables of `function` by their names, of a module that says no more of them.
void declareByName(Reading& reading, Function& function);

// When all calls are inlined: fills Module::debug, and says the value of each variable behind each
// store to it. Nothing of DebugDeclare is left.
void findDebugVariables(Reading& reading);

// Larger values are not said.
inline constexpr uint64_t kMostDebugScalars = 16;

}  // namespace jit::spirv

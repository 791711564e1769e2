// SPDX-License-Identifier: Apache-2.0

// Which instructions hand the values of their operands on, and which do something with them.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "jit/spirv/module.h"

namespace jit::spirv {

// Whether it reads values of other invocations, which it names.
bool readsInvocations(spv::Op op);

// Whether its result is made of its operands, and of nothing else: for each invocation of its own
// ones, but where it readsInvocations. Matrices are made of nobody's.
bool carriesOperands(const Module& module, const Instruction& i);

// Of what the result is made.
llvm::SmallVector<Id, 8> carriedOperands(const Instruction& i);

// The operands that decide what is done, or where, or that others come to see.
llvm::SmallVector<Id, 8> decisiveOperands(const Instruction& i);

}  // namespace jit::spirv

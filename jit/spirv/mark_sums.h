// SPDX-License-Identifier: Apache-2.0

// Where the check of numbers (TESSERA_CHECK=float) looks at matrices.
#pragma once

#include "jit/spirv/module.h"

namespace jit::spirv {

// A multiply-add passes its accumulator on to the next one: looked at behind each, loops of them
// could not be scheduled as one (jit/coopmat/k_loop.h). So what multiply-adds of floats have made
// is looked at where something else uses it: there an InternalOp::CheckSum is put, for the
// multiply-add whose result it is. What comes into them is noted, for a sum of infinities has every
// right to be one: loads of matrices by themselves (Module::notes_sums, notes_operands), matrices
// made otherwise by an InternalOp::NoteMatrix behind what makes them. Operations on elements are
// not marked, they have their own checks.
void markSums(Module& module);

}  // namespace jit::spirv

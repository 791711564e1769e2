// SPDX-License-Identifier: Apache-2.0

// Floats to integers that are the nearest ones there are, on whole vectors.
#pragma once

namespace llvm {
class Function;
}

namespace jit {

// Writes `llvm.fptosi.sat` and `llvm.fptoui.sat` of vectors, which LLVM does element by element, as
// a clamp to what the integers can be, a conversion, and choices for what is beyond. Elements are
// halves, singles or doubles. Single halves are converted as floats. Returns whether there were
// any.
bool expandSaturatingConversions(llvm::Function& function);

}  // namespace jit

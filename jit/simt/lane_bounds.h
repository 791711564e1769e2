// SPDX-License-Identifier: Apache-2.0

// Bounds tests of addresses that count up become comparisons of lane numbers: instead of an offset
// for each invocation, the first and the last invocation that are inside.
#pragma once

namespace llvm {
class Function;
}

namespace jit::simt {

// Whether anything changed.
bool simplifyLaneBounds(llvm::Function& function);

}  // namespace jit::simt

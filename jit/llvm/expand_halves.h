// SPDX-License-Identifier: Apache-2.0

// Arithmetic on binary16 and its conversions as code that machines without F16C have. LLVM calls a
// function of the C runtime for each element.
#pragma once

namespace llvm {
class Module;
}

namespace jit {

// Computes in binary32 and rounds after each operation, as LLVM does where the machine converts.
void expandHalves(llvm::Module& module);

}  // namespace jit

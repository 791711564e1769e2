// SPDX-License-Identifier: Apache-2.0

// Lines of a shader's source for functions that its code moved to.
#pragma once

namespace llvm {
class Function;
}

namespace jit {

// Gives a function, whose code came from `kernel`, a description of its own, to which the lines of
// its instructions belong. Nothing if the kernel has none.
void describeLines(llvm::Function& function, const llvm::Function& kernel);

// Instructions of a function whose code has moved away belong to none of its lines; calls have the
// line 0 of its description, if there is one, as LLVM wants it.
void forgetLines(llvm::Function& function);

}  // namespace jit

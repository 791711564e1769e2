// SPDX-License-Identifier: Apache-2.0

// Accesses behind tests of all lanes (jit/emit/emit_tested.cpp), one after the other:
//
//   if (t1) vectors1 else gathers1; a; if (t2) vectors2 else gathers2; b; ...
//
// get a copy in front for the usual case that all tests hold:
//
//   if (t1 & t2 & ...) vectors1; a; vectors2; b; ...    else as before
//
// In it, what lies side by side is in one block, and can be loaded and converted together.
#pragma once

#include <llvm/IR/Function.h>

namespace jit::simt {

// Of tests that do not depend on what the accesses before have read, and between which there is no
// gather that stays one. Whether anything changed.
bool joinTests(llvm::Function& function);

}  // namespace jit::simt

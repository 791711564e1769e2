// SPDX-License-Identifier: Apache-2.0

// Intrinsics that not every version of LLVM has.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>

namespace jit {

// The one of this name, such as "llvm.x86.tilezero"; 0: this LLVM does not have it.
inline llvm::Intrinsic::ID intrinsicNamed(llvm::StringRef name) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::lookupIntrinsicID(name);
#else
  return llvm::Function::lookupIntrinsicID(name);
#endif
}

}  // namespace jit

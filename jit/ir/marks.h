// SPDX-License-Identifier: Apache-2.0

// What emission says of its code to passes, as marks in the IR.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace jit {

// Says that a variable is zero whenever control comes to the nearest block that dominates what
// reads and writes it, in the loops that hold all of that. A store of zero to it in the entry block
// is then not needed any more.
void markClearedWhenEntered(llvm::AllocaInst& variable);

inline constexpr char kClearedWhenEntered[] = "tessera.cleared";  // the variable's metadata

// Marks in the code, calls of FunctionKind::SharedCodeBegin and SharedCodeEnd: what control flow
// passes between them may become a function. They come in pairs, not one inside another, and each
// pair is alone on all paths from its first to its second:
// else the code stays where it is. outlineSharedCode() removes them.
void emitSharedCodeBegin(llvm::IRBuilderBase& builder);
void emitSharedCodeEnd(llvm::IRBuilderBase& builder);

// Marks an access that only runs where a test of all lanes fails. Its copies share the mark, and
// one remark (jit/passes/access/access_remarks.h).
void markBehindTest(llvm::Instruction& access);
inline constexpr llvm::StringLiteral kBehindTest = "tessera.behind_test";  // the access's metadata

// Marks a variable that is the kernel's, on its stack: what a subgroup has written there others may
// write too, while it waits at a barrier. For debuggers.
void markOfKernel(llvm::AllocaInst& variable);
inline constexpr llvm::StringLiteral kOfKernel = "tessera.of_kernel";  // the variable's metadata

// Marks a variable that stays in memory because loops over it do, although they could be unrolled:
// no remark says so.
void markKeptInMemory(llvm::AllocaInst& variable);
inline constexpr llvm::StringLiteral kKeptInMemory = "tessera.kept";  // the variable's metadata

// Marks an access to memory that debuggers look at, which may be done twice.
void markForDebuggers(llvm::Instruction& access);
inline constexpr llvm::StringLiteral kForDebuggers = "tessera.for_debuggers";  // its metadata

// Marks the store of a matrix that debugPrintfEXT prints, for remarks.
void markPrinted(llvm::StoreInst& store);
inline constexpr llvm::StringLiteral kPrinted = "tessera.printed";  // the store's metadata

}  // namespace jit

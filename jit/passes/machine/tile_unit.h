// SPDX-License-Identifier: Apache-2.0

// Tile instructions (AMX). Code has them as LLVM's intrinsics of tiles by number: x86.tilezero,
// x86.tileloadd64, x86.tilestored64, and the products x86.tdpbssd, x86.tdpbf16ps and so on. All
// tiles have 16 rows of 64 bytes. What is in them when a kernel begins is not defined, and nothing
// is kept in them when it ends.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace jit {

// Without the instructions: each becomes a call of its function in
// runtime/kernel_library/tile_unit.h. Whether there were any.
bool emulateTiles(llvm::Module& module);

// With them: where the module has any, `kernel`, the function that the runtime calls, configures
// its thread's tiles at its entry and releases them before each return, so that a thread has tile
// state for no longer than it runs the kernel: by the System V ABI both belong to the caller of a
// function, and a context switch saves what is in use. Whether there were any. After passes that
// make returns, and that make functions of parts of the kernel.
bool configureTiles(llvm::Function& kernel);

}  // namespace jit

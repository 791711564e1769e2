// SPDX-License-Identifier: Apache-2.0

// Code that Linux perf is to know (TESSERA_PERF=jitdump): its bytes, and which line of the shader
// each instruction is from, in a file of perf's own format that `perf inject --jit` reads.
#pragma once

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/Support/Error.h>

#include <string>

namespace jit {

// Makes the file of this process, if it has none: jit-PID.dump in a new folder of .debug/jit in
// $JITDUMPDIR, or else in $HOME. perf finds it by a mapping of it, which stays. Kind of failure:
// Unsupported, where there can be no such file.
llvm::Error openPerfDump();

// Has the functions of a graph put into the file when it has been linked, the function `entry` as
// `name`. Nothing comes of it in a forked child of the process that has opened the file.
void addToPerfDump(llvm::jitlink::PassConfiguration& passes, const std::string& entry,
                   const std::string& name);

}  // namespace jit

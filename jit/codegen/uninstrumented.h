// SPDX-License-Identifier: Apache-2.0

// Included before everything else where LLVM's headers are used in a build with the address
// sanitizer. LLVM's libraries are the distribution's and not instrumented, but its headers look at
// how they are compiled: allocators inlined here would poison memory that those in the libraries
// hand out. So the headers are told what the libraries were told.
#pragma once

#include <llvm/Support/Compiler.h>

#if LLVM_ADDRESS_SANITIZER_BUILD
#undef LLVM_ADDRESS_SANITIZER_BUILD
#define LLVM_ADDRESS_SANITIZER_BUILD 0
#define __asan_poison_memory_region(pointer, size)
#define __asan_unpoison_memory_region(pointer, size)
#endif

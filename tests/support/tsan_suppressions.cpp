// SPDX-License-Identifier: Apache-2.0

// What the thread sanitizer gets wrong about oneTBB, for programs that run kernels.
//
// oneTBB is not instrumented, so the sanitizer does not see how it orders what it allocates and
// frees for itself. Our own code needs no suppression (see runtime/task_arena.h).

#include "tests/support/sanitizer.h"

#if TESSERA_THREAD_SANITIZER
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\n";
}
#endif

// SPDX-License-Identifier: Apache-2.0

// tessera-run --debug: the same run, in gdb.
#pragma once

#include "tools/run/options.h"

namespace run {

// Becomes gdb, which runs this program with these options but without --debug: shaders are compiled
// for it (TESSERA_DEBUG), and run on one thread unless TESSERA_THREADS says otherwise. Throws
// UsageError where there is no gdb.
[[noreturn]] void runInDebugger(const Options& options);

}  // namespace run

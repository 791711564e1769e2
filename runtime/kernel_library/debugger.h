// SPDX-License-Identifier: Apache-2.0

// Calls of kernels for debuggers (TESSERA_DEBUG).
#pragma once

namespace rt {

// Whether a debugger, or another tracer, has this process now: without one a breakpoint instruction
// would end it.
bool isTraced();

}  // namespace rt

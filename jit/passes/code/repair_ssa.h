// SPDX-License-Identifier: Apache-2.0

// The emitter writes divergent control flow as a line of blocks that are skipped when no
// invocation needs them, and uses a value wherever the SPIR-V does. Such a use may be reached by a
// path around the definition; on it all invocations that would look at the value are masked off,
// so any bits will do. Here these uses become legal SSA.
#pragma once

namespace llvm {
class Function;
}

namespace jit::simt {

// Puts a phi of the definition and undef wherever a use is not dominated by its definition, and
// drops unreachable blocks. A use before the definition in a loop does not see the value of an
// earlier iteration, but undef. Returns how many values it had to repair.
unsigned repairSsa(llvm::Function& function);

}  // namespace jit::simt

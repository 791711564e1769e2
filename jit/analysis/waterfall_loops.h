// SPDX-License-Identifier: Apache-2.0

// Loops that go on where others have left off: `for (; i + 4 <= n; i += 4) ...; for (; i < n; ++i)
// ...` with an `n` of each invocation's own. Where invocations leave the first loop at different
// times they begin the second one at different `i`, so it would gather what they read there, though
// nearly always all begin at the same one.
#pragma once

#include "jit/analysis/uniformity.h"

namespace jit::simt {

// Puts a loop around each such loop: those who begin with what the first of the invocations that
// wait has go through it together, with a counter that is the same for all of them, and then the
// others in the same way (a waterfall loop). Where all begin alike it is gone through once. Not
// where the loop has instructions that invocations carry out together, or that write to memory in
// any other way than by stores. `structure` is the module's; it is another one afterwards. Returns
// how many loops there were.
unsigned writeWaterfallLoops(spirv::Module& module, const spirv::Structure& structure,
                             const WorkgroupShape& shape);

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

// Masks of invocations, as other passes leave them.
#pragma once

namespace llvm {
class Function;
}

namespace jit {

// Drops choices by whether any invocation is live between a value and the same value with what live
// invocations make of it: `select i1 (mask is empty), x, (select mask, y, x)` is the inner
// selection. SimplifyCFG makes such of blocks that are skipped where nobody is live; the machine
// has no choice between vectors by one condition, so each would become a branch. Returns how many
// there were.
unsigned dropChoicesByEmptyMasks(llvm::Function& function);

// Makes masks where they are used: comparisons of one vector with many constants move to where
// their results are used, and are repeated for users that are far from each other. A switch on a
// varying value makes a mask for each of its cases before the first of them runs; there are 7
// registers for masks, or none, so all but a few would be written to memory and read again, and to
// compare once more takes one instruction. After passes that would make one of equal comparisons.
// Returns how many comparisons were made.
unsigned compareAtUses(llvm::Function& function);

}  // namespace jit

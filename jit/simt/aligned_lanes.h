// SPDX-License-Identifier: Apache-2.0

// Shifts, masks and comparisons of numbers that count up from lane to lane, as where an index is
// taken apart into row and column: (first + lane) >> 6 is the same for 32 lanes when `first` is a
// multiple of 32, (first + lane) & 63 still counts up, and all of them or none are less than 1024.
#pragma once

namespace llvm {
class Function;
}

namespace jit::simt {

// Makes what is uniform in such operations scalar. Returns whether anything changed. Wants
// divisions by powers of two as shifts and masks (instcombine).
bool simplifyAlignedLanes(llvm::Function& function);

}  // namespace jit::simt

// Shifts and masks of numbers that count up from lane to lane, as where an index is taken apart
// into row and column: (first + lane) >> 6 is the same for 32 lanes when `first` is a multiple of
// 32, and (first + lane) & 63 still counts up.
#pragma once

namespace llvm {
class Function;
}

namespace jit::simt {

// Makes what is uniform in such operations scalar. Returns whether anything changed. Wants
// divisions by powers of two as shifts and masks (instcombine).
bool simplifyAlignedLanes(llvm::Function& function);

}  // namespace jit::simt

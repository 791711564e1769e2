// SPDX-License-Identifier: Apache-2.0

// Large kernels, compiled in parts. LLVM's code generator takes time that grows with the square of
// a function and worse: of its length (coalescing, eviction), of its blocks times the values that
// live through them (live intervals, splitting), of a block (combining of selection nodes). A part
// is a function of bounded size, so a kernel of any length takes time in proportion to its length.
#pragma once

#include <cstddef>
#include <cstdint>

namespace llvm {
class Function;
}

namespace jit {

// What functions are held against: instructions of the machine, as far as they can be told
// beforehand, and blocks. A kernel up to both sizes of the whole stays one function.
struct PartSizes {
  uint64_t whole = 16000;
  // The constants of a block live through all blocks of the loop that they are moved out of, the
  // subgroups' loop at the least.
  size_t whole_blocks = 600;
  uint64_t part = 4000;  // about the most of a part
};

// Turns an rt::KernelFunction that is larger than `sizes` allow into a dispatcher of internal
// functions that each hold a run of its blocks. A part is told which of its blocks to begin at and
// returns the block at which to go on. Values that parts hand on, and the kernel's variables, lie
// in rt::WorkgroupMemory::scratch, from `scratch_bytes` on. Returns the scratch memory needed in
// all. `vector_bytes`: of a vector register. After all passes that optimize across blocks.
uint64_t splitIntoParts(llvm::Function& kernel, uint32_t vector_bytes, uint64_t scratch_bytes,
                        PartSizes sizes = {});

}  // namespace jit

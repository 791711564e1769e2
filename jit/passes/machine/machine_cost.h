// SPDX-License-Identifier: Apache-2.0

// How much code the machine needs for an instruction of LLVM's IR, by estimate.
#pragma once

#include <cstdint>

namespace llvm {
class DataLayout;
class Instruction;
}  // namespace llvm

namespace jit {

// In instructions of the machine. `vector_bytes`: of a vector register.
uint64_t machineCost(const llvm::Instruction& instruction, const llvm::DataLayout& layout,
                     uint32_t vector_bytes);

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

// Changes SPIR-V modules instruction by instruction, so that most results are still modules that
// get past the first look: what is wrong with them is what real compilers and clients get wrong,
// and worse.
#pragma once

#include <cstdint>
#include <vector>

namespace fuzz {

// The module with one change or a few that `seed` stands for: words of instructions, whole
// instructions, opcodes, lengths, the header. The same for the same arguments, everywhere.
std::vector<uint32_t> mutate(const std::vector<uint32_t>& module, uint64_t seed);

}  // namespace fuzz

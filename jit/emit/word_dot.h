// SPDX-License-Identifier: Apache-2.0

// Dot products of four bytes each on machines that have no instruction for one (byte_dot.h) but add
// products of pairs of words: vpmaddwd and vpmaddubsw of AVX2 and AVX512BW. Internal to jit/emit.
#pragma once

#include "jit/emit/byte_dot.h"

namespace jit::spirv {

// Whether the machine adds products of pairs of words, and the subgroup's width suits.
bool addsWordPairs(const Emission& e);

// Sums of a[k] * b[k], exact; operands are vectors of 32 bits for all lanes of
// such a subgroup.
llvm::Value* sumsByWords(Emission& e, llvm::Value* a, llvm::Value* b,
                         ByteDot::Signedness is_signed);

}  // namespace jit::spirv

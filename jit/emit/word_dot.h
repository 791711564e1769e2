// SPDX-License-Identifier: Apache-2.0

// Dot products of four bytes each on machines that have no instruction for one (byte_dot.h) but add
// products of pairs of words: vpmaddwd and vpmaddubsw of AVX2 and AVX512BW. Internal to jit/emit.
#pragma once

#include "jit/emit/byte_dot.h"

namespace jit::spirv {

// Sums of a[k] * b[k], exact; operands are vectors of 32 bits for all lanes. Null where the machine
// or the subgroup's width does not suit.
llvm::Value* sumsByWords(Emission& e, llvm::Value* a, llvm::Value* b,
                         ByteDot::Signedness is_signed);

}  // namespace jit::spirv

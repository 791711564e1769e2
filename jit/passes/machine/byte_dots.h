// SPDX-License-Identifier: Apache-2.0

// Dot products of four bytes each (jit/ir/byte_dots.h) as the machine's instructions: vpdpbusd
// (AVX512-VNNI, AVX-VNNI), which adds sums of u[k] * s[k], unsigned by signed, to 32-bit elements,
// modulo 2^32; or vpmaddubsw and vpmaddwd.
#pragma once

namespace llvm {
class Function;
}

namespace rt {
struct CpuFeatures;
}

namespace jit {

// No such products are left. Those of one sum are added up by their instructions; where they are of
// all the words that a lane has side by side on both sides (jit/passes/machine/lane_words.h), the
// words are multiplied as they lie, and neighbours added up behind. True if there was one.
bool lowerByteDots(llvm::Function& function, const rt::CpuFeatures& features);

}  // namespace jit

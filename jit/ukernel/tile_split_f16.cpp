// SPDX-License-Identifier: Apache-2.0

// f16 by AMX-BF16: each number is the sum of two bf16, exactly (convert.cpp), so a product is the
// sum of four, all exact in binary32. No part and no product of parts is subnormal, so nothing is
// flushed but accumulators. Infinities and NaNs are multiplied elsewhere (packed_gemm_special.cpp).
// docs/numerics.md has the error.
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/ukernel/register_block.h"

namespace jit::ukernel {

const Arithmetic kTileSplitF16 = {
    .block = &kTileBlock,
    .accepts =
        [](const MulAdd& op) {
          if (op.a != Component::F16 || op.b != Component::F16) return false;
          // Rounded after whole products of tiles, of 32 of K.
          return op.result == Component::F32 || (op.result == Component::F16 && op.k % 32 == 0);
        },
    .packing =
        [](const MulAdd&) {
          return Packing{.a = Component::BF16, .b = Component::BF16, .group = 2, .planes = 2};
        },
    .accumulator = [](const MulAdd&) { return Component::F32; },
    .multiplyTiles = [](const MulAdd&) -> llvm::Intrinsic::ID {
      return llvm::Intrinsic::x86_tdpbf16ps;
    },
};

}  // namespace jit::ukernel

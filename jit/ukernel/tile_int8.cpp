// SPDX-License-Identifier: Apache-2.0

// AMX-INT8: quads of bytes of either signedness onto 32-bit accumulators, exact modulo 2^32.
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/ukernel/register_block.h"

namespace jit::ukernel {
const Arithmetic kTileInt8 = {
    .block = &kTileBlock,
    .accepts =
        [](const MulAdd& op) {
          return coopmat::isInteger8(op.a) && coopmat::isInteger8(op.b) &&
                 coopmat::isInteger(op.result) && coopmat::bytesOf(op.result) == 4 &&
                 !op.saturating;
        },
    .packing = [](const MulAdd& op) { return Packing{op.a, op.b, 4}; },
    .accumulator = [](const MulAdd&) { return Component::S32; },
    .multiplyTiles = [](const MulAdd& op) -> llvm::Intrinsic::ID {
      if (coopmat::isSigned(op.a)) {
        return coopmat::isSigned(op.b) ? llvm::Intrinsic::x86_tdpbssd
                                       : llvm::Intrinsic::x86_tdpbsud;
      }
      return coopmat::isSigned(op.b) ? llvm::Intrinsic::x86_tdpbusd : llvm::Intrinsic::x86_tdpbuud;
    },
};

}  // namespace jit::ukernel

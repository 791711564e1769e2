// SPDX-License-Identifier: Apache-2.0

// AMX-BF16: pairs of bf16 onto f32 accumulators. The instruction reads and writes subnormals as
// zero, and sums the even and the odd k of a tile apart, each in ascending order, before both are
// added (Intel SDM, TDPBF16PS). 8-bit floats are exact as bf16.
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/ukernel/register_block.h"

namespace jit::ukernel {
namespace {

bool isExactAsBf16(Component component) {
  return component == Component::BF16 || coopmat::isFloat8(component);
}

}  // namespace

const Arithmetic kTileBf16 = {
    .block = &kTileBlock,
    .accepts =
        [](const MulAdd& op) {
          return isExactAsBf16(op.a) && isExactAsBf16(op.b) && op.result == Component::F32;
        },
    .packing = [](const MulAdd&) { return Packing{Component::BF16, Component::BF16, 2}; },
    .accumulator = [](const MulAdd&) { return Component::F32; },
    .multiplyTiles = [](const MulAdd&) -> llvm::Intrinsic::ID {
      return llvm::Intrinsic::x86_tdpbf16ps;
    },
};

}  // namespace jit::ukernel

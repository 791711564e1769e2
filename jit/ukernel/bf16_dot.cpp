// SPDX-License-Identifier: Apache-2.0

// vdpbf16ps: pairs of bf16 onto f32 accumulators. It reads and writes subnormals as zero and rounds
// to nearest even after each term, the odd k of a pair first.
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/ukernel/register_block.h"

namespace jit::ukernel {

const Arithmetic kDotBf16 = {
    .block = &kVectorBlock,
    .accepts =
        [](const MulAdd& op) {
          return op.a == Component::BF16 && op.b == Component::BF16 &&
                 (op.result == Component::F32 || op.result == Component::BF16);
        },
    .packing = [](const MulAdd&) { return Packing{Component::BF16, Component::BF16, 2}; },
    .accumulator = [](const MulAdd&) { return Component::F32; },
    .multiplyAdd = [](llvm::IRBuilderBase& builder, const MulAdd&, llvm::Value* acc, llvm::Value* a,
                      llvm::Value* b) -> llvm::Value* {
      // The broadcast operand comes last: only there does the instruction fold its load.
      return builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512bf16_dpbf16ps_512, {}, {acc, b, a});
    },
};

}  // namespace jit::ukernel

// SPDX-License-Identifier: Apache-2.0

// vpmaddwd: 16-bit signed integers, and bytes widened to that when packed; pairs of products added
// to 32-bit accumulators. Exact modulo 2^32, as is the one pair that overflows.
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/ukernel/register_block.h"

namespace jit::ukernel {
namespace {

bool fitsSigned16(Component component) {
  return coopmat::bytesOf(component) == 1 || component == Component::S16;
}

}  // namespace

const Arithmetic kMaddInt16 = {
    .block = &kVectorBlock,
    .accepts =
        [](const MulAdd& op) {
          return coopmat::isInteger(op.a) && coopmat::isInteger(op.b) && fitsSigned16(op.a) &&
                 fitsSigned16(op.b) && coopmat::isInteger(op.result) &&
                 coopmat::bytesOf(op.result) <= 4 && !op.saturating;
        },
    .packing = [](const MulAdd&) { return Packing{Component::S16, Component::S16, 2}; },
    .accumulator = [](const MulAdd&) { return Component::S32; },
    .multiplyAdd = [](llvm::IRBuilderBase& builder, const MulAdd&, llvm::Value* acc, llvm::Value* a,
                      llvm::Value* b) -> llvm::Value* {
      auto* accumulators = llvm::cast<llvm::FixedVectorType>(acc->getType());
      llvm::Intrinsic::ID id = accumulators->getNumElements() == 16
                                   ? llvm::Intrinsic::x86_avx512_pmaddw_d_512
                                   : llvm::Intrinsic::x86_avx2_pmadd_wd;
      return builder.CreateAdd(acc, builder.CreateIntrinsic(id, {}, {a, b}));
    },
};

}  // namespace jit::ukernel

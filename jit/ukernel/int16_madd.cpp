// vpmaddwd: bytes widened to 16 bits when packed, pairs of products added to 32-bit accumulators;
// 2 * 255 * 255 fits. Exact modulo 2^32.
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/ukernel/ukernel.h"

namespace jit::ukernel {
namespace {

bool isByte(Component component) {
  return component == Component::S8 || component == Component::U8;
}

}  // namespace

const Arithmetic kMaddInt16 = {
    .accepts =
        [](const MulAdd& op) {
          return isByte(op.a) && isByte(op.b) && coopmat::isInteger(op.result) &&
                 coopmat::bytesOf(op.result) == 4 && !op.saturating;
        },
    .packing =
        [](const MulAdd&) {
          return Packing{Component::S16, Component::S16, 2};
        },
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

// SPDX-License-Identifier: Apache-2.0

// The portable row: any component types, no instruction beyond the architecture's baseline.
// Ascending k; floats by fused multiply-add in f32 or f64, integers modulo 2^32 or 2^64.
#include "jit/ukernel/register_block.h"

namespace jit::ukernel {
namespace {

// Products of two of them are exact in f32.
bool isShort(Component component) {
  return component == Component::F16 || coopmat::isFloat8(component);
}

bool isWide(Component component) { return coopmat::bytesOf(component) == 8; }

Component accumulator(const MulAdd& op) {
  if (coopmat::isFloat(op.result)) {
    bool wide = isWide(op.a) || isWide(op.b) || isWide(op.result);
    return wide ? Component::F64 : Component::F32;
  }
  // Saturating sums are formed modulo 2^64. The products' own sum must fit the result
  // (SPV_KHR_cooperative_matrix, OpCooperativeMatrixMulAddKHR), so C more fits 64 bits.
  return op.saturating || isWide(op.result) ? Component::S64 : Component::S32;
}

}  // namespace

const Arithmetic kReference = {
    .block = &kVectorBlock,
    .accepts =
        [](const MulAdd& op) {
          if (coopmat::isFloat(op.a) != coopmat::isFloat(op.result)) return false;
          if (coopmat::isFloat(op.b) != coopmat::isFloat(op.result)) return false;
          return !op.saturating ||
                 (coopmat::isInteger(op.result) && coopmat::bytesOf(op.result) <= 4);
        },
    .packing =
        [](const MulAdd& op) {
          Component packed = accumulator(op);
          return Packing{packed, packed, 1};
        },
    .accumulator = accumulator,
    .multiplyAdd = [](llvm::IRBuilderBase& builder, const MulAdd& op, llvm::Value* acc,
                      llvm::Value* a, llvm::Value* b) -> llvm::Value* {
      if (coopmat::isInteger(op.result)) return builder.CreateAdd(acc, builder.CreateMul(a, b));
      // Where products are exact, two instructions round as one would and spare machines without
      // FMA a call for each lane.
      if (isShort(op.a) && isShort(op.b)) {
        return builder.CreateFAdd(acc, builder.CreateFMul(a, b));
      }
      return builder.CreateIntrinsic(llvm::Intrinsic::fma, {acc->getType()}, {a, b, acc});
    },
};

}  // namespace jit::ukernel

// SPDX-License-Identifier: Apache-2.0

// Floating-point multiply-adds one k at a time. Shorter floats are converted when packed, which
// costs one conversion per element and not one per use.
#include "jit/ukernel/register_block.h"

namespace jit::ukernel {
namespace {

bool isNarrowFloat(Component component) {
  return coopmat::isFloat(component) && coopmat::bytesOf(component) <= 4;
}

llvm::Value* fusedMultiplyAdd(llvm::IRBuilderBase& builder, const MulAdd&, llvm::Value* acc,
                              llvm::Value* a, llvm::Value* b) {
  return builder.CreateIntrinsic(llvm::Intrinsic::fma, {acc->getType()}, {a, b, acc});
}

}  // namespace

const Arithmetic kFmaF32 = {
    .block = &kVectorBlock,
    .accepts =
        [](const MulAdd& op) {
          return isNarrowFloat(op.a) && isNarrowFloat(op.b) && isNarrowFloat(op.result);
        },
    .packing = [](const MulAdd&) { return Packing{Component::F32, Component::F32, 1}; },
    .accumulator = [](const MulAdd&) { return Component::F32; },
    .multiplyAdd = fusedMultiplyAdd,
};

const Arithmetic kFmaF64 = {
    .block = &kVectorBlock,
    .accepts =
        [](const MulAdd& op) {
          return coopmat::isFloat(op.a) && coopmat::isFloat(op.b) && op.result == Component::F64;
        },
    .packing = [](const MulAdd&) { return Packing{Component::F64, Component::F64, 1}; },
    .accumulator = [](const MulAdd&) { return Component::F64; },
    .multiplyAdd = fusedMultiplyAdd,
};

}  // namespace jit::ukernel

// SPDX-License-Identifier: Apache-2.0

// vpdpbusd: quads of unsigned by signed bytes onto 32-bit accumulators, exact modulo 2^32. Where
// both operands have the same signedness, A changes its own by an exclusive or with 0x80, that is
// by 128, and 128 times the column sums of B make up for it.
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/ukernel/register_block.h"

namespace jit::ukernel {
namespace {

Packing packing(const MulAdd& op) {
  if (op.a != op.b) return {op.a, op.b, 4};
  // s8: (a + 128) * b = a * b + 128 * b.  u8: (a - 128) * b = a * b - 128 * b.
  if (op.a == Component::S8) return {Component::U8, op.b, 4, true, -128};
  return {Component::S8, op.b, 4, true, 128};
}

llvm::Value* multiplyAdd(llvm::IRBuilderBase& builder, const MulAdd& op, llvm::Value* acc,
                         llvm::Value* a, llvm::Value* b) {
  bool a_is_unsigned = !coopmat::isSigned(packing(op).a);
  auto* accumulators = llvm::cast<llvm::FixedVectorType>(acc->getType());
  llvm::Intrinsic::ID id = accumulators->getNumElements() == 16
                               ? llvm::Intrinsic::x86_avx512_vpdpbusd_512
                               : llvm::Intrinsic::x86_avx512_vpdpbusd_256;
  // LLVM 19 declares the operands as 32-bit elements, 22 as bytes.
  llvm::Type* operand = llvm::Intrinsic::getType(builder.getContext(), id)->getParamType(1);
  llvm::Value* left = builder.CreateBitCast(a_is_unsigned ? a : b, operand);
  llvm::Value* right = builder.CreateBitCast(a_is_unsigned ? b : a, operand);
  return builder.CreateIntrinsic(id, {}, {acc, left, right});
}

}  // namespace

const Arithmetic kDotInt8 = {
    .block = &kVectorBlock,
    .accepts =
        [](const MulAdd& op) {
          return coopmat::isInteger8(op.a) && coopmat::isInteger8(op.b) &&
                 coopmat::isInteger(op.result) && coopmat::bytesOf(op.result) <= 4 &&
                 !op.saturating;
        },
    .packing = packing,
    .accumulator = [](const MulAdd&) { return Component::S32; },
    .multiplyAdd = multiplyAdd,
};

}  // namespace jit::ukernel

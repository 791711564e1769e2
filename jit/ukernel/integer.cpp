// SPDX-License-Identifier: Apache-2.0

// Integers of any width with the multiplication of whole registers: 32-bit accumulators modulo
// 2^32, and 64-bit ones for 64-bit results and for what saturates.
#include "jit/ukernel/register_block.h"

namespace jit::ukernel {
namespace {

Component accumulator(const MulAdd& op) {
  return op.saturating || coopmat::bytesOf(op.result) == 8 ? Component::S64 : Component::S32;
}

bool fitsSigned32(Component component) {
  return coopmat::bytesOf(component) < 4 || component == Component::S32;
}

bool fitsUnsigned32(Component component) {
  return coopmat::bytesOf(component) <= 4 && !coopmat::isSigned(component);
}

// The low halves of 64-bit elements, extended again: so that the code generator sees that 32-bit
// multiplications with 64-bit results do.
llvm::Value* extendLowHalf(llvm::IRBuilderBase& builder, llvm::Value* wide, bool is_signed) {
  if (!is_signed) return builder.CreateAnd(wide, uint64_t{0xffffffff});
  return builder.CreateAShr(builder.CreateShl(wide, 32), 32);
}

llvm::Value* multiplyAdd(llvm::IRBuilderBase& builder, const MulAdd& op, llvm::Value* acc,
                         llvm::Value* a, llvm::Value* b) {
  const bool both_signed = fitsSigned32(op.a) && fitsSigned32(op.b);
  const bool both_unsigned = fitsUnsigned32(op.a) && fitsUnsigned32(op.b);
  if (accumulator(op) == Component::S64 && (both_signed || both_unsigned)) {
    a = extendLowHalf(builder, a, both_signed);
    b = extendLowHalf(builder, b, both_signed);
  }
  return builder.CreateAdd(acc, builder.CreateMul(a, b));
}

}  // namespace

const Arithmetic kInteger = {
    .block = &kVectorBlock,
    .accepts =
        [](const MulAdd& op) {
          return coopmat::isInteger(op.a) && coopmat::isInteger(op.b) &&
                 coopmat::isInteger(op.result) &&
                 (!op.saturating || coopmat::bytesOf(op.result) <= 4);
        },
    .packing =
        [](const MulAdd& op) {
          Component packed = accumulator(op);
          return Packing{packed, packed, 1};
        },
    .accumulator = accumulator,
    .multiplyAdd = multiplyAdd,
};

}  // namespace jit::ukernel

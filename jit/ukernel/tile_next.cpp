// SPDX-License-Identifier: Apache-2.0

// Floats by AMX-FP16, AMX-FP8 and AMX-TF32, onto f32 accumulators, which are flushed like results.
// FP16 takes pairs of f16 and keeps their subnormals; FP8 quads of bytes of either format; TF32
// single numbers of 8 bits of exponent and 10 of mantissa, which all shorter floats are exact as.
// Not every LLVM has all of them: they are looked up by their names.
#include "jit/ir/intrinsics.h"
#include "jit/ukernel/register_block.h"

namespace jit::ukernel {
namespace {

bool isExactAsHalf(Component component) {
  return component == Component::F16 || coopmat::isFloat8(component);
}
bool isExactAsTf32(Component component) {
  return coopmat::isFloat(component) && coopmat::bytesOf(component) <= 2;
}

Component inF32(const MulAdd&) { return Component::F32; }

}  // namespace

const Arithmetic kTileF8 = {
    .block = &kTileBlock,
    .accepts =
        [](const MulAdd& op) {
          return coopmat::isFloat8(op.a) && coopmat::isFloat8(op.b) && op.result == Component::F32;
        },
    .packing = [](const MulAdd& op) { return Packing{op.a, op.b, 4}; },
    .accumulator = inF32,
    .multiplyTiles = [](const MulAdd& op) -> llvm::Intrinsic::ID {
      // "bf8" is E5M2, "hf8" E4M3; A's comes first.
      if (op.a == op.b)
        return intrinsicNamed(op.a == Component::E5M2 ? "llvm.x86.tdpbf8ps" : "llvm.x86.tdphf8ps");
      return intrinsicNamed(op.a == Component::E5M2 ? "llvm.x86.tdpbhf8ps" : "llvm.x86.tdphbf8ps");
    },
};

const Arithmetic kTileF16 = {
    .block = &kTileBlock,
    .accepts =
        [](const MulAdd& op) {
          return isExactAsHalf(op.a) && isExactAsHalf(op.b) && op.result == Component::F32;
        },
    .packing = [](const MulAdd&) { return Packing{Component::F16, Component::F16, 2}; },
    .accumulator = inF32,
    .multiplyTiles = [](const MulAdd&) { return intrinsicNamed("llvm.x86.tdpfp16ps"); },
};

const Arithmetic kTileTf32 = {
    .block = &kTileBlock,
    .accepts =
        [](const MulAdd& op) {
          return isExactAsTf32(op.a) && isExactAsTf32(op.b) && op.result == Component::F32;
        },
    .packing = [](const MulAdd&) { return Packing{Component::F32, Component::F32, 1}; },
    .accumulator = inF32,
    .multiplyTiles = [](const MulAdd&) { return intrinsicNamed("llvm.x86.tmmultf32ps"); },
};

}  // namespace jit::ukernel

// SPDX-License-Identifier: Apache-2.0

// Derivatives: differences between the invocations of a quad. OpDPdx, OpDPdy and OpFwidth are the
// fine ones; coarse ones are those of the quad's first invocation.
//
// Source: SPIR-V Specification, 3.52.16 "Derivative Instructions";
// SPV_KHR_compute_shader_derivatives; Vulkan Specification, "Derivative Operations".
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/simt/lane_permute.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// The direction is a bit of the invocation's number in its quad.
constexpr uint32_t kX = 1, kY = 2, kQuad = 3;

// Of what all live invocations share it is a difference too: of infinities there is none.
llvm::Value* difference(Emission& e, llvm::Value* p, uint32_t direction, bool coarse) {
  // Contracted with what p is made of, it would have a rounding error of its own.
  llvm::IRBuilderBase::FastMathFlagGuard guard(e.ir);
  e.ir.clearFastMathFlags();
  if (!e.simt.isVarying(p)) return e.ir.CreateFSub(p, p);
  p = e.simt.settled(p);
  const uint32_t others = coarse ? 0 : kQuad & ~direction;
  auto from = [&](uint32_t side) {
    return simt::shuffleLanes(
        e.simt, p, [&](uint32_t lane) { return (lane & ~kQuad) | (lane & others) | side; });
  };
  return e.ir.CreateFSub(from(direction), from(0));
}

Error checkGroup(Emission& e, const Instruction& i) {
  if (e.module.derivative_group != DerivativeGroup::None) return Error::success();
  return malformed(e.module.describe(i) +
                   ": the entry point has neither DerivativeGroupLinearKHR nor "
                   "DerivativeGroupQuadsKHR");
}

template <uint32_t kDirection, bool kCoarse>
Error emitDerivative(Emission& e, const Instruction& i) {
  if (Error error = checkGroup(e, i)) return error;
  return mapUnary(e, i, [&](llvm::Value* p) { return difference(e, p, kDirection, kCoarse); });
}

template <bool kCoarse>
Error emitWidth(Emission& e, const Instruction& i) {
  if (Error error = checkGroup(e, i)) return error;
  return mapUnary(e, i, [&](llvm::Value* p) {
    auto size = [&](uint32_t direction) {
      return e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, difference(e, p, direction, kCoarse));
    };
    return e.ir.CreateFAdd(size(kX), size(kY));
  });
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpDPdx, emitDerivative<kX, false>},
    {spv::Op::OpDPdy, emitDerivative<kY, false>},
    {spv::Op::OpFwidth, emitWidth<false>},
    {spv::Op::OpDPdxFine, emitDerivative<kX, false>},
    {spv::Op::OpDPdyFine, emitDerivative<kY, false>},
    {spv::Op::OpFwidthFine, emitWidth<false>},
    {spv::Op::OpDPdxCoarse, emitDerivative<kX, true>},
    {spv::Op::OpDPdyCoarse, emitDerivative<kY, true>},
    {spv::Op::OpFwidthCoarse, emitWidth<true>},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> derivativeOps() { return kRows; }

}  // namespace jit::spirv

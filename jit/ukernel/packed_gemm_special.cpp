// SPDX-License-Identifier: Apache-2.0

// Infinities and NaNs in operands of several planes. Parts of an element are multiplied for
// themselves, so that infinity times 1, whose lower part is 0, would be a NaN. A panel tells of
// them, and the rare K block that has some is multiplied by a function of the runtime.
#include <cstddef>

#include "jit/ir/symbols.h"
#include "jit/ir/vector_data.h"
#include "jit/ukernel/packed_gemm.h"
#include "runtime/kernel_library/plane_product.h"

namespace jit::ukernel {

using llvm::Value;

uint64_t PackedGemm::notFiniteOffset(Operand operand) const {
  return (operand == Operand::A ? b_offset_ : c_offset_) - not_finite_bytes_;
}

void PackedGemm::emitAllFinite(llvm::IRBuilder<>& builder, Value* panels, Operand operand) const {
  if (packing_.planes == 1) return;
  builder.CreateStore(builder.getInt32(0), offsetBy(builder, panels, notFiniteOffset(operand)));
}

void PackedGemm::emitBeginKBlock(llvm::IRBuilder<>& builder, Value* base) const {
  for (Operand operand : {Operand::A, Operand::B}) emitAllFinite(builder, base, operand);
}

void PackedGemm::emitUnlessFinite(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                  llvm::Function& function, const Panels& panels,
                                  const KBlock& k_block, llvm::BasicBlock* done) const {
  static_assert(
      sizeof(rt::PlaneProduct) == 8 * sizeof(uint64_t) &&
      offsetof(rt::PlaneProduct, micro_panels) == 8 && offsetof(rt::PlaneProduct, together) == 16 &&
      offsetof(rt::PlaneProduct, groups) == 24 && offsetof(rt::PlaneProduct, a_stride) == 32 &&
      offsetof(rt::PlaneProduct, a_plane) == 40 && offsetof(rt::PlaneProduct, b_plane) == 48 &&
      offsetof(rt::PlaneProduct, rounded) == 56);
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(builder.getContext(), name, &function);
  };
  auto *special = block("special"), *finite = block("finite");
  auto told = [&](const Panel& panel, Operand operand) {
    return builder.CreateLoad(builder.getInt32Ty(),
                              offsetBy(builder, panel.base, notFiniteOffset(operand)));
  };
  Value* any = builder.CreateOr(told(panels.a, Operand::A), told(panels.b, Operand::B));
  builder.CreateCondBr(builder.CreateIsNotNull(any), special, finite);

  builder.SetInsertPoint(special);
  const uint64_t words[] = {rows(),
                            microPanels(),
                            register_tile_.micro_panels,
                            groupsTotal(),
                            strides_.a,
                            planes_.a,
                            planes_.b,
                            roundsEachStep(*row_, op_) ? groupsPerStep(*row_, op_) : 0};
  llvm::Constant* form =
      makeVectorData(scope.module, *llvm::ConstantDataVector::get(builder.getContext(), words));
  llvm::Type* ptr = builder.getPtrTy();
  llvm::Type* i64 = builder.getInt64Ty();
  llvm::FunctionCallee multiply =
      runtimeFunction(scope.module, kMultiplyPlanes, builder.getVoidTy(),
                      {ptr, ptr, ptr, i64, ptr, i64, ptr, i64}, llvm::MemoryEffects::argMemOnly());
  Value* stride = builder.getInt64(strides_.c);
  Value* accumulators = offsetBy(builder, function.getArg(0), c_offset_);
  Value* c = accumulators;
  if (k_block.starts_at_zero)
    c = builder.CreateSelect(k_block.starts_at_zero,
                             llvm::ConstantPointerNull::get(builder.getPtrTy()), accumulators);
  Value* groups = builder.CreateMul(k_block.steps, builder.getInt64(groupsPerStep(*row_, op_)));
  builder.CreateCall(multiply,
                     {form, panels.a.base, offsetBy(builder, panels.b.base, b_offset_), groups, c,
                      stride, k_block.stores ? k_block.stores->to : accumulators,
                      k_block.stores ? k_block.stores->to_stride : stride});
  builder.CreateBr(done);
  builder.SetInsertPoint(finite);
}

}  // namespace jit::ukernel

// SPDX-License-Identifier: Apache-2.0

// A's rows, read where they lie.
#include "jit/ir/symbols.h"
#include "jit/ukernel/packed_gemm.h"

namespace jit::ukernel {

using llvm::Value;

bool PackedGemm::mayReadRowsInPlace(const Recorded& recorded) const {
  return block_->reads_rows && packing_.planes == 1 && packing_.a == op_.a && !packing_.flip_a &&
         recorded.a == Layout::Row && !recorded.may_be_packed && rows() == paddedRows() &&
         op_.k % packing_.group == 0;
}

PackedGemm::Panel PackedGemm::emitRows(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                       llvm::Function& function, const Recorded& recorded) const {
  if (!mayReadRowsInPlace(recorded))
    return emitPanel(scope, builder, function, Operand::A, recorded);
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(builder.getContext(), name, &function);
  };
  auto *in_place = block("in_place"), *pack = block("pack_rows"), *done = block("rows");
  llvm::Type *ptr = builder.getPtrTy(), *i64 = builder.getInt64Ty();
  llvm::FunctionCallee are_rows =
      runtimeFunction(scope.module, kAreRows, i64, {ptr, i64, i64, i64, i64, i64, i64},
                      llvm::MemoryEffects::inaccessibleOrArgMemOnly());
  Value* descriptors = offsetBy(builder, function.getArg(0), descriptors_offset_);
  const uint64_t step_bytes = uint64_t{op_.k} * coopmat::bytesOf(op_.a);
  const uint64_t together = uint64_t{block_->groups} * packing_.groupBytes();
  Value* are = builder.CreateCall(
      are_rows,
      {descriptors, builder.getInt64(a_tiles_), builder.getInt64(capacity_), function.getArg(1),
       builder.getInt64(op_.m), builder.getInt64(step_bytes), builder.getInt64(together)});
  builder.CreateCondBr(builder.CreateIsNotNull(are), in_place, pack);
  builder.SetInsertPoint(in_place);
  const TileMemory first = descriptors_.emitLoad(builder, descriptors, 0, builder.getInt64(0));
  builder.CreateBr(done);
  builder.SetInsertPoint(pack);
  const Panel packed = emitPanel(scope, builder, function, Operand::A, recorded);
  llvm::BasicBlock* pack_end = builder.GetInsertBlock();
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  auto merge = [&](Value* there, Value* otherwise) {
    llvm::PHINode* value = builder.CreatePHI(there->getType(), 2);
    value->addIncoming(there, in_place);
    value->addIncoming(otherwise, pack_end);
    return value;
  };
  return {merge(first.base, packed.base),
          merge(llvm::ConstantPointerNull::get(builder.getPtrTy()), packed.ahead),
          merge(builder.getFalse(), packed.packing_goes_on),
          merge(first.stride_bytes, builder.getInt64(strides_.a))};
}

}  // namespace jit::ukernel

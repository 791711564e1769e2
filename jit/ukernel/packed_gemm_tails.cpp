// SPDX-License-Identifier: Apache-2.0

// Zeros behind the last step's K groups, where a row's block multiplies several together.
#include "jit/ukernel/packed_gemm.h"

namespace jit::ukernel {

using llvm::Value;

void PackedGemm::emitZeroTail(llvm::IRBuilder<>& builder, Operand operand, Value* panels,
                              Value* steps) const {
  const uint32_t per_step = groupsPerStep(*row_, op_), together = block_->groups;
  if (per_step % together == 0) return;
  Value* groups = builder.CreateMul(steps, builder.getInt64(per_step));
  Value* rest = builder.CreateURem(groups, builder.getInt64(together));
  emitIf(builder, builder.CreateIsNotNull(rest), [&] {
    for (uint32_t plane = 0; plane < packing_.planes; ++plane) {
      if (operand == Operand::A) {
        emitZeroTailOfRows(builder, offsetBy(builder, panels, plane * planes_.a), groups, rest);
        continue;
      }
      Value* start = offsetBy(builder, panels, plane * planes_.b);
      const uint32_t width = register_tile_.micro_panels, whole = microPanels() / width * width;
      emitZeroTailOfColumns(builder, start, {0, whole}, width, groups, rest);
      emitZeroTailOfColumns(builder, start, {whole, microPanels() - whole}, microPanels() - whole,
                            groups, rest);
    }
  });
}

// The last K groups of each row that are multiplied together: all but the first `rest` become zero.
void PackedGemm::emitZeroTailOfRows(llvm::IRBuilder<>& builder, Value* panel, Value* groups,
                                    Value* rest) const {
  auto* group = builder.getIntNTy(packing_.groupBytes() * 8);
  auto* line = llvm::FixedVectorType::get(group, block_->groups);
  llvm::SmallVector<llvm::Constant*> numbers;
  for (uint32_t g = 0; g < block_->groups; ++g) numbers.push_back(llvm::ConstantInt::get(group, g));
  Value* limit = builder.CreateVectorSplat(block_->groups, builder.CreateZExtOrTrunc(rest, group));
  Value* is_kept = builder.CreateICmpULT(llvm::ConstantVector::get(numbers), limit);
  Value* first = builder.CreateSub(groups, rest);
  Value* start =
      offsetBy(builder, panel, builder.CreateMul(first, builder.getInt64(packing_.groupBytes())));
  const llvm::Align alignment(packing_.groupBytes());
  emitLoop(builder, builder.getInt64(uint64_t{rows()} * strides_.a), strides_.a, [&](Value* at) {
    Value* row = offsetBy(builder, start, at);
    Value* kept = builder.CreateAlignedLoad(line, row, alignment);
    kept = builder.CreateSelect(is_kept, kept, llvm::Constant::getNullValue(line));
    builder.CreateAlignedStore(kept, row, alignment);
  });
}

// `columns`: blocks of `width` micro-panels.
void PackedGemm::emitZeroTailOfColumns(llvm::IRBuilder<>& builder, Value* panel, Span columns,
                                       uint32_t width, Value* groups, Value* rest) const {
  if (columns.count == 0) return;
  const uint64_t group_bytes = uint64_t{width} * row_->vector_bytes;
  const uint64_t block_bytes = group_bytes * groupsTotal();
  Value* first = builder.CreateMul(groups, builder.getInt64(group_bytes));
  Value* start =
      offsetBy(builder, offsetBy(builder, panel, columnBlockOffset(columns.first)), first);
  Value* missing = builder.CreateSub(builder.getInt64(block_->groups), rest);
  Value* bytes = builder.CreateMul(missing, builder.getInt64(group_bytes));
  llvm::Constant* zeros = llvm::Constant::getNullValue(accumulatorVector(builder, *row_, op_));
  emitLoop(builder, builder.getInt64(columns.count / width * block_bytes), block_bytes,
           [&](Value* block) {
             emitLoop(builder, bytes, row_->vector_bytes, [&](Value* at) {
               Value* line = offsetBy(builder, offsetBy(builder, start, block), at);
               builder.CreateAlignedStore(zeros, line, llvm::Align(row_->vector_bytes));
             });
           });
}

}  // namespace jit::ukernel

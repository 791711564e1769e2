// SPDX-License-Identifier: Apache-2.0

// Where the accumulators of a product are stored.
#include <cstddef>

#include "jit/ir/symbols.h"
#include "jit/ir/vector_data.h"
#include "jit/ukernel/packed_gemm.h"
#include "runtime/kernel_library/stored_tiles.h"

namespace jit::ukernel {

using llvm::Value;

bool PackedGemm::accumulatorsGoAnywhere() const {
  return !roundsEachStep(*row_, op_) && op_.n % lanes(*row_, op_) == 0 && rows() == paddedRows() &&
         coopmat::bytesOf(row_->arithmetic->accumulator(op_)) == coopmat::bytesOf(op_.result);
}

llvm::Constant* PackedGemm::tileGrid(llvm::Module& module) const {
  static_assert(sizeof(rt::TileGrid) == 5 * sizeof(uint64_t) &&
                offsetof(rt::TileGrid, columns) == 8 && offsetof(rt::TileGrid, lines) == 16 &&
                offsetof(rt::TileGrid, line_bytes) == 24 && offsetof(rt::TileGrid, bytes) == 32);
  const uint64_t bytes = coopmat::bytesOf(op_.result);
  const uint64_t words[] = {a_tiles_, b_tiles_, op_.m, op_.n * bytes, bytes};
  return makeVectorData(module, *llvm::ConstantDataVector::get(module.getContext(), words));
}

void PackedGemm::emitDestination(llvm::IRBuilder<>& builder, Value* base, uint32_t i, uint32_t j,
                                 const TileMemory& destination) const {
  const uint64_t offset = (uint64_t{i} * b_tiles_ + j) * TileDescriptors::kDescriptorBytes;
  Value* descriptor = offsetBy(builder, base, destinations_offset_ + offset);
  builder.CreateStore(destination.base, descriptor);
  builder.CreateStore(destination.stride_bytes,
                      offsetBy(builder, descriptor, TileDescriptors::kStrideOffset));
  builder.CreateStore(destination.limit_bytes,
                      offsetBy(builder, descriptor, TileDescriptors::kLimitOffset));
}

Value* PackedGemm::emitAreOnePiece(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                   Value* base) const {
  llvm::Type* ptr = builder.getPtrTy();
  llvm::FunctionCallee function =
      runtimeFunction(scope.module, kAreOnePiece, builder.getInt64Ty(), {ptr, ptr},
                      llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
  return builder.CreateIsNotNull(builder.CreateCall(
      function, {offsetBy(builder, base, destinations_offset_), tileGrid(scope.module)}));
}

void PackedGemm::emitStores(const HelperScope& scope, llvm::IRBuilder<>& builder, Value* base,
                            Value* are_wanted, Order order) const {
  llvm::Type* ptr = builder.getPtrTy();
  llvm::Type* i64 = builder.getInt64Ty();
  llvm::FunctionCallee function =
      runtimeFunction(scope.module, kStoreTiles, builder.getVoidTy(), {ptr, ptr, ptr, i64, i64},
                      llvm::MemoryEffects::unknown());
  builder.CreateCall(function,
                     {offsetBy(builder, base, destinations_offset_), tileGrid(scope.module),
                      offsetBy(builder, base, c_offset_), builder.getInt64(order == Order::Columns),
                      builder.CreateZExt(are_wanted, i64)});
}

void PackedGemm::emitDestinationPrefetches(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                           llvm::Function& function, Value* first_row,
                                           uint32_t rows, Value* micro_panel,
                                           uint32_t width) const {
  llvm::FunctionCallee prefetch = prefetchFunction(scope.module, builder, kPrefetchColumn, 5);
  const uint64_t micro_panel_bytes = uint64_t{lanes(*row_, op_)} * coopmat::bytesOf(op_.result);
  Value* micro_panels_per_tile = builder.getInt64(micro_panels_per_tile_);
  for (uint32_t s = 0; s < width; ++s) {
    Value* number = builder.CreateAdd(micro_panel, builder.getInt64(s));
    Value* tile = builder.CreateUDiv(number, micro_panels_per_tile);
    Value* offset = builder.CreateMul(builder.CreateURem(number, micro_panels_per_tile),
                                      builder.getInt64(micro_panel_bytes));
    Value* column =
        offsetBy(builder, offsetBy(builder, function.getArg(0), destinations_offset_),
                 builder.CreateMul(tile, builder.getInt64(TileDescriptors::kDescriptorBytes)));
    builder.CreateCall(prefetch,
                       {column, builder.getInt64(b_tiles_), builder.getInt64(op_.m), first_row,
                        builder.CreateAdd(first_row, builder.getInt64(rows)), offset});
  }
}

}  // namespace jit::ukernel

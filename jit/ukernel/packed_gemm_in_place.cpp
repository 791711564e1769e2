// SPDX-License-Identifier: Apache-2.0

// Products of tiles that are read where they lie.
#include <algorithm>

#include "jit/ukernel/packed_gemm.h"

namespace jit::ukernel {

using llvm::Value;

void PackedGemm::emitMultiplyInPlace(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                     Value* base, uint32_t steps,
                                     const InPlaceStrides& strides) const {
  const RegisterTile shape = inPlaceTile(*row_, rows(), microPanels());
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    auto number = [&](uint64_t value) { return builder.getInt64(value); };
    auto scaled = [&](Value* index, uint64_t factor) {
      return builder.CreateMul(index, number(factor));
    };
    Value* descriptors = offsetBy(builder, function.getArg(0), descriptors_offset_);
    auto emitColumns = [&](uint32_t first, uint32_t count) {
      const uint32_t width = std::min(shape.micro_panels, count);
      emitLoop(builder, number(count), width, [&](Value* micro_panel) {
        llvm::SmallVector<Value*> b;
        for (uint32_t s = 0; s < width; ++s) {
          Value* index = builder.CreateAdd(micro_panel, number(first + s));
          Value* tile = builder.CreateUDiv(index, number(micro_panels_per_tile_));
          Value* within = builder.CreateURem(index, number(micro_panels_per_tile_));
          b.push_back(descriptors_.emitAddress(builder, descriptors,
                                               builder.CreateAdd(tile, number(a_tiles_))));
          b.push_back(scaled(within, row_->vector_bytes));
        }
        Value* c =
            offsetBy(builder, function.getArg(0), c_offset_ + uint64_t{first} * row_->vector_bytes);
        c = offsetBy(builder, c, scaled(micro_panel, row_->vector_bytes));
        emitLoop(builder, number(rows()), shape.rows, [&](Value* row) {
          Value* tile = builder.CreateUDiv(row, number(op_.m));
          Value* within = builder.CreateURem(row, number(op_.m));
          llvm::SmallVector<Value*> arguments{
              descriptors_.emitAddress(builder, descriptors, tile), scaled(within, strides.a),
              offsetBy(builder, c, scaled(row, strides_.c)), number(strides_.c), number(steps)};
          arguments.append(b);
          builder.CreateCall(
              inPlaceRegisterTileFunction(scope, *row_, op_, {shape.rows, width}, strides),
              arguments);
        });
      });
    };
    const uint32_t whole = microPanels() / shape.micro_panels * shape.micro_panels;
    if (whole != 0) emitColumns(0, whole);
    if (whole != microPanels()) emitColumns(whole, microPanels() - whole);
  };
  FunctionKey key = keyOf(FunctionKind::ProductInPlace);
  key.add(strides.a).add(strides.b).add(steps);
  llvm::Function* function = helperFunction(scope, key, {builder.getPtrTy()}, emit);
  // Tiles are read through pointers that are no arguments.
  function->setMemoryEffects(function->getMemoryEffects() | llvm::MemoryEffects::readOnly());
  builder.CreateCall(function, {base});
}

}  // namespace jit::ukernel

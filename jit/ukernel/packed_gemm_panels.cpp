// SPDX-License-Identifier: Apache-2.0

// Panels: tiles are packed where they are loaded, or recorded there; those are packed when a K
// block is multiplied, or found as an earlier workgroup left them.
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/xxhash.h>

#include "jit/ir/symbols.h"
#include "jit/ukernel/packed_gemm.h"

namespace jit::ukernel {

using llvm::SmallVector;
using llvm::Value;

namespace {

// {ptr, ptr} rt::findPanel(ptr descriptors, i64 tiles, i64 capacity, i64 steps, i64 form,
//                          i64 bytes)
llvm::FunctionCallee findPanelFunction(llvm::Module& module, llvm::IRBuilder<>& builder) {
  llvm::Type* ptr = builder.getPtrTy();
  llvm::Type* i64 = builder.getInt64Ty();
  return runtimeFunction(module, kFindPanel, llvm::StructType::get(ptr, ptr),
                         {ptr, i64, i64, i64, i64, i64}, llvm::MemoryEffects::unknown());
}

}  // namespace

llvm::FunctionCallee PackedGemm::prefetchFunction(llvm::Module& module, llvm::IRBuilder<>& builder,
                                                  llvm::StringRef name, unsigned numbers) {
  SmallVector<llvm::Type*> parameters(1 + numbers, builder.getInt64Ty());
  parameters.front() = builder.getPtrTy();
  return runtimeFunction(
      module, name, builder.getVoidTy(), parameters,
      llvm::MemoryEffects::readOnly() | llvm::MemoryEffects::inaccessibleMemOnly());
}

void PackedGemm::emitPackA(const HelperScope& scope, llvm::IRBuilder<>& builder, Value* base,
                           uint32_t tile, Value* step, const TileMemory& source, Layout layout,
                           Prefetch prefetch) const {
  uint64_t step_bytes = uint64_t{groupsPerStep(*row_, op_)} * packing_.groupBytes();
  Value* target = offsetBy(builder, offsetBy(builder, base, uint64_t{tile} * op_.m * strides_.a),
                           builder.CreateMul(step, builder.getInt64(step_bytes)));
  const PackedRows packed{strides_.a, planes_.a};
  builder.CreateCall(packAFunction(scope, *row_, op_, layout, packed, prefetch),
                     {source.base, source.stride_bytes, source.limit_bytes, target,
                      offsetBy(builder, base, notFiniteOffset(Operand::A))});
}

void PackedGemm::emitPackB(const HelperScope& scope, llvm::IRBuilder<>& builder, Value* base,
                           uint32_t tile, Value* step, const TileMemory& source, Layout layout,
                           Prefetch prefetch) const {
  uint32_t first = tile * micro_panels_per_tile_;
  uint32_t end = first + micro_panels_per_tile_;
  // One call for each block of columns that the tile touches.
  for (uint32_t micro_panel = first; micro_panel < end;) {
    Span block = columnBlock(micro_panel);
    uint32_t next = std::min(end, block.first + block.count);
    uint32_t column = (micro_panel - first) * lanes(*row_, op_);
    uint32_t columns = std::min(op_.n, (next - first) * lanes(*row_, op_)) - column;
    TileMemory part = source;
    if (column != 0) {
      uint64_t component_bytes = coopmat::bytesOf(op_.b);
      Value* offset = layout == Layout::Row
                          ? builder.getInt64(column * component_bytes)
                          : builder.CreateMul(source.stride_bytes, builder.getInt64(column));
      part.base = offsetBy(builder, source.base, offset);
      part.limit_bytes =
          builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, source.limit_bytes, offset);
    }
    uint32_t group_row_bytes = block.count * row_->vector_bytes;
    uint64_t step_bytes = uint64_t{groupsPerStep(*row_, op_)} * group_row_bytes;
    uint64_t start =
        columnBlockOffset(block.first) + uint64_t{micro_panel - block.first} * row_->vector_bytes;
    Value* target = offsetBy(builder, offsetBy(builder, base, start),
                             builder.CreateMul(step, builder.getInt64(step_bytes)));
    uint64_t first_sums =
        sums_offset_ + sumsRowBytes() + uint64_t{micro_panel} * row_->vector_bytes;
    Value* sums = offsetBy(builder, offsetBy(builder, base, first_sums),
                           builder.CreateMul(step, builder.getInt64(parts_ * sumsRowBytes())));
    const PackedColumns packed{columns, group_row_bytes, static_cast<uint32_t>(sumsRowBytes()),
                               planes_.b};
    builder.CreateCall(packBFunction(scope, *row_, op_, layout, packed, prefetch),
                       {part.base, part.stride_bytes, part.limit_bytes, target, sums,
                        offsetBy(builder, base, notFiniteOffset(Operand::B))});
    micro_panel = next;
  }
}

void PackedGemm::emitStayAwake(llvm::IRBuilder<>& builder, Value* base) const {
  if (block_->stayAwake)
    block_->stayAwake(builder, *row_, op_, offsetBy(builder, base, scratch_offset_));
}

void PackedGemm::emitDescriptorA(llvm::IRBuilder<>& builder, Value* base, uint32_t tile,
                                 Value* step, const TileMemory& source, Value* is_packed) const {
  TileMemory recorded = source;
  if (is_packed)
    recorded.base = builder.CreateSelect(is_packed, TileDescriptors::noTile(builder), source.base);
  descriptors_.emitStore(builder, offsetBy(builder, base, descriptors_offset_), tile, step,
                         recorded);
}

void PackedGemm::emitDescriptorB(llvm::IRBuilder<>& builder, Value* base, uint32_t tile,
                                 Value* step, const TileMemory& source, Value* is_packed) const {
  emitDescriptorA(builder, base, a_tiles_ + tile, step, source, is_packed);
}

// Tile after tile where lines run along K, so that the parts of a line are read one after the
// other; step after step where they run across the tiles.
void PackedGemm::emitPackRecorded(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                  llvm::Function& function, Operand operand,
                                  const Recorded& recorded, Value* panels) const {
  const bool is_a = operand == Operand::A;
  const Layout layout = is_a ? recorded.a : recorded.b;
  const bool along_k = is_a == (layout == Layout::Row);
  const uint32_t tiles = is_a ? a_tiles_ : b_tiles_;
  Value* steps = function.getArg(1);
  Value* descriptors = offsetBy(builder, function.getArg(0), descriptors_offset_);
  auto pack = [&](uint32_t tile, Value* step) {
    TileMemory source =
        descriptors_.emitLoad(builder, descriptors, is_a ? tile : a_tiles_ + tile, step);
    auto emit = [&] {
      const auto emit_pack = is_a ? &PackedGemm::emitPackA : &PackedGemm::emitPackB;
      (this->*emit_pack)(scope, builder, panels, tile, step, source, layout, Prefetch::None);
      emitStayAwake(builder, function.getArg(0));
    };
    if (recorded.may_be_packed) {
      emitIf(builder, builder.CreateICmpNE(source.base, TileDescriptors::noTile(builder)), emit);
    } else {
      emit();
    }
  };
  if (along_k) {
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      emitLoop(builder, steps, 1, [&](Value* step) { pack(tile, step); });
    }
  } else {
    emitLoop(builder, steps, 1, [&](Value* step) {
      for (uint32_t tile = 0; tile < tiles; ++tile) pack(tile, step);
    });
  }
  emitZeroTail(builder, operand, panels, steps);
}

PackedGemm::Panel PackedGemm::emitPanel(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                        llvm::Function& function, Operand operand,
                                        const Recorded& recorded) const {
  Value* base = function.getArg(0);
  if (!recorded.is_shared) {
    emitPackRecorded(scope, builder, function, operand, recorded, base);
    return {base, llvm::ConstantPointerNull::get(builder.getPtrTy()), builder.getTrue()};
  }
  const bool is_a = operand == Operand::A;
  const uint64_t begin = is_a ? 0 : b_offset_;
  const uint64_t bytes = is_a ? b_offset_ : c_offset_ - b_offset_;
  const uint32_t first = is_a ? 0 : a_tiles_;
  const uint32_t tiles = is_a ? a_tiles_ : b_tiles_;
  const Layout layout = is_a ? recorded.a : recorded.b;
  const uint64_t form =
      llvm::xxh3_64bits(mangledName() + (layout == Layout::Row ? ".row" : ".column")) << 1 | is_a;
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(builder.getContext(), name, &function);
  };
  auto *fill = block("fill"), *look = block("look"), *begin_panel = block("begin");
  auto* pack = block("pack");
  auto* packed = block("packed");
  Value* steps = function.getArg(1);
  Value* descriptors = offsetBy(builder, base, descriptors_offset_);
  Value* is_full = builder.CreateICmpEQ(steps, builder.getInt64(capacity_));
  llvm::BasicBlock* const entry = builder.GetInsertBlock();
  if (recorded.may_be_packed) {
    // A part lies in the product's own memory, where the rest goes then.
    auto* share = block("share");
    const uint64_t bit = is_a ? kPackedA : kPackedB;
    Value* is_partly_packed =
        builder.CreateIsNotNull(builder.CreateAnd(function.getArg(2), builder.getInt64(bit)));
    builder.CreateCondBr(is_partly_packed, pack, share);
    builder.SetInsertPoint(share);
  }
  builder.CreateCondBr(is_full, look, fill);

  builder.SetInsertPoint(fill);
  for (uint32_t tile = first; tile < first + tiles; ++tile) {
    descriptors_.emitFill(builder, descriptors, tile, steps);
  }
  builder.CreateBr(look);

  builder.SetInsertPoint(look);
  Value* key = offsetBy(builder, descriptors, descriptors_.offset(first));
  Value* answer = builder.CreateCall(findPanelFunction(scope.module, builder),
                                     {key, builder.getInt64(tiles), builder.getInt64(capacity_),
                                      steps, builder.getInt64(form), builder.getInt64(bytes)});
  Value* found = builder.CreateExtractValue(answer, 0);
  Value* next = builder.CreateExtractValue(answer, 1);
  Value* bits = builder.CreatePtrToInt(found, builder.getInt64Ty());
  Value* mark = builder.CreateAnd(bits, builder.getInt64(1));
  Value* memory = builder.CreatePtrAdd(
      found, builder.CreateSub(builder.getInt64(-static_cast<int64_t>(begin)), mark));
  Value* is_missing = builder.CreateIsNull(bits);
  Value* found_place = builder.CreateSelect(is_missing, base, memory);
  builder.CreateCondBr(builder.CreateOr(is_missing, builder.CreateIsNotNull(mark)), begin_panel,
                       packed);

  builder.SetInsertPoint(begin_panel);
  emitAllFinite(builder, found_place, operand);
  builder.CreateBr(pack);

  builder.SetInsertPoint(pack);
  auto phi = [&](llvm::Type* type) { return builder.CreatePHI(type, 2); };
  llvm::PHINode *pack_place = phi(builder.getPtrTy()), *pack_ahead = phi(builder.getPtrTy());
  llvm::PHINode* goes_on_after_packing = phi(builder.getInt1Ty());
  pack_place->addIncoming(found_place, begin_panel);
  pack_ahead->addIncoming(next, begin_panel);
  goes_on_after_packing->addIncoming(is_full, begin_panel);
  if (recorded.may_be_packed) {
    pack_place->addIncoming(base, entry);
    pack_ahead->addIncoming(llvm::ConstantPointerNull::get(builder.getPtrTy()), entry);
    goes_on_after_packing->addIncoming(builder.getFalse(), entry);
  }
  emitPackRecorded(scope, builder, function, operand, recorded, pack_place);
  llvm::BasicBlock* pack_end = builder.GetInsertBlock();
  builder.CreateBr(packed);

  builder.SetInsertPoint(packed);
  llvm::PHINode *place = phi(builder.getPtrTy()), *ahead = phi(builder.getPtrTy());
  llvm::PHINode* packing_goes_on = phi(builder.getInt1Ty());
  place->addIncoming(found_place, look);
  place->addIncoming(pack_place, pack_end);
  ahead->addIncoming(next, look);
  ahead->addIncoming(pack_ahead, pack_end);
  packing_goes_on->addIncoming(builder.getFalse(), look);
  packing_goes_on->addIncoming(goes_on_after_packing, pack_end);
  return {place, ahead, packing_goes_on};
}

RegisterTileAhead PackedGemm::aheadOfRegisterTile() const {
  auto share = [&](uint64_t bytes) {
    const uint64_t lines = bytes / kCacheLine;
    return llvm::divideCeil(lines, registerTiles()) * kCacheLine;
  };
  return {share(b_offset_), share(c_offset_ - b_offset_), groupsTotal()};
}

Value* PackedGemm::emitAhead(llvm::IRBuilder<>& builder, Value* ahead, Value* number,
                             uint64_t bytes, Value* otherwise) const {
  Value* start = offsetBy(builder, ahead, builder.CreateMul(number, builder.getInt64(bytes)));
  return builder.CreateSelect(builder.CreateIsNull(ahead), otherwise, start);
}

void PackedGemm::emitSourcePrefetches(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                      llvm::Function& function, Value* number, const Panels& panels,
                                      const Recorded& recorded) const {
  llvm::FunctionCallee prefetch = prefetchFunction(scope.module, builder, kPrefetchTilesAhead, 6);
  auto emit = [&](Value* is_wanted, uint32_t first_tile, uint32_t tiles, const SourceTile& tile) {
    emitIf(builder, is_wanted, [&] {
      const uint64_t count = uint64_t{tiles} * capacity_ * tile.lines();
      const uint64_t part = llvm::divideCeil(count, registerTiles());
      auto least = [&](Value* value) {
        return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, value, builder.getInt64(count));
      };
      Value* begin = least(builder.CreateMul(number, builder.getInt64(part)));
      Value* descriptors = offsetBy(builder, function.getArg(0),
                                    descriptors_offset_ + descriptors_.offset(first_tile));
      builder.CreateCall(prefetch,
                         {descriptors, builder.getInt64(capacity_), function.getArg(1), begin,
                          least(builder.CreateAdd(begin, builder.getInt64(part))),
                          builder.getInt64(tile.lines()), builder.getInt64(tile.lineBytes())});
    });
  };
  emit(panels.a.packing_goes_on, 0, a_tiles_, {op_.a, op_.m, op_.k, recorded.a});
  emit(panels.b.packing_goes_on, a_tiles_, b_tiles_, {op_.b, op_.k, op_.n, recorded.b});
}

}  // namespace jit::ukernel

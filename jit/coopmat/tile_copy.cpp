// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/tile_copy.h"

#include "jit/ir/symbols.h"
#include "jit/simt/transpose.h"

namespace jit::coopmat {
namespace {

using llvm::IRBuilder;
using llvm::SmallVector;
using llvm::Value;
using ukernel::offsetBy;
using ukernel::SourceTile;

llvm::FixedVectorType* rowType(IRBuilder<>& builder, const SourceTile& tile) {
  return llvm::FixedVectorType::get(componentType(tile.component, builder), tile.columns);
}

// Where to read the rows of a tile, in memory without a limit.
struct Rows {
  Value *base, *stride_bytes;

  Value* row(IRBuilder<>& builder, Value* first, uint32_t index) const {
    if (index == 0) return first;
    return offsetBy(builder, first, builder.CreateMul(stride_bytes, builder.getInt64(index)));
  }
};

void emitWholeStores(IRBuilder<>& builder, const SourceTile& tile, const Rows& source,
                     const ukernel::TileMemory& target, uint32_t vector_bytes) {
  llvm::Align alignment(bytesOf(tile.component));
  llvm::Type* row_type = rowType(builder, tile);
  const bool by_rows = tile.layout == Layout::Row;
  const uint32_t per_iteration = by_rows ? ukernel::linesPerIteration(tile.rows, 1) : tile.rows;
  auto address = [&](Value* base, uint32_t line) {
    return offsetBy(builder, base, builder.CreateMul(target.stride_bytes, builder.getInt64(line)));
  };
  auto copy = [&](llvm::ArrayRef<Value*> at) {
    SmallVector<Value*> lines;
    for (uint32_t r = 0; r < per_iteration; ++r) {
      lines.push_back(
          builder.CreateAlignedLoad(row_type, source.row(builder, at[0], r), alignment));
    }
    if (!by_rows) lines = ukernel::transpose(builder, lines, vector_bytes);
    for (uint32_t i = 0; i < lines.size(); ++i) {
      builder.CreateAlignedStore(lines[i], address(at[1], i), alignment);
    }
    return SmallVector<Value*>{source.row(builder, at[0], per_iteration),
                               address(at[1], per_iteration)};
  };
  ukernel::emitIterations(builder, tile.rows / per_iteration, {source.base, target.base}, copy);
}

// What is written below must not be read after that: rows among which lines of the target may lie
// are copied to the stack.
Rows emitKept(IRBuilder<>& builder, const SourceTile& tile, const Rows& source,
              const ukernel::TileMemory& target) {
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::Type* row_type = rowType(builder, tile);
  const llvm::Align alignment(bytesOf(tile.component));
  const uint64_t row_bytes = uint64_t{tile.columns} * bytesOf(tile.component);
  // Read as components in any case, so it needs no more than a stack's alignment.
  llvm::AllocaInst* copy = builder.CreateAlloca(
      llvm::ArrayType::get(builder.getInt8Ty(), tile.rows * row_bytes), nullptr, "kept");
  copy->setAlignment(llvm::Align(16));

  auto number = [&](Value* pointer) {
    return builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  };
  auto end = [&](Value* base, Value* stride, uint32_t lines, uint64_t line_bytes) {
    Value* last = builder.CreateMul(stride, builder.getInt64(lines - 1));
    return builder.CreateAdd(number(base), builder.CreateAdd(last, builder.getInt64(line_bytes)));
  };
  Value* source_end = end(source.base, source.stride_bytes, tile.rows, row_bytes);
  Value* target_end = end(target.base, target.stride_bytes, tile.lines(), tile.lineBytes());
  Value* overlaps = builder.CreateOr(
      builder.CreateAnd(builder.CreateICmpUGT(target_end, number(source.base)),
                        builder.CreateICmpUGT(source_end, number(target.base))),
      builder.CreateICmpUGE(target.stride_bytes, builder.getInt64(ukernel::kInsaneStride)));
  auto* keep = llvm::BasicBlock::Create(builder.getContext(), "keep", before->getParent());
  auto* write = llvm::BasicBlock::Create(builder.getContext(), "write", before->getParent());
  builder.CreateCondBr(overlaps, keep, write);
  builder.SetInsertPoint(keep);
  ukernel::emitLoop(builder, builder.getInt64(tile.rows), 1, [&](Value* row) {
    Value* from = offsetBy(builder, source.base, builder.CreateMul(row, source.stride_bytes));
    Value* to = offsetBy(builder, copy, builder.CreateMul(row, builder.getInt64(row_bytes)));
    builder.CreateAlignedStore(builder.CreateAlignedLoad(row_type, from, alignment), to, alignment);
  });
  llvm::BasicBlock* kept = builder.GetInsertBlock();
  builder.CreateBr(write);
  builder.SetInsertPoint(write);
  auto merge = [&](Value* in_place, Value* copied) {
    llvm::PHINode* value = builder.CreatePHI(in_place->getType(), 2);
    value->addIncoming(in_place, before);
    value->addIncoming(copied, kept);
    return value;
  };
  return {merge(source.base, copy), merge(source.stride_bytes, builder.getInt64(row_bytes))};
}

void emitStores(const ukernel::HelperScope& scope, IRBuilder<>& builder, const SourceTile& tile,
                const Rows& source, const ukernel::TileMemory& target, uint32_t vector_bytes) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  auto* whole = llvm::BasicBlock::Create(builder.getContext(), "whole", function);
  auto* clipped = llvm::BasicBlock::Create(builder.getContext(), "clipped", function);
  auto* done = llvm::BasicBlock::Create(builder.getContext(), "done", function);
  builder.CreateCondBr(isInBounds(builder, tile, target), whole, clipped);
  builder.SetInsertPoint(whole);
  emitWholeStores(builder, tile, source, target, vector_bytes);
  builder.CreateBr(done);
  builder.SetInsertPoint(clipped);
  emitClippedStores(scope, builder, tile, source.base, source.stride_bytes, target);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
}

}  // namespace

void emitClippedStores(const ukernel::HelperScope& scope, IRBuilder<>& builder,
                       const SourceTile& tile, Value* source, Value* source_stride,
                       const ukernel::TileMemory& target) {
  llvm::Type* ptr = builder.getPtrTy();
  llvm::Type* i64 = builder.getInt64Ty();
  llvm::FunctionCallee scatter = runtimeFunction(
      scope.module, ukernel::kScatterClipped, builder.getVoidTy(),
      {ptr, i64, ptr, i64, i64, i64, i64, i64, i64}, llvm::MemoryEffects::argMemOnly());
  builder.CreateCall(
      scatter,
      {source, source_stride, target.base, target.stride_bytes, target.limit_bytes,
       builder.getInt64(tile.rows), builder.getInt64(tile.columns),
       builder.getInt64(bytesOf(tile.component)), builder.getInt64(tile.layout == Layout::Column)});
}

llvm::Function* gatherFunction(const ukernel::HelperScope& scope, const SourceTile& tile,
                               uint32_t vector_bytes) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  auto emit = [&](IRBuilder<>& builder, llvm::Function& function) {
    ukernel::TileReader reader(scope, builder, function, tile);
    const bool by_rows = tile.layout == Layout::Row;
    const uint32_t per_iteration =
        by_rows ? ukernel::linesPerIteration(tile.lines(), 1) : tile.lines();
    const uint64_t row_bytes = uint64_t{tile.columns} * bytesOf(tile.component);
    auto copy = [&](llvm::ArrayRef<Value*> at) {
      SmallVector<Value*> rows = reader.readLines(at[0], per_iteration);
      if (!by_rows) rows = ukernel::transpose(builder, rows, vector_bytes);
      for (uint32_t r = 0; r < rows.size(); ++r) {
        builder.CreateAlignedStore(rows[r], offsetBy(builder, at[1], r * row_bytes),
                                   llvm::Align(bytesOf(tile.component)));
      }
      return SmallVector<Value*>{reader.address(at[0], per_iteration),
                                 offsetBy(builder, at[1], per_iteration * row_bytes)};
    };
    ukernel::emitIterations(builder, tile.lines() / per_iteration,
                            {reader.base(), function.getArg(3)}, copy);
  };
  return ukernel::helperFunction(scope, keyOf(FunctionKind::Gather, tile), {ptr, i64, i64, ptr},
                                 emit);
}

llvm::Function* scatterFunction(const ukernel::HelperScope& scope, const SourceTile& tile,
                                uint64_t source_stride, bool may_overlap, uint32_t vector_bytes) {
  llvm::LLVMContext& context = scope.module.getContext();
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  auto emit = [&](IRBuilder<>& builder, llvm::Function& function) {
    const ukernel::TileMemory target{function.getArg(1), function.getArg(2), function.getArg(3)};
    Rows source{function.getArg(0), builder.getInt64(source_stride)};
    if (may_overlap) {
      for (unsigned same : {0, 1}) function.removeParamAttr(same, llvm::Attribute::NoAlias);
      source = emitKept(builder, tile, source, target);
    }
    emitStores(scope, builder, tile, source, target, vector_bytes);
  };
  FunctionKey key = keyOf(may_overlap ? FunctionKind::Move : FunctionKind::Scatter, tile);
  return ukernel::helperFunction(scope, key.add(source_stride), {ptr, ptr, i64, i64}, emit);
}

}  // namespace jit::coopmat

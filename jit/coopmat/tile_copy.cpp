#include "jit/coopmat/tile_copy.h"

#include "jit/llvm/symbols.h"
#include "jit/ukernel/transpose.h"

namespace jit::coopmat {
namespace {

using llvm::IRBuilder;
using llvm::SmallVector;
using llvm::Value;
using ukernel::offsetBy;
using ukernel::SourceTile;

void emitWholeStores(IRBuilder<>& builder, const SourceTile& tile, Value* source,
                     uint64_t source_stride, const ukernel::TileMemory& target,
                     uint32_t vector_bytes) {
  llvm::Align alignment(bytesOf(tile.component));
  auto* row_type = llvm::FixedVectorType::get(componentType(tile.component, builder), tile.columns);
  const bool by_rows = tile.layout == Layout::Row;
  const uint32_t turn = by_rows ? ukernel::linesPerTurn(tile.rows, 1) : tile.rows;
  auto address = [&](Value* base, uint32_t line) {
    return offsetBy(builder, base, builder.CreateMul(target.stride_bytes, builder.getInt64(line)));
  };
  auto copy = [&](llvm::ArrayRef<Value*> at) {
    SmallVector<Value*> lines;
    for (uint32_t r = 0; r < turn; ++r) {
      lines.push_back(builder.CreateAlignedLoad(
          row_type, offsetBy(builder, at[0], r * source_stride), alignment));
    }
    if (!by_rows) lines = ukernel::transpose(builder, lines, vector_bytes);
    for (uint32_t i = 0; i < lines.size(); ++i) {
      builder.CreateAlignedStore(lines[i], address(at[1], i), alignment);
    }
    return SmallVector<Value*>{offsetBy(builder, at[0], turn * source_stride),
                               address(at[1], turn)};
  };
  ukernel::emitTurns(builder, tile.rows / turn, {source, target.base}, copy);
}

}  // namespace

void emitClippedStores(const ukernel::HelperScope& scope, IRBuilder<>& builder,
                       const SourceTile& tile, Value* source, uint64_t source_stride,
                       const ukernel::TileMemory& target) {
  llvm::Type* ptr = builder.getPtrTy();
  llvm::Type* i64 = builder.getInt64Ty();
  llvm::FunctionCallee scatter = runtimeFunction(
      scope.module, ukernel::kScatterClipped, builder.getVoidTy(),
      {ptr, i64, ptr, i64, i64, i64, i64, i64, i64}, llvm::MemoryEffects::argMemOnly());
  builder.CreateCall(
      scatter,
      {source, builder.getInt64(source_stride), target.base, target.stride_bytes,
       target.limit_bytes, builder.getInt64(tile.rows), builder.getInt64(tile.columns),
       builder.getInt64(bytesOf(tile.component)), builder.getInt64(tile.layout == Layout::Column)});
}

llvm::Function* gatherFunction(const ukernel::HelperScope& scope, const SourceTile& tile,
                               uint32_t vector_bytes) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  auto emit = [&](IRBuilder<>& builder, llvm::Function& function) {
    ukernel::TileReader reader(scope, builder, function, tile);
    const bool by_rows = tile.layout == Layout::Row;
    const uint32_t turn = by_rows ? ukernel::linesPerTurn(tile.lines(), 1) : tile.lines();
    const uint64_t row_bytes = uint64_t{tile.columns} * bytesOf(tile.component);
    auto copy = [&](llvm::ArrayRef<Value*> at) {
      SmallVector<Value*> rows = reader.readLines(at[0], turn);
      if (!by_rows) rows = ukernel::transpose(builder, rows, vector_bytes);
      for (uint32_t r = 0; r < rows.size(); ++r) {
        builder.CreateAlignedStore(rows[r], offsetBy(builder, at[1], r * row_bytes),
                                   llvm::Align(bytesOf(tile.component)));
      }
      return SmallVector<Value*>{reader.address(at[0], turn),
                                 offsetBy(builder, at[1], turn * row_bytes)};
    };
    ukernel::emitTurns(builder, tile.lines() / turn, {reader.base(), function.getArg(3)}, copy);
  };
  return ukernel::helperFunction(scope, "tessera.gather." + mangle(tile), {ptr, i64, i64, ptr},
                                 emit);
}

llvm::Function* scatterFunction(const ukernel::HelperScope& scope, const SourceTile& tile,
                                uint64_t source_stride, uint32_t vector_bytes) {
  llvm::LLVMContext& context = scope.module.getContext();
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  auto emit = [&](IRBuilder<>& builder, llvm::Function& function) {
    ukernel::TileMemory target{function.getArg(1), function.getArg(2), function.getArg(3)};
    auto* whole = llvm::BasicBlock::Create(context, "whole", &function);
    auto* clipped = llvm::BasicBlock::Create(context, "clipped", &function);
    auto* done = llvm::BasicBlock::Create(context, "done", &function);
    builder.CreateCondBr(isInBounds(builder, tile, target), whole, clipped);
    builder.SetInsertPoint(whole);
    emitWholeStores(builder, tile, function.getArg(0), source_stride, target, vector_bytes);
    builder.CreateBr(done);
    builder.SetInsertPoint(clipped);
    emitClippedStores(scope, builder, tile, function.getArg(0), source_stride, target);
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
  };
  return ukernel::helperFunction(
      scope, "tessera.scatter." + mangle(tile) + "." + std::to_string(source_stride),
      {ptr, ptr, i64, i64}, emit);
}

}  // namespace jit::coopmat

// SPDX-License-Identifier: Apache-2.0

#include "jit/ukernel/source_tile.h"

#include "jit/ir/symbols.h"

namespace jit::ukernel {

using llvm::Value;

void addTo(FunctionKey& key, const SourceTile& tile) {
  key.add(static_cast<uint64_t>(tile.component), coopmat::info(tile.component).text);
  key.add({tile.rows, tile.columns}, llvm::Twine(tile.rows) + "x" + llvm::Twine(tile.columns));
  key.add(static_cast<uint64_t>(tile.layout), tile.layout == Layout::Row ? "row" : "column");
}

FunctionKey keyOf(FunctionKind kind, const SourceTile& tile) {
  FunctionKey key(kind);
  addTo(key, tile);
  return key;
}

Value* isInBounds(llvm::IRBuilderBase& builder, const SourceTile& tile, const TileMemory& memory) {
  Value* last = builder.CreateMul(memory.stride_bytes, builder.getInt64(tile.lines() - 1));
  Value* end = builder.CreateAdd(last, builder.getInt64(tile.lineBytes()));
  // An insane stride takes the slow path, which tests each component.
  Value* sane = builder.CreateICmpULT(memory.stride_bytes, builder.getInt64(kInsaneStride));
  return builder.CreateAnd(sane, builder.CreateICmpULE(end, memory.limit_bytes));
}

TileMemory emitClipping(const HelperScope& scope, llvm::IRBuilder<>& builder,
                        const SourceTile& tile, const TileMemory& memory, Value* copy) {
  llvm::Type* ptr = builder.getPtrTy();
  llvm::Type* i64 = builder.getInt64Ty();
  llvm::FunctionCallee gather =
      runtimeFunction(scope.module, kGatherClipped, builder.getVoidTy(),
                      {ptr, i64, i64, ptr, i64, i64, i64}, llvm::MemoryEffects::argMemOnly());
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* clip = llvm::BasicBlock::Create(builder.getContext(), "clip", before->getParent());
  auto* read = llvm::BasicBlock::Create(builder.getContext(), "read", before->getParent());
  builder.CreateCondBr(isInBounds(builder, tile, memory), read, clip);
  builder.SetInsertPoint(clip);
  builder.CreateCall(gather, {memory.base, memory.stride_bytes, memory.limit_bytes, copy,
                              builder.getInt64(tile.lines()), builder.getInt64(tile.lineLength()),
                              builder.getInt64(coopmat::bytesOf(tile.component))});
  builder.CreateBr(read);
  builder.SetInsertPoint(read);
  auto merge = [&](Value* whole, Value* clipped) {
    llvm::PHINode* value = builder.CreatePHI(whole->getType(), 2);
    value->addIncoming(whole, before);
    value->addIncoming(clipped, clip);
    return value;
  };
  return {merge(memory.base, copy), merge(memory.stride_bytes, builder.getInt64(tile.lineBytes())),
          builder.getInt64(-1)};
}

TileReader::TileReader(const HelperScope& scope, llvm::IRBuilder<>& builder,
                       llvm::Function& function, const SourceTile& tile)
    : builder_(builder),
      tile_(tile),
      memory_{function.getArg(0), function.getArg(1), function.getArg(2)} {
  // Read as components in any case, so it needs no more than a stack's alignment.
  llvm::AllocaInst* copy = builder.CreateAlloca(
      llvm::ArrayType::get(builder.getInt8Ty(), uint64_t{tile.lines()} * tile.lineBytes()));
  copy->setAlignment(llvm::Align(16));
  memory_ = emitClipping(scope, builder, tile, memory_, copy);
}

Value* TileReader::address(Value* base, uint32_t index) {
  Value* offset = builder_.CreateMul(memory_.stride_bytes, builder_.getInt64(index));
  return index == 0 ? base : offsetBy(builder_, base, offset);
}

Value* TileReader::read(Value* address) {
  auto* type = llvm::FixedVectorType::get(coopmat::componentType(tile_.component, builder_),
                                          tile_.lineLength());
  return builder_.CreateAlignedLoad(type, address, llvm::Align(coopmat::bytesOf(tile_.component)));
}

llvm::SmallVector<Value*> TileReader::readLines(Value* base, uint32_t count) {
  llvm::SmallVector<Value*> lines;
  for (uint32_t i = 0; i < count; ++i) lines.push_back(read(address(base, i)));
  return lines;
}

void TileReader::prefetch(uint32_t index, uint64_t bytes) {
  Value* where = offsetBy(builder_, address(memory_.base, index), bytes);
  builder_.CreateIntrinsic(
      llvm::Intrinsic::prefetch, {where->getType()},
      {where, builder_.getInt32(0), builder_.getInt32(3), builder_.getInt32(1)});
}

}  // namespace jit::ukernel

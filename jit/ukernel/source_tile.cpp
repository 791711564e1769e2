#include "jit/ukernel/source_tile.h"

namespace jit::ukernel {
namespace {

using llvm::Value;

// A function like `reader` that copies the tile and calls `reader` with the copy.
llvm::Function* callWithCopy(const HelperScope& scope, llvm::Function& reader,
                             const SourceTile& tile) {
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    uint64_t bytes = uint64_t{tile.lines()} * tile.lineBytes();
    llvm::AllocaInst* copy = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), bytes));
    copy->setAlignment(llvm::Align(64));
    builder.CreateCall(copyClippedFunction(scope, tile),
                       {function.getArg(0), function.getArg(1), function.getArg(2), copy});
    llvm::SmallVector<Value*> arguments{copy, builder.getInt64(tile.lineBytes()),
                                        builder.getInt64(bytes)};
    for (llvm::Argument& argument : llvm::drop_begin(function.args(), 3)) {
      arguments.push_back(&argument);
    }
    builder.CreateCall(&reader, arguments);
  };
  return helperFunction(scope, reader.getName().str() + ".clipped",
                        reader.getFunctionType()->params(), emit);
}

}  // namespace

std::string mangle(const SourceTile& tile) {
  return std::string(coopmat::info(tile.component).text) + "." + std::to_string(tile.rows) + "x" +
         std::to_string(tile.columns) + (tile.layout == Layout::Row ? ".row" : ".column");
}

Value* isBelow(llvm::IRBuilderBase& builder, Value* offset, uint64_t bytes, Value* limit) {
  Value* end =
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, limit, builder.getInt64(bytes - 1));
  return builder.CreateICmpULT(offset, end);
}

Value* isInBounds(llvm::IRBuilderBase& builder, const SourceTile& tile, const TileMemory& memory) {
  Value* last = builder.CreateMul(memory.stride_bytes, builder.getInt64(tile.lines() - 1));
  Value* end = builder.CreateAdd(last, builder.getInt64(tile.lineBytes()));
  // A stride so large that the product might wrap takes the slow way, which tests each component.
  Value* sane = builder.CreateICmpULT(memory.stride_bytes, builder.getInt64(uint64_t{1} << 48));
  return builder.CreateAnd(sane, builder.CreateICmpULE(end, memory.limit_bytes));
}

// Needed at the edges of buffers only, so small before fast.
llvm::Function* copyClippedFunction(const HelperScope& scope, const SourceTile& tile) {
  llvm::LLVMContext& context = scope.module.getContext();
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  uint32_t bytes = coopmat::bytesOf(tile.component);
  std::string name = "tessera.copy_clipped." + std::to_string(tile.lines()) + "x" +
                     std::to_string(tile.lineLength()) + "x" + std::to_string(bytes);
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    Value* source = function.getArg(0);
    Value* stride = function.getArg(1);
    Value* limit = function.getArg(2);
    Value* target = function.getArg(3);
    llvm::Type* component = builder.getIntNTy(bytes * 8);
    emitLoop(builder, builder.getInt64(tile.lines()), 1, [&](Value* line) {
      Value* start = builder.CreateMul(line, stride);
      Value* target_line =
          offsetBy(builder, target, builder.CreateMul(line, builder.getInt64(tile.lineBytes())));
      emitLoop(builder, builder.getInt64(tile.lineBytes()), bytes, [&](Value* at) {
        Value* offset = builder.CreateAdd(start, at);
        llvm::BasicBlock* before = builder.GetInsertBlock();
        auto* inside = llvm::BasicBlock::Create(context, "inside", &function);
        auto* join = llvm::BasicBlock::Create(context, "join", &function);
        builder.CreateCondBr(isBelow(builder, offset, bytes, limit), inside, join);
        builder.SetInsertPoint(inside);
        Value* loaded = builder.CreateAlignedLoad(component, offsetBy(builder, source, offset),
                                                  llvm::Align(bytes));
        builder.CreateBr(join);
        builder.SetInsertPoint(join);
        llvm::PHINode* value = builder.CreatePHI(component, 2);
        value->addIncoming(llvm::Constant::getNullValue(component), before);
        value->addIncoming(loaded, inside);
        builder.CreateAlignedStore(value, offsetBy(builder, target_line, at), llvm::Align(bytes));
      });
    });
  };
  return helperFunction(scope, name, {ptr, i64, i64, ptr}, emit);
}

TileReader::TileReader(const HelperScope& scope, llvm::IRBuilder<>& builder,
                       llvm::Function& function, const SourceTile& tile)
    : builder_(builder),
      tile_(tile),
      memory_{function.getArg(0), function.getArg(1), function.getArg(2)} {
  auto* clip = llvm::BasicBlock::Create(builder.getContext(), "clip", &function);
  auto* read = llvm::BasicBlock::Create(builder.getContext(), "read", &function);
  builder.CreateCondBr(isInBounds(builder, tile, memory_), read, clip);
  builder.SetInsertPoint(clip);
  llvm::SmallVector<Value*> arguments;
  for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
  builder.CreateCall(callWithCopy(scope, function, tile), arguments);
  builder.CreateRetVoid();
  builder.SetInsertPoint(read);
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

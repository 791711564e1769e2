#include "jit/ukernel/tile_records.h"

namespace jit::ukernel {
namespace {

using llvm::Value;

// A record: base, stride, limit.
constexpr uint64_t kStrideOffset = 8;
constexpr uint64_t kLimitOffset = 16;

}  // namespace

uint64_t TileRecords::bytes() const { return count() * kRecordBytes; }

uint64_t TileRecords::offset(uint32_t first) const {
  return uint64_t{first} * capacity_ * kRecordBytes;
}

uint64_t TileRecords::words(uint32_t tiles) const {
  return uint64_t{tiles} * capacity_ * kRecordBytes / sizeof(uint64_t);
}

Value* TileRecords::address(llvm::IRBuilder<>& builder, Value* base, Value* index) const {
  return offsetBy(builder, base, builder.CreateMul(index, builder.getInt64(kRecordBytes)));
}

Value* TileRecords::address(llvm::IRBuilder<>& builder, Value* base, uint32_t tile,
                            Value* step) const {
  return address(builder, offsetBy(builder, base, offset(tile)), step);
}

Value* TileRecords::noTile(llvm::IRBuilder<>& builder) {
  return llvm::ConstantExpr::getIntToPtr(builder.getInt64(-1), builder.getPtrTy());
}

void TileRecords::emitStore(llvm::IRBuilder<>& builder, Value* base, uint32_t tile, Value* step,
                            const TileMemory& source) const {
  Value* record = address(builder, base, tile, step);
  builder.CreateStore(source.base, record);
  builder.CreateStore(source.stride_bytes, offsetBy(builder, record, kStrideOffset));
  builder.CreateStore(source.limit_bytes, offsetBy(builder, record, kLimitOffset));
}

TileMemory TileRecords::emitLoad(llvm::IRBuilder<>& builder, Value* base, uint32_t tile,
                                 Value* step) const {
  Value* record = address(builder, base, tile, step);
  llvm::Type* i64 = builder.getInt64Ty();
  return {builder.CreateLoad(builder.getPtrTy(), record),
          builder.CreateLoad(i64, offsetBy(builder, record, kStrideOffset)),
          builder.CreateLoad(i64, offsetBy(builder, record, kLimitOffset))};
}

Value* TileRecords::emitAddress(llvm::IRBuilder<>& builder, Value* base, Value* tile) const {
  return address(builder, base, builder.CreateMul(tile, builder.getInt64(capacity_)));
}

void TileRecords::emitFill(llvm::IRBuilder<>& builder, Value* base, uint32_t tile,
                           Value* step) const {
  Value* left = builder.CreateSub(builder.getInt64(capacity_), step);
  builder.CreateMemSet(address(builder, base, tile, step), builder.getInt8(0xff),
                       builder.CreateMul(left, builder.getInt64(kRecordBytes)), llvm::Align(8));
}

llvm::Function* TileRecords::prefetchFunction(const HelperScope& scope, const SourceTile& a,
                                              const SourceTile& b) const {
  llvm::LLVMContext& context = scope.module.getContext();
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(context, name, &function);
    };
    auto *loop = block("record"), *look = block("look"), *fetch = block("fetch");
    auto *fetch_a = block("a"), *fetch_b = block("b"), *next = block("next"), *done = block("done");
    Value *base = function.getArg(0), *steps = function.getArg(1);
    Value *first = function.getArg(2), *end = function.getArg(3);
    llvm::BasicBlock* entry = builder.GetInsertBlock();
    // One step tells no direction.
    Value* has_direction = builder.CreateICmpUGT(steps, builder.getInt64(1));
    builder.CreateCondBr(builder.CreateAnd(has_direction, builder.CreateICmpULT(first, end)), loop,
                         done);
    builder.SetInsertPoint(loop);
    llvm::PHINode* index = builder.CreatePHI(i64, 2);
    index->addIncoming(first, entry);
    Value* tile = builder.CreateUDiv(index, builder.getInt64(capacity_));
    Value* step = builder.CreateURem(index, builder.getInt64(capacity_));
    builder.CreateCondBr(builder.CreateICmpULT(step, steps), look, next);

    builder.SetInsertPoint(look);
    auto start = [&](Value* record) {
      return builder.CreateLoad(i64, address(builder, base, record));
    };
    Value* here = start(index);
    // The step or the tile before may have brought the same cache lines.
    auto isSameLineAs = [&](uint64_t distance) {
      Value* other = start(builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, index,
                                                         builder.getInt64(distance)));
      return builder.CreateICmpULT(builder.CreateXor(here, other), builder.getInt64(kCacheLine));
    };
    Value* is_first_tile = builder.CreateOr(builder.CreateIsNull(tile),
                                            builder.CreateICmpEQ(tile, builder.getInt64(a_tiles_)));
    Value* is_covered = builder.CreateOr(
        builder.CreateAnd(builder.CreateIsNotNull(step), isSameLineAs(1)),
        builder.CreateAnd(builder.CreateNot(is_first_tile), isSameLineAs(capacity_)));
    builder.CreateCondBr(is_covered, next, fetch);

    builder.SetInsertPoint(fetch);
    Value* first_of_tile = builder.CreateMul(tile, builder.getInt64(capacity_));
    Value* second_of_tile = builder.CreateAdd(first_of_tile, builder.getInt64(1));
    Value* advance = builder.CreateSub(start(second_of_tile), start(first_of_tile));
    Value* target =
        builder.CreateIntToPtr(builder.CreateAdd(here, builder.CreateMul(advance, steps)), ptr);
    Value* stride =
        builder.CreateLoad(i64, offsetBy(builder, address(builder, base, index), kStrideOffset));
    builder.CreateCondBr(builder.CreateICmpULT(tile, builder.getInt64(a_tiles_)), fetch_a, fetch_b);
    for (auto [where, lines] : {std::pair(fetch_a, a.lines()), std::pair(fetch_b, b.lines())}) {
      builder.SetInsertPoint(where);
      emitLoop(builder, builder.getInt64(lines), 1, [&](Value* line) {
        emitPrefetchToSecondLevel(builder,
                                  offsetBy(builder, target, builder.CreateMul(stride, line)));
      });
      builder.CreateBr(next);
    }

    builder.SetInsertPoint(next);
    Value* following = builder.CreateAdd(index, builder.getInt64(1));
    index->addIncoming(following, next);
    builder.CreateCondBr(builder.CreateICmpULT(following, end), loop, done);
    builder.SetInsertPoint(done);
  };
  std::string name = "tessera.prefetch." + mangle(a) + "." + mangle(b) + "." +
                     std::to_string(a_tiles_) + "x" + std::to_string(b_tiles_) + "." +
                     std::to_string(capacity_);
  return helperFunction(scope, name, {ptr, i64, i64, i64}, emit);
}

}  // namespace jit::ukernel

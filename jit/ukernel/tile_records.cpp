// SPDX-License-Identifier: Apache-2.0

#include "jit/ukernel/tile_records.h"

#include <cstddef>

#include "runtime/kernel_library/tile_prefetch.h"

namespace jit::ukernel {
namespace {

using llvm::Value;

static_assert(sizeof(rt::TileRecord) == TileRecords::kRecordBytes &&
              offsetof(rt::TileRecord, base) == 0 &&
              offsetof(rt::TileRecord, stride) == TileRecords::kStrideOffset &&
              offsetof(rt::TileRecord, limit) == TileRecords::kLimitOffset);

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

}  // namespace jit::ukernel

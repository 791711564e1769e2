// SPDX-License-Identifier: Apache-2.0

#include "jit/ukernel/tile_descriptors.h"

#include <cstddef>

#include "runtime/kernel_library/tile_prefetch.h"

namespace jit::ukernel {
namespace {

using llvm::Value;

static_assert(sizeof(rt::TileDescriptor) == TileDescriptors::kDescriptorBytes &&
              offsetof(rt::TileDescriptor, base) == 0 &&
              offsetof(rt::TileDescriptor, stride) == TileDescriptors::kStrideOffset &&
              offsetof(rt::TileDescriptor, limit) == TileDescriptors::kLimitOffset);

}  // namespace

uint64_t TileDescriptors::bytes() const { return count() * kDescriptorBytes; }

uint64_t TileDescriptors::offset(uint32_t first) const {
  return uint64_t{first} * capacity_ * kDescriptorBytes;
}

Value* TileDescriptors::address(llvm::IRBuilder<>& builder, Value* base, Value* index) const {
  return offsetBy(builder, base, builder.CreateMul(index, builder.getInt64(kDescriptorBytes)));
}

Value* TileDescriptors::address(llvm::IRBuilder<>& builder, Value* base, uint32_t tile,
                                Value* step) const {
  return address(builder, offsetBy(builder, base, offset(tile)), step);
}

Value* TileDescriptors::noTile(llvm::IRBuilder<>& builder) {
  return llvm::ConstantExpr::getIntToPtr(builder.getInt64(-1), builder.getPtrTy());
}

void TileDescriptors::emitStore(llvm::IRBuilder<>& builder, Value* base, uint32_t tile, Value* step,
                                const TileMemory& source) const {
  Value* descriptor = address(builder, base, tile, step);
  builder.CreateStore(source.base, descriptor);
  builder.CreateStore(source.stride_bytes, offsetBy(builder, descriptor, kStrideOffset));
  builder.CreateStore(source.limit_bytes, offsetBy(builder, descriptor, kLimitOffset));
}

TileMemory TileDescriptors::emitLoad(llvm::IRBuilder<>& builder, Value* base, uint32_t tile,
                                     Value* step) const {
  Value* descriptor = address(builder, base, tile, step);
  llvm::Type* i64 = builder.getInt64Ty();
  return {builder.CreateLoad(builder.getPtrTy(), descriptor),
          builder.CreateLoad(i64, offsetBy(builder, descriptor, kStrideOffset)),
          builder.CreateLoad(i64, offsetBy(builder, descriptor, kLimitOffset))};
}

Value* TileDescriptors::emitAddress(llvm::IRBuilder<>& builder, Value* base, Value* tile) const {
  return address(builder, base, builder.CreateMul(tile, builder.getInt64(capacity_)));
}

void TileDescriptors::emitFill(llvm::IRBuilder<>& builder, Value* base, uint32_t tile,
                               Value* step) const {
  Value* left = builder.CreateSub(builder.getInt64(capacity_), step);
  builder.CreateMemSet(address(builder, base, tile, step), builder.getInt8(0xff),
                       builder.CreateMul(left, builder.getInt64(kDescriptorBytes)), llvm::Align(8));
}

}  // namespace jit::ukernel

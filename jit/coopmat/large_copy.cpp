// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/large_copy.h"

#include <llvm/Support/raw_ostream.h>

#include <bit>
#include <numeric>

#include "jit/coopmat/tile_copy.h"
#include "jit/simt/transpose.h"

namespace jit::coopmat {
namespace {

using llvm::IRBuilder;
using llvm::Value;
using ukernel::emitLoop;
using ukernel::offsetBy;
using ukernel::SourceTile;
using ukernel::TileMemory;

constexpr uint32_t kCacheLine = 64;
// Cache lines that are copied without a loop.
constexpr uint32_t kStraightLines = 8;
// Side of the blocks that are transposed in registers.
constexpr uint32_t kBlock = 16;

Value* scaled(IRBuilder<>& builder, Value* index, uint64_t factor) {
  return builder.CreateMul(index, builder.getInt64(factor));
}

void emitCopyPiece(IRBuilder<>& builder, Value* from, Value* to, uint64_t bytes,
                   llvm::Align alignment) {
  auto* type = llvm::FixedVectorType::get(builder.getInt8Ty(), static_cast<unsigned>(bytes));
  builder.CreateAlignedStore(builder.CreateAlignedLoad(type, from, alignment), to, alignment);
}

// `bytes` bytes of a line.
void emitCopyLine(IRBuilder<>& builder, Value* from, Value* to, uint64_t bytes,
                  llvm::Align alignment) {
  uint64_t at = 0;
  if (bytes > uint64_t{kStraightLines} * kCacheLine) {
    const uint64_t stride = uint64_t{kStraightLines} * kCacheLine;
    at = bytes / stride * stride;
    emitLoop(builder, builder.getInt64(at), stride, [&](Value* i) {
      for (uint64_t piece = 0; piece < stride; piece += kCacheLine) {
        emitCopyPiece(builder, offsetBy(builder, offsetBy(builder, from, i), piece),
                      offsetBy(builder, offsetBy(builder, to, i), piece), kCacheLine, alignment);
      }
    });
  }
  while (at < bytes) {
    const uint64_t piece = std::min<uint64_t>(kCacheLine, std::bit_floor(bytes - at));
    emitCopyPiece(builder, offsetBy(builder, from, at), offsetBy(builder, to, at), piece,
                  alignment);
    at += piece;
  }
}

// `lines` lines of `length` components each, at these strides; with `transposes`, line i becomes
// column i of the target.
struct Lines {
  Component component;
  uint32_t lines, length;
  bool transposes;
};

// void (ptr from, i64 from_stride, ptr to, i64 to_stride): `width` by `height` components to the
// transpose. Matrices of all sizes share it.
llvm::Function* blockTransposeFunction(const ukernel::HelperScope& scope, Component component,
                                       uint32_t height, uint32_t width, uint32_t vector_bytes) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  auto emit = [&](IRBuilder<>& builder, llvm::Function& function) {
    const llvm::Align alignment(bytesOf(component));
    auto* type = llvm::FixedVectorType::get(componentType(component, builder), width);
    auto line = [&](unsigned of, uint32_t i) {
      Value* offset = builder.CreateMul(function.getArg(of + 1), builder.getInt64(i));
      return offsetBy(builder, function.getArg(of), offset);
    };
    llvm::SmallVector<Value*> block;
    for (uint32_t i = 0; i < height; ++i)
      block.push_back(builder.CreateAlignedLoad(type, line(0, i), alignment));
    block = ukernel::transpose(builder, block, vector_bytes);
    for (uint32_t i = 0; i < width; ++i)
      builder.CreateAlignedStore(block[i], line(2, i), alignment);
  };
  return ukernel::helperFunction(
      scope, keyOf(FunctionKind::TransposeBlock, SourceTile{component, height, width, Layout::Row}),
      {ptr, i64, ptr, i64}, emit);
}

void emitCopyLines(const ukernel::HelperScope& scope, IRBuilder<>& builder, const Lines& what,
                   Value* from, Value* from_stride, Value* to, Value* to_stride,
                   uint32_t vector_bytes) {
  const uint32_t bytes = bytesOf(what.component);
  const llvm::Align alignment(bytes);
  if (!what.transposes) {
    emitLoop(builder, builder.getInt64(what.lines), 1, [&](Value* line) {
      emitCopyLine(builder, offsetBy(builder, from, builder.CreateMul(line, from_stride)),
                   offsetBy(builder, to, builder.CreateMul(line, to_stride)),
                   uint64_t{what.length} * bytes, alignment);
    });
    return;
  }
  const uint32_t height = std::gcd(what.lines, kBlock), width = std::gcd(what.length, kBlock);
  llvm::Function* transpose =
      blockTransposeFunction(scope, what.component, height, width, vector_bytes);
  emitLoop(builder, builder.getInt64(what.lines), height, [&](Value* line) {
    emitLoop(builder, builder.getInt64(what.length), width, [&](Value* within) {
      Value* start =
          offsetBy(builder, offsetBy(builder, from, builder.CreateMul(line, from_stride)),
                   scaled(builder, within, bytes));
      Value* target = offsetBy(builder, offsetBy(builder, to, builder.CreateMul(within, to_stride)),
                               scaled(builder, line, bytes));
      builder.CreateCall(transpose, {start, from_stride, target, to_stride});
    });
  });
}

uint64_t rowBytes(const SourceTile& tile) {
  return uint64_t{tile.columns} * bytesOf(tile.component);
}

}  // namespace

llvm::Function* largeGatherFunction(const ukernel::HelperScope& scope, const SourceTile& tile,
                                    uint32_t vector_bytes) {
  llvm::LLVMContext& context = scope.module.getContext();
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  auto emit = [&](IRBuilder<>& builder, llvm::Function& function) {
    const TileMemory source = emitClipping(
        scope, builder, tile, {function.getArg(0), function.getArg(1), function.getArg(2)},
        function.getArg(4));
    emitCopyLines(scope, builder,
                  {tile.component, tile.lines(), tile.lineLength(), tile.layout == Layout::Column},
                  source.base, source.stride_bytes, function.getArg(3),
                  builder.getInt64(rowBytes(tile)), vector_bytes);
  };
  return ukernel::helperFunction(scope, keyOf(FunctionKind::GatherLarge, tile),
                                 {ptr, i64, i64, ptr, ptr}, emit);
}

llvm::Function* largeScatterFunction(const ukernel::HelperScope& scope, const SourceTile& tile,
                                     uint32_t vector_bytes) {
  llvm::LLVMContext& context = scope.module.getContext();
  llvm::Type* ptr = llvm::PointerType::getUnqual(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  auto emit = [&](IRBuilder<>& builder, llvm::Function& function) {
    const TileMemory target{function.getArg(1), function.getArg(2), function.getArg(3)};
    auto* whole = llvm::BasicBlock::Create(context, "whole", &function);
    auto* clipped = llvm::BasicBlock::Create(context, "clipped", &function);
    auto* done = llvm::BasicBlock::Create(context, "done", &function);
    builder.CreateCondBr(isInBounds(builder, tile, target), whole, clipped);
    builder.SetInsertPoint(whole);
    // As the source has it: rows, which are columns of a target that lies by columns.
    emitCopyLines(scope, builder,
                  {tile.component, tile.rows, tile.columns, tile.layout == Layout::Column},
                  function.getArg(0), builder.getInt64(rowBytes(tile)), target.base,
                  target.stride_bytes, vector_bytes);
    builder.CreateBr(done);
    builder.SetInsertPoint(clipped);
    emitClippedStores(scope, builder, tile, function.getArg(0), builder.getInt64(rowBytes(tile)),
                      target);
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
  };
  return ukernel::helperFunction(scope, keyOf(FunctionKind::ScatterLarge, tile),
                                 {ptr, ptr, i64, i64}, emit);
}

llvm::Function* largeTransposeFunction(const ukernel::HelperScope& scope, Component component,
                                       uint32_t rows, uint32_t columns, uint32_t vector_bytes) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  const uint64_t bytes = bytesOf(component);
  auto emit = [&](IRBuilder<>& builder, llvm::Function& function) {
    emitCopyLines(scope, builder, {component, rows, columns, true}, function.getArg(0),
                  builder.getInt64(columns * bytes), function.getArg(1),
                  builder.getInt64(rows * bytes), vector_bytes);
  };
  return ukernel::helperFunction(
      scope, keyOf(FunctionKind::TransposeLarge, SourceTile{component, rows, columns, Layout::Row}),
      {ptr, ptr}, emit);
}

llvm::Function* largeFillFunction(const ukernel::HelperScope& scope, llvm::FixedVectorType* type) {
  llvm::Type* element = type->getElementType();
  const uint64_t bytes = element->getPrimitiveSizeInBits() / 8;
  const uint32_t count = type->getNumElements();
  const uint32_t piece = std::gcd<uint32_t>(count, static_cast<uint32_t>(kCacheLine / bytes));
  std::string text;
  llvm::raw_string_ostream(text) << count << *element;
  const auto key = FunctionKey(FunctionKind::FillLarge).add(count, "").add(element, text);
  auto emit = [&](IRBuilder<>& builder, llvm::Function& function) {
    Value* splat = builder.CreateVectorSplat(piece, function.getArg(1));
    emitLoop(builder, builder.getInt64(count), piece, [&](Value* at) {
      builder.CreateAlignedStore(splat,
                                 offsetBy(builder, function.getArg(0), scaled(builder, at, bytes)),
                                 llvm::Align(piece * bytes & -(piece * bytes)));
    });
  };
  return ukernel::helperFunction(
      scope, key, {llvm::PointerType::getUnqual(scope.module.getContext()), element}, emit);
}

}  // namespace jit::coopmat

// SPDX-License-Identifier: Apache-2.0

#include "jit/ukernel/pack.h"

#include <numeric>

#include "jit/simt/transpose.h"
#include "jit/ukernel/register_tile.h"

namespace jit::ukernel {
namespace {

using llvm::SmallVector;
using llvm::Value;

// How far ahead along a line to prefetch: the cache line after the next.
constexpr uint64_t kPrefetchBytes = 128;

// `along_k`: lines run along K.
void emitPrefetch(TileReader& reader, const SourceTile& tile, bool along_k, Prefetch prefetch) {
  if (prefetch == Prefetch::None) return;
  for (uint32_t i = 0; i < tile.lines(); ++i) {
    if (along_k) {
      reader.prefetch(i, kPrefetchBytes);
    } else {
      reader.prefetch(tile.lines() + i, 0);
    }
  }
}

const char* textOf(Prefetch prefetch) { return prefetch == Prefetch::None ? "" : "prefetch"; }

// The same tile as integers: where a machine has no bfloat16, LLVM takes shuffles of them apart.
SourceTile asIntegers(SourceTile tile) {
  tile.component = coopmat::componentOfWidth(tile.component);
  return tile;
}

// `components`, read as integers, made the packed ones.
Value* widenRead(llvm::IRBuilderBase& builder, Value* components, Component from, Component to) {
  auto* type = llvm::cast<llvm::FixedVectorType>(components->getType());
  auto* real = llvm::FixedVectorType::get(coopmat::componentType(from, builder), type);
  return widen(builder, builder.CreateBitCast(components, real), from, to);
}

Value* flipSign(llvm::IRBuilderBase& builder, Value* bytes) {
  return builder.CreateXor(bytes, llvm::ConstantInt::get(bytes->getType(), 0x80));
}

class BPacker {
 public:
  BPacker(llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row, const MulAdd& op,
          uint32_t columns, uint32_t group_row_bytes)
      : builder_(builder),
        function_(function),
        row_(row),
        op_(op),
        packing_(row.arithmetic->packing(op)),
        group_row_bytes_(group_row_bytes),
        lanes_(lanes(row, op)),
        micro_panels_((columns + lanes_ - 1) / lanes_) {}

  void emit(TileReader& reader, const SourceTile& tile) {
    auto* sums_type = accumulatorVector(builder_, row_, op_);
    sums_.assign(packing_.column_factor == 0 ? 0 : micro_panels_,
                 llvm::Constant::getNullValue(sums_type));
    if (tile.layout == Layout::Row) {
      packRows(reader, tile.lines());
    } else {
      packColumns(reader.readLines(reader.base(), tile.lines()));
    }
    for (uint32_t s = 0; s < sums_.size(); ++s) {
      builder_.CreateAlignedStore(sums_[s], sumsAddress(s), alignment());
    }
  }

 private:
  llvm::Align alignment() const { return llvm::Align(row_.vector_bytes); }
  Value* sumsAddress(uint32_t micro_panel) {
    return offsetBy(builder_, function_.getArg(4), uint64_t{micro_panel} * row_.vector_bytes);
  }

  // Lines are rows of B: those of a K group are interleaved micro-panel by micro-panel.
  void packRows(TileReader& reader, uint32_t lines) {
    const uint32_t per_iteration = linesPerIteration(lines, packing_.group);
    const uint32_t groups_per_iteration = (per_iteration + packing_.group - 1) / packing_.group;
    SmallVector<Value*> start{reader.base(), function_.getArg(3)};
    start.append(sums_);
    auto end =
        emitIterations(builder_, lines / per_iteration, start, [&](llvm::ArrayRef<Value*> at) {
          sums_.assign(at.begin() + 2, at.end());
          packGroups(reader.readLines(at[0], per_iteration), at[1]);
          SmallVector<Value*> next{
              reader.address(at[0], per_iteration),
              offsetBy(builder_, at[1], uint64_t{groups_per_iteration} * group_row_bytes_)};
          next.append(sums_);
          return next;
        });
    sums_.assign(end.begin() + 2, end.end());
  }

  void packGroups(llvm::ArrayRef<Value*> lines, Value* target) {
    const uint32_t depth = packing_.group;
    Value* zero = llvm::Constant::getNullValue(lines.front()->getType());
    for (uint32_t u = 0; u * depth < lines.size(); ++u) {
      SmallVector<Value*> group;
      for (uint32_t k = u * depth; k < (u + 1) * depth; ++k) {
        Value* line = k < lines.size() ? lines[k] : zero;
        group.push_back(padWithZeros(builder_, line, micro_panels_ * lanes_));
      }
      for (uint32_t s = 0; s < micro_panels_; ++s) {
        SmallVector<Value*> micro_panel;
        for (Value* line : group) micro_panel.push_back(slice(builder_, line, s * lanes_, lanes_));
        store(target, u, s, interleave(builder_, micro_panel));
      }
    }
  }

  // Lines are columns of B, a K group is in one piece: K groups are transposed as integers.
  void packColumns(llvm::ArrayRef<Value*> lines) {
    uint32_t groups = groupsPerStep(row_, op_);
    uint32_t bits = packing_.group * coopmat::bytesOf(op_.b) * 8;
    auto* group_line = llvm::FixedVectorType::get(builder_.getIntNTy(bits), groups);
    SmallVector<Value*> columns;
    for (Value* line : lines) {
      Value* padded = padWithZeros(builder_, line, groups * packing_.group);
      columns.push_back(builder_.CreateBitCast(padded, group_line));
    }
    auto* components = llvm::FixedVectorType::get(lines.front()->getType()->getScalarType(),
                                                  micro_panels_ * lanes_ * packing_.group);
    SmallVector<Value*> rows = transpose(builder_, columns, row_.vector_bytes);
    for (uint32_t u = 0; u < groups; ++u) {
      Value* whole = builder_.CreateBitCast(padWithZeros(builder_, rows[u], micro_panels_ * lanes_),
                                            components);
      for (uint32_t s = 0; s < micro_panels_; ++s) {
        uint32_t width = lanes_ * packing_.group;
        store(function_.getArg(3), u, s, slice(builder_, whole, s * width, width));
      }
    }
  }

  // `target`: of K group 0.
  void store(Value* target, uint32_t group, uint32_t micro_panel, Value* components) {
    Value* packed = widenRead(builder_, components, op_.b, packing_.b);
    builder_.CreateAlignedStore(
        packed,
        offsetBy(builder_, target,
                 uint64_t{group} * group_row_bytes_ + uint64_t{micro_panel} * row_.vector_bytes),
        alignment());
    if (packing_.column_factor == 0) return;
    auto* ones = packedVector(builder_, row_, op_, packing_.a);
    sums_[micro_panel] = row_.arithmetic->multiplyAdd(builder_, op_, sums_[micro_panel],
                                                      llvm::ConstantInt::get(ones, 1), packed);
  }

  llvm::IRBuilder<>& builder_;
  llvm::Function& function_;
  const Row& row_;
  const MulAdd& op_;
  const Packing packing_;
  const uint32_t group_row_bytes_, lanes_, micro_panels_;
  SmallVector<Value*> sums_;
};

// Rows of A that are packed together, and bytes of its rows.
constexpr uint32_t kPartRows = 16;
constexpr uint32_t kPartBytes = 64;

// The source of part (line, within) of a matrix: `rows` and `columns` are i64.
TileMemory partOf(llvm::IRBuilder<>& builder, const TileMemory& whole, Layout layout,
                  uint32_t component_bytes, Value* row, Value* column) {
  Value* line = layout == Layout::Row ? row : column;
  Value* within = layout == Layout::Row ? column : row;
  Value* offset = builder.CreateAdd(builder.CreateMul(line, whole.stride_bytes),
                                    builder.CreateMul(within, builder.getInt64(component_bytes)));
  return {offsetBy(builder, whole.base, offset), whole.stride_bytes,
          builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, whole.limit_bytes, offset)};
}

TileMemory sourceArgument(llvm::Function& function) {
  return {function.getArg(0), function.getArg(1), function.getArg(2)};
}

}  // namespace

MulAdd packedPart(const Row& row, const MulAdd& op) {
  MulAdd part = op;
  part.m = std::gcd(op.m, kPartRows);
  if (op.m <= kPartRows) part.m = op.m;
  const uint32_t component_bytes = std::max(coopmat::bytesOf(op.a), coopmat::bytesOf(op.b));
  const uint32_t most = std::max(kPartRows, kPartBytes / component_bytes);
  if (op.k > most && std::gcd(op.k, most) % row.arithmetic->packing(op).group == 0)
    part.k = std::gcd(op.k, most);
  return part;
}

uint32_t partsAlongK(const Row& row, const MulAdd& op) { return op.k / packedPart(row, op).k; }

llvm::Function* packAFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              Layout layout, uint32_t row_bytes, Prefetch prefetch) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  SourceTile tile{op.a, op.m, op.k, layout};
  FunctionKey key = keyOf(FunctionKind::PackA, row, op);
  addTo(key, tile);
  key.add(row_bytes).add(static_cast<uint64_t>(prefetch), textOf(prefetch));
  const MulAdd part = packedPart(row, op);
  auto emit_parts = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    const uint64_t part_bytes =
        uint64_t{groupsPerStep(row, part)} * row.arithmetic->packing(op).groupBytes();
    llvm::Function* pack = packAFunction(scope, row, part, layout, row_bytes, Prefetch::None);
    emitLoop(builder, builder.getInt64(op.m), part.m, [&](Value* r) {
      Value* target =
          offsetBy(builder, function.getArg(3), builder.CreateMul(r, builder.getInt64(row_bytes)));
      emitLoop(builder, builder.getInt64(op.k / part.k), 1, [&](Value* p) {
        Value* k = builder.CreateMul(p, builder.getInt64(part.k));
        const TileMemory source =
            partOf(builder, sourceArgument(function), layout, coopmat::bytesOf(op.a), r, k);
        builder.CreateCall(
            pack, {source.base, source.stride_bytes, source.limit_bytes,
                   offsetBy(builder, target, builder.CreateMul(p, builder.getInt64(part_bytes)))});
      });
    });
  };
  if (!(part == op)) return helperFunction(scope, key, {ptr, i64, i64, ptr}, emit_parts);
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    Packing packing = row.arithmetic->packing(op);
    TileReader reader(scope, builder, function, asIntegers(tile));
    auto store = [&](Value* line, Value* target) {
      Value* packed = widenRead(builder, line, op.a, packing.a);
      if (packing.flip_a) packed = flipSign(builder, packed);
      packed = padWithZeros(builder, packed, groupsPerStep(row, op) * packing.group);
      builder.CreateAlignedStore(packed, target, llvm::Align(packing.groupBytes()));
    };
    const bool along_k = layout == Layout::Row;
    const uint32_t per_iteration = along_k ? linesPerIteration(op.m, 1) : op.m;
    auto pack = [&](llvm::ArrayRef<Value*> at) {
      SmallVector<Value*> rows = reader.readLines(at[0], along_k ? per_iteration : tile.lines());
      if (!along_k) rows = transpose(builder, rows, row.vector_bytes);
      for (uint32_t r = 0; r < per_iteration; ++r) {
        store(rows[r], offsetBy(builder, at[1], uint64_t{r} * row_bytes));
      }
      return SmallVector<Value*>{reader.address(at[0], per_iteration),
                                 offsetBy(builder, at[1], uint64_t{per_iteration} * row_bytes)};
    };
    emitIterations(builder, op.m / per_iteration, {reader.base(), function.getArg(3)}, pack);
    emitPrefetch(reader, tile, along_k, prefetch);
  };
  return helperFunction(scope, key, {ptr, i64, i64, ptr}, emit);
}

llvm::Function* packBFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              Layout layout, uint32_t columns, uint32_t group_row_bytes,
                              uint32_t sums_row_bytes, Prefetch prefetch) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  SourceTile tile{op.b, op.k, columns, layout};
  FunctionKey key = keyOf(FunctionKind::PackB, row, op);
  addTo(key, tile);
  key.add(group_row_bytes).add(static_cast<uint64_t>(prefetch), textOf(prefetch));
  MulAdd part = op;  // B has no rows of A
  part.k = packedPart(row, op).k;
  auto emit_parts = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    const uint64_t part_bytes = uint64_t{groupsPerStep(row, part)} * group_row_bytes;
    llvm::Function* pack = packBFunction(scope, row, part, layout, columns, group_row_bytes,
                                         sums_row_bytes, Prefetch::None);
    emitLoop(builder, builder.getInt64(op.k / part.k), 1, [&](Value* p) {
      auto scaled = [&](uint64_t factor) { return builder.CreateMul(p, builder.getInt64(factor)); };
      const TileMemory source = partOf(builder, sourceArgument(function), layout,
                                       coopmat::bytesOf(op.b), scaled(part.k), builder.getInt64(0));
      builder.CreateCall(pack, {source.base, source.stride_bytes, source.limit_bytes,
                                offsetBy(builder, function.getArg(3), scaled(part_bytes)),
                                offsetBy(builder, function.getArg(4), scaled(sums_row_bytes))});
    });
  };
  if (part.k != op.k)
    return helperFunction(scope, key.add(sums_row_bytes), {ptr, i64, i64, ptr, ptr}, emit_parts);
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    TileReader reader(scope, builder, function, asIntegers(tile));
    BPacker(builder, function, row, op, columns, group_row_bytes).emit(reader, tile);
    emitPrefetch(reader, tile, layout == Layout::Column, prefetch);
  };
  return helperFunction(scope, key, {ptr, i64, i64, ptr, ptr}, emit);
}

}  // namespace jit::ukernel

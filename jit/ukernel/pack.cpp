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

// Looks for infinities and NaNs among the bf16 of the first of several planes.
class FiniteTest {
 public:
  // `needed`: or nothing is emitted. All that is added has `count` components.
  FiniteTest(llvm::IRBuilderBase& builder, bool needed, uint32_t count)
      : builder_(builder),
        is_needed_(needed),
        type_(llvm::FixedVectorType::get(builder.getInt16Ty(), count)) {}

  // What loops over what is added have to carry.
  SmallVector<Value*, 1> start() const {
    if (!is_needed_) return {};
    return {llvm::Constant::getNullValue(type_)};
  }
  SmallVector<Value*, 1> state() const {
    if (!is_needed_) return {};
    return {largest_};
  }
  void setState(llvm::ArrayRef<Value*> state) {
    if (is_needed_) largest_ = state.front();
  }

  void add(Value* plane) {
    if (!is_needed_) return;
    Value* magnitude = builder_.CreateShl(builder_.CreateBitCast(plane, type_), 1);  // no sign
    largest_ = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, largest_, magnitude);
  }

  // Tells of it at `not_finite`.
  void emitResult(Value* not_finite) {
    if (!is_needed_) return;
    constexpr uint64_t kInfinity = 0x7f80;
    Value* is_beyond =
        builder_.CreateICmpUGE(largest_, llvm::ConstantInt::get(type_, 2 * kInfinity));
    Value* any = builder_.CreateZExt(builder_.CreateOrReduce(is_beyond), builder_.getInt32Ty());
    Value* before = builder_.CreateLoad(builder_.getInt32Ty(), not_finite);
    builder_.CreateStore(builder_.CreateOr(before, any), not_finite);
  }

 private:
  llvm::IRBuilderBase& builder_;
  const bool is_needed_;
  llvm::FixedVectorType* type_;
  Value* largest_ = nullptr;
};

// `components`, read as integers, as what they are.
Value* asComponents(llvm::IRBuilderBase& builder, Value* components, Component component) {
  auto* type = llvm::cast<llvm::FixedVectorType>(components->getType());
  return builder.CreateBitCast(
      components, llvm::FixedVectorType::get(coopmat::componentType(component, builder), type));
}

// The same as the packed ones of each plane.
SmallVector<Value*, 2> planesOf(llvm::IRBuilderBase& builder, Value* components, Component from,
                                Component to, const Packing& packing) {
  return widenToPlanes(builder, asComponents(builder, components, from), from, to, packing.planes);
}

Value* flipSign(llvm::IRBuilderBase& builder, Value* bytes) {
  return builder.CreateXor(bytes, llvm::ConstantInt::get(bytes->getType(), 0x80));
}

class BPacker {
 public:
  BPacker(llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row, const MulAdd& op,
          const PackedColumns& packed)
      : builder_(builder),
        function_(function),
        row_(row),
        op_(op),
        packing_(row.arithmetic->packing(op)),
        packed_(packed),
        lanes_(lanes(row, op)),
        micro_panels_((packed.columns + lanes_ - 1) / lanes_),
        finite_test_(builder, packing_.planes > 1, lanes_ * packing_.group) {}

  void emit(TileReader& reader, const SourceTile& tile) {
    auto* sums_type = accumulatorVector(builder_, row_, op_);
    sums_.assign(packing_.column_factor == 0 ? 0 : micro_panels_,
                 llvm::Constant::getNullValue(sums_type));
    finite_test_.setState(finite_test_.start());
    if (tile.layout == Layout::Row) {
      packRows(reader, tile.lines());
    } else {
      packColumns(reader.readLines(reader.base(), tile.lines()));
    }
    for (uint32_t s = 0; s < sums_.size(); ++s) {
      builder_.CreateAlignedStore(sums_[s], sumsAddress(s), alignment());
    }
    finite_test_.emitResult(function_.getArg(5));
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
    start.append(finite_test_.state());
    auto carry = [&](llvm::ArrayRef<Value*> values) {
      sums_.assign(values.begin(), values.begin() + sums_.size());
      finite_test_.setState(values.drop_front(sums_.size()));
    };
    auto end =
        emitIterations(builder_, lines / per_iteration, start, [&](llvm::ArrayRef<Value*> at) {
          carry(at.drop_front(2));
          packGroups(reader.readLines(at[0], per_iteration), at[1]);
          SmallVector<Value*> next{
              reader.address(at[0], per_iteration),
              offsetBy(builder_, at[1], uint64_t{groups_per_iteration} * packed_.group_row_bytes)};
          next.append(sums_);
          next.append(finite_test_.state());
          return next;
        });
    carry(llvm::ArrayRef<Value*>(end).drop_front(2));
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
        store(target, u, s, planesOfGroup(micro_panel));
      }
    }
  }

  // Of the lines of a K group.
  SmallVector<Value*, 2> planesOfGroup(llvm::ArrayRef<Value*> lines) {
    if (packing_.planes > 1) {
      auto line = [&](size_t k) { return asComponents(builder_, lines[k], op_.b); };
      return interleaveInPlanes(builder_, line(0), line(1), op_.b);
    }
    return planesOf(builder_, interleave(builder_, lines), op_.b, packing_.b, packing_);
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
        Value* micro_panel = slice(builder_, whole, s * width, width);
        store(function_.getArg(3), u, s,
              planesOf(builder_, micro_panel, op_.b, packing_.b, packing_));
      }
    }
  }

  // `target`: of K group 0.
  void store(Value* target, uint32_t group, uint32_t micro_panel, llvm::ArrayRef<Value*> planes) {
    const uint64_t start =
        uint64_t{group} * packed_.group_row_bytes + uint64_t{micro_panel} * row_.vector_bytes;
    finite_test_.add(planes.front());
    for (auto [number, plane] : llvm::enumerate(planes)) {
      Value* to = offsetBy(builder_, target, start + number * packed_.plane_bytes);
      builder_.CreateAlignedStore(plane, to, alignment());
    }
    if (packing_.column_factor == 0) return;
    Value* packed = planes.front();
    auto* ones = packedVector(builder_, row_, op_, packing_.a);
    sums_[micro_panel] = row_.arithmetic->multiplyAdd(builder_, op_, sums_[micro_panel],
                                                      llvm::ConstantInt::get(ones, 1), packed);
  }

  llvm::IRBuilder<>& builder_;
  llvm::Function& function_;
  const Row& row_;
  const MulAdd& op_;
  const Packing packing_;
  const PackedColumns packed_;
  const uint32_t lanes_, micro_panels_;
  SmallVector<Value*> sums_;
  FiniteTest finite_test_;
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
                              Layout layout, const PackedRows& packed, Prefetch prefetch) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  SourceTile tile{op.a, op.m, op.k, layout};
  FunctionKey key = keyOf(FunctionKind::PackA, row, op);
  addTo(key, tile);
  key.add(packed.row_bytes).add(packed.plane_bytes, "");
  key.add(static_cast<uint64_t>(prefetch), textOf(prefetch));
  const MulAdd part = packedPart(row, op);
  auto emit_parts = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    const uint64_t part_bytes =
        uint64_t{groupsPerStep(row, part)} * row.arithmetic->packing(op).groupBytes();
    llvm::Function* pack = packAFunction(scope, row, part, layout, packed, Prefetch::None);
    emitLoop(builder, builder.getInt64(op.m), part.m, [&](Value* r) {
      Value* target = offsetBy(builder, function.getArg(3),
                               builder.CreateMul(r, builder.getInt64(packed.row_bytes)));
      emitLoop(builder, builder.getInt64(op.k / part.k), 1, [&](Value* p) {
        Value* k = builder.CreateMul(p, builder.getInt64(part.k));
        const TileMemory source =
            partOf(builder, sourceArgument(function), layout, coopmat::bytesOf(op.a), r, k);
        builder.CreateCall(
            pack, {source.base, source.stride_bytes, source.limit_bytes,
                   offsetBy(builder, target, builder.CreateMul(p, builder.getInt64(part_bytes))),
                   function.getArg(4)});
      });
    });
  };
  if (!(part == op)) return helperFunction(scope, key, {ptr, i64, i64, ptr, ptr}, emit_parts);
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    Packing packing = row.arithmetic->packing(op);
    TileReader reader(scope, builder, function, asIntegers(tile));
    FiniteTest finite_test(builder, packing.planes > 1, op.k);
    auto store = [&](Value* line, Value* target) {
      const auto planes = planesOf(builder, line, op.a, packing.a, packing);
      finite_test.add(planes.front());
      for (auto [number, plane] : llvm::enumerate(planes)) {
        Value* components = packing.flip_a ? flipSign(builder, plane) : plane;
        components = padWithZeros(builder, components, groupsPerStep(row, op) * packing.group);
        builder.CreateAlignedStore(components,
                                   offsetBy(builder, target, number * packed.plane_bytes),
                                   llvm::Align(packing.groupBytes()));
      }
    };
    const bool along_k = layout == Layout::Row;
    const uint32_t per_iteration = along_k ? linesPerIteration(op.m, 1) : op.m;
    auto pack = [&](llvm::ArrayRef<Value*> at) {
      finite_test.setState(at.drop_front(2));
      SmallVector<Value*> rows = reader.readLines(at[0], along_k ? per_iteration : tile.lines());
      if (!along_k) rows = transpose(builder, rows, row.vector_bytes);
      for (uint32_t r = 0; r < per_iteration; ++r) {
        store(rows[r], offsetBy(builder, at[1], uint64_t{r} * packed.row_bytes));
      }
      SmallVector<Value*> next{
          reader.address(at[0], per_iteration),
          offsetBy(builder, at[1], uint64_t{per_iteration} * packed.row_bytes)};
      next.append(finite_test.state());
      return next;
    };
    SmallVector<Value*> start{reader.base(), function.getArg(3)};
    start.append(finite_test.start());
    const auto end = emitIterations(builder, op.m / per_iteration, start, pack);
    finite_test.setState(llvm::ArrayRef<Value*>(end).drop_front(2));
    finite_test.emitResult(function.getArg(4));
    emitPrefetch(reader, tile, along_k, prefetch);
  };
  return helperFunction(scope, key, {ptr, i64, i64, ptr, ptr}, emit);
}

llvm::Function* packBFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              Layout layout, const PackedColumns& packed, Prefetch prefetch) {
  llvm::Type* ptr = llvm::PointerType::getUnqual(scope.module.getContext());
  llvm::Type* i64 = llvm::Type::getInt64Ty(scope.module.getContext());
  const SmallVector<llvm::Type*> parameters{ptr, i64, i64, ptr, ptr, ptr};
  SourceTile tile{op.b, op.k, packed.columns, layout};
  FunctionKey key = keyOf(FunctionKind::PackB, row, op);
  addTo(key, tile);
  key.add(packed.group_row_bytes).add(packed.plane_bytes, "");
  key.add(static_cast<uint64_t>(prefetch), textOf(prefetch));
  MulAdd part = op;  // B has no rows of A
  part.k = packedPart(row, op).k;
  auto emit_parts = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    const uint64_t part_bytes = uint64_t{groupsPerStep(row, part)} * packed.group_row_bytes;
    llvm::Function* pack = packBFunction(scope, row, part, layout, packed, Prefetch::None);
    emitLoop(builder, builder.getInt64(op.k / part.k), 1, [&](Value* p) {
      auto scaled = [&](uint64_t factor) { return builder.CreateMul(p, builder.getInt64(factor)); };
      const TileMemory source = partOf(builder, sourceArgument(function), layout,
                                       coopmat::bytesOf(op.b), scaled(part.k), builder.getInt64(0));
      builder.CreateCall(pack,
                         {source.base, source.stride_bytes, source.limit_bytes,
                          offsetBy(builder, function.getArg(3), scaled(part_bytes)),
                          offsetBy(builder, function.getArg(4), scaled(packed.sums_row_bytes)),
                          function.getArg(5)});
    });
  };
  if (part.k != op.k)
    return helperFunction(scope, key.add(packed.sums_row_bytes), parameters, emit_parts);
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    TileReader reader(scope, builder, function, asIntegers(tile));
    BPacker(builder, function, row, op, packed).emit(reader, tile);
    emitPrefetch(reader, tile, layout == Layout::Column, prefetch);
  };
  return helperFunction(scope, key, parameters, emit);
}

}  // namespace jit::ukernel

// SPDX-License-Identifier: Apache-2.0

#include "jit/ukernel/packed_gemm.h"

#include <algorithm>

namespace jit::ukernel {
namespace {

using llvm::SmallVector;
using llvm::Value;

// Bytes of the panels of a K block: what is packed stays in the first-level cache until it is
// multiplied; what is shared comes from further away anyhow.
constexpr uint32_t kPanelBytes = 1 << 15;
constexpr uint32_t kSharedPanelBytes = 1 << 16;

// Bytes of a row of A in a K block: long enough that loading and storing the accumulators of a
// register tile costs a few percent of its time (measured: 256, 512 and 1024, 0.92, 0.96 and 0.98
// of the peak on Zen 4), and no longer than gains anything. Shared K blocks, which other workgroups
// do not have to pack, are longer: RegisterBlock::least_shared_k_block_bytes.
constexpr uint32_t kMinKBlockBytes = 256;
constexpr uint32_t kMaxKBlockBytes = 1024;

// Of RegisterBlock::stayAwake.
constexpr uint64_t kScratchBytes = 1 << 10;

// Micro-panels in a register tile that is read in place: the fewer, the more rows divide a tile's.
constexpr uint32_t kInPlaceMicroPanels = 2;

uint64_t roundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

uint32_t PackedGemm::preferredCapacity(const Row& row, const MulAdd& op, uint32_t a_tiles,
                                       uint32_t b_tiles, bool is_shared) {
  const Packing packing = row.arithmetic->packing(op);
  // Of one plane (f16 as two bf16, 1024 and 4096 cubed: 1.00 to 1.09 times as fast as with K blocks
  // half as long).
  const uint32_t step_bytes = groupsPerStep(row, op) * packing.groupBytes();
  const uint32_t lines = op.m * a_tiles + op.n * b_tiles;  // rows of A and columns of B
  const uint32_t panel_bytes = is_shared ? kSharedPanelBytes : kPanelBytes;
  const uint32_t least_bytes =
      is_shared ? row.arithmetic->block->least_shared_k_block_bytes : kMinKBlockBytes;
  const uint32_t k_block_bytes = std::clamp(panel_bytes / lines, least_bytes, kMaxKBlockBytes);
  // Two steps tell where those of the next K block are (runtime/kernel_library/tile_prefetch.h).
  return std::max(is_shared ? 2u : 1u, k_block_bytes / step_bytes);
}

// Whole rows of tiles, as they lie.
RegisterTile PackedGemm::inPlaceTile(const Row& row, uint32_t rows, uint32_t micro_panels) {
  return kVectorBlock.largest(row, rows, std::min(micro_panels, kInPlaceMicroPanels));
}

bool PackedGemm::isFasterInPlace(const Row& row, const MulAdd& op, uint32_t a_tiles,
                                 uint32_t b_tiles, uint32_t steps) {
  const Packing packing = row.arithmetic->packing(op);
  if (row.arithmetic->block != &kVectorBlock) return false;
  const bool is_packed_as_is = packing.group == 1 && !packing.flip_a && op.a == packing.a &&
                               op.b == packing.b && op.n % lanes(row, op) == 0;
  if (!is_packed_as_is || roundsEachStep(row, op)) return false;
  const uint32_t rows = op.m * a_tiles;
  const uint32_t micro_panels = op.n / lanes(row, op) * b_tiles;
  if (op.m % inPlaceTile(row, rows, micro_panels).rows != 0) return false;
  const uint64_t k_bytes = uint64_t{steps} * op.k * packing.groupBytes();
  const uint64_t packed_bytes =
      k_bytes * rows + uint64_t{steps} * op.k * micro_panels * row.vector_bytes;
  return uint64_t{rows} * micro_panels * row.vector_bytes < packed_bytes;
}

PackedGemm::PackedGemm(const Row& row, const MulAdd& op, uint32_t a_tiles, uint32_t b_tiles,
                       uint32_t capacity)
    : row_(&row),
      op_(op),
      packing_(row.arithmetic->packing(op)),
      a_tiles_(a_tiles),
      b_tiles_(b_tiles),
      capacity_(capacity),
      micro_panels_per_tile_((op.n + lanes(row, op) - 1) / lanes(row, op)),
      parts_(partsAlongK(row, op)),
      descriptors_(a_tiles, b_tiles, capacity),
      block_(row.arithmetic->block),
      register_tile_(block_->largest(row, paddedRows(), microPanels())) {
  uint64_t k_block_bytes = groupsTotal() * packing_.groupBytes();
  // One cache line more than the K block, so that rows do not fall on the same sets of the cache.
  strides_.a = static_cast<uint32_t>(roundUp(k_block_bytes, kCacheLine) +
                                     (k_block_bytes > kCacheLine ? kCacheLine : 0));
  strides_.c = microPanels() * row.vector_bytes;
  planes_ = {roundUp(uint64_t{paddedRows()} * strides_.a, kCacheLine),
             roundUp(groupsTotal() * microPanels() * row.vector_bytes, kCacheLine)};
  not_finite_bytes_ = packing_.planes > 1 ? kCacheLine : 0;
  b_offset_ = planes_.a * packing_.planes + not_finite_bytes_;
  sums_offset_ = b_offset_ + planes_.b * packing_.planes;
  uint64_t sums_rows = packing_.column_factor == 0 ? 0 : uint64_t{capacity} * parts_ + 1;
  c_offset_ = sums_offset_ + roundUp(sums_rows * sumsRowBytes(), kCacheLine) + not_finite_bytes_;
  descriptors_offset_ = c_offset_ + roundUp(uint64_t{paddedRows()} * strides_.c, kCacheLine);
  destinations_offset_ = descriptors_offset_ + descriptors_.bytes();
  scratch_offset_ = roundUp(
      destinations_offset_ + uint64_t{a_tiles} * b_tiles * TileDescriptors::kDescriptorBytes,
      kCacheLine);
  bytes_ = scratch_offset_ + (block_->stayAwake ? kScratchBytes : 0);
}

uint64_t PackedGemm::groupsTotal() const {
  return roundUp(uint64_t{capacity_} * groupsPerStep(*row_, op_), block_->groups);
}

uint32_t PackedGemm::paddedRows() const {
  return static_cast<uint32_t>(roundUp(rows(), block_->rows));
}

PackedGemm::Span PackedGemm::columnBlock(uint32_t micro_panel) const {
  uint32_t first = micro_panel / register_tile_.micro_panels * register_tile_.micro_panels;
  return {first, std::min(register_tile_.micro_panels, microPanels() - first)};
}

uint64_t PackedGemm::columnBlockOffset(uint32_t first_micro_panel) const {
  return b_offset_ + first_micro_panel * groupsTotal() * row_->vector_bytes;
}

uint64_t PackedGemm::accumulatorOffset(uint32_t i, uint32_t j) const {
  return c_offset_ + uint64_t{i} * op_.m * strides_.c +
         uint64_t{j} * micro_panels_per_tile_ * row_->vector_bytes;
}

FunctionKey PackedGemm::keyOf(FunctionKind kind) const {
  FunctionKey key = ukernel::keyOf(kind, *row_, op_);
  key.add({a_tiles_, b_tiles_}, llvm::Twine(a_tiles_) + "x" + llvm::Twine(b_tiles_));
  return key.add(capacity_);
}

std::string PackedGemm::mangledName() const {
  return std::string(row_->name) + "." + mangle(op_) + "." + std::to_string(a_tiles_) + "x" +
         std::to_string(b_tiles_) + "." + std::to_string(capacity_);
}

void PackedGemm::emitZero(llvm::IRBuilder<>& builder, Value* base) const {
  builder.CreateMemSet(offsetBy(builder, base, c_offset_), builder.getInt8(0),
                       uint64_t{paddedRows()} * strides_.c, llvm::Align(kCacheLine));
}

void PackedGemm::emitBegin(const HelperScope& scope, llvm::IRBuilder<>& builder,
                           Value* base) const {
  if (roundsEachStep(*row_, op_)) emitConversion(scope, builder, base, false);
}

void PackedGemm::emitEnd(const HelperScope& scope, llvm::IRBuilder<>& builder, Value* base) const {
  if (roundsEachStep(*row_, op_)) emitConversion(scope, builder, base, true);
}

// In place, vector by vector: narrowing from the left, widening from the right, so that nothing is
// written before it has been read.
void PackedGemm::emitConversion(const HelperScope& scope, llvm::IRBuilder<>& builder, Value* base,
                                bool to_result) const {
  const FunctionKey key = keyOf(to_result ? FunctionKind::Narrow : FunctionKind::Widen);
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    llvm::FixedVectorType* wide = accumulatorVector(builder, *row_, op_);
    uint32_t lanes = wide->getNumElements();
    auto* narrow_type =
        llvm::FixedVectorType::get(coopmat::componentType(op_.result, builder), lanes);
    uint32_t narrow_bytes = lanes * coopmat::bytesOf(op_.result);
    emitLoop(builder, builder.getInt64(uint64_t{rows()} * strides_.c), strides_.c, [&](Value* at) {
      Value* line = offsetBy(builder, function.getArg(0), at);
      for (uint32_t tile = 0; tile < b_tiles_; ++tile) {
        Value* start =
            offsetBy(builder, line, uint64_t{tile} * micro_panels_per_tile_ * row_->vector_bytes);
        emitLoop(builder, builder.getInt64(micro_panels_per_tile_), 1, [&](Value* i) {
          Value* micro_panel =
              to_result ? i : builder.CreateSub(builder.getInt64(micro_panels_per_tile_ - 1), i);
          auto at = [&](uint64_t bytes) {
            return offsetBy(builder, start,
                            builder.CreateMul(micro_panel, builder.getInt64(bytes)));
          };
          Value *wide_at = at(row_->vector_bytes), *narrow_at = at(narrow_bytes);
          llvm::Align alignment(coopmat::bytesOf(op_.result));
          if (to_result) {
            Value* loaded =
                builder.CreateAlignedLoad(wide, wide_at, llvm::Align(row_->vector_bytes));
            builder.CreateAlignedStore(narrow(builder, *row_, op_, loaded), narrow_at, alignment);
          } else {
            Value* loaded = builder.CreateAlignedLoad(narrow_type, narrow_at, alignment);
            builder.CreateAlignedStore(
                widen(builder, loaded, op_.result, row_->arithmetic->accumulator(op_)), wide_at,
                llvm::Align(row_->vector_bytes));
          }
        });
      }
    });
  };
  llvm::Function* function = helperFunction(scope, key, {builder.getPtrTy()}, emit);
  builder.CreateCall(function, {offsetBy(builder, base, c_offset_)});
}

void PackedGemm::emitMultiply(const HelperScope& scope, llvm::IRBuilder<>& builder, Value* base,
                              const KBlock& k_block) const {
  const std::optional<Recorded>& recorded = k_block.recorded;
  FunctionKey key = keyOf(FunctionKind::Product);
  auto addOption = [&](bool chosen, const char* text) { key.add(chosen, chosen ? text : ""); };
  SmallVector<Value*> arguments{base, k_block.steps};
  addOption(recorded.has_value(), "");
  if (recorded) {
    for (Layout layout : {recorded->a, recorded->b})
      key.add(static_cast<uint64_t>(layout), layout == Layout::Row ? "row" : "column");
    addOption(recorded->is_shared, "shared");
    addOption(recorded->may_be_packed, "packed");
    if (recorded->may_be_packed) arguments.push_back(k_block.packed);
  }
  addOption(k_block.starts_at_zero != nullptr, "from_zero");
  if (k_block.starts_at_zero) arguments.push_back(k_block.starts_at_zero);
  addOption(k_block.stores.has_value(), "stored");
  if (k_block.stores)
    arguments.append({k_block.stores->follow, k_block.stores->to, k_block.stores->to_stride});
  // The same K block as the function is told of it.
  auto told = [&](llvm::Function& function) {
    KBlock parameters{.steps = function.getArg(1), .recorded = recorded};
    unsigned next = 2;
    if (recorded && recorded->may_be_packed) parameters.packed = function.getArg(next++);
    if (k_block.starts_at_zero) parameters.starts_at_zero = function.getArg(next++);
    if (k_block.stores) {
      parameters.stores = {function.getArg(next), function.getArg(next + 1),
                           function.getArg(next + 2)};
      // The accumulators may be stored where they are.
      for (unsigned same : {0u, next + 1}) function.removeParamAttr(same, llvm::Attribute::NoAlias);
    }
    return parameters;
  };
  auto emit = [&](llvm::IRBuilder<>& builder, llvm::Function& function) {
    emitProduct(scope, builder, function, told(function));
  };
  SmallVector<llvm::Type*> parameters;
  for (Value* argument : arguments) parameters.push_back(argument->getType());
  llvm::Function* function = helperFunction(scope, key, parameters, emit);
  // Recorded tiles are read, and shared panels written, through pointers that are no arguments.
  if (recorded) {
    function->setMemoryEffects(recorded->is_shared ? llvm::MemoryEffects::unknown()
                                                   : function->getMemoryEffects() |
                                                         llvm::MemoryEffects::readOnly());
  }
  builder.CreateCall(function, arguments);
}

void PackedGemm::emitProduct(const HelperScope& scope, llvm::IRBuilder<>& builder,
                             llvm::Function& function, const KBlock& k_block) const {
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(builder.getContext(), name, &function);
  };
  auto *nothing = block("nothing"), *work = block("work"), *done = block("done");
  builder.CreateCondBr(builder.CreateIsNull(k_block.steps), nothing, work);
  builder.SetInsertPoint(nothing);
  if (k_block.starts_at_zero)
    emitIf(builder, k_block.starts_at_zero, [&] { emitZero(builder, function.getArg(0)); });
  builder.CreateBr(done);
  builder.SetInsertPoint(work);
  emitStayAwake(builder, function.getArg(0));
  Panels panels{{function.getArg(0), nullptr, nullptr}, {function.getArg(0), nullptr, nullptr}};
  if (k_block.recorded) {
    panels = {emitRows(scope, builder, function, *k_block.recorded),
              emitPanel(scope, builder, function, Operand::B, *k_block.recorded)};
  } else {
    for (Operand operand : {Operand::A, Operand::B})
      emitZeroTail(builder, operand, function.getArg(0), k_block.steps);
  }
  if (packing_.planes > 1) emitUnlessFinite(scope, builder, function, panels, k_block, done);
  if (packing_.column_factor != 0) emitSumOfSums(builder, function, panels.b.base);
  uint32_t whole = microPanels() / register_tile_.micro_panels * register_tile_.micro_panels;
  if (whole != 0) emitRegisterTiles(scope, builder, function, panels, {0, whole}, k_block);
  if (whole != microPanels())
    emitRegisterTiles(scope, builder, function, panels, {whole, microPanels() - whole}, k_block);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
}

// The column sums of all parts of all steps, in the row before theirs.
void PackedGemm::emitSumOfSums(llvm::IRBuilder<>& builder, llvm::Function& function,
                               Value* panels) const {
  llvm::FixedVectorType* type = accumulatorVector(builder, *row_, op_);
  llvm::Align alignment(row_->vector_bytes);
  Value* total = offsetBy(builder, panels, sums_offset_);
  builder.CreateMemSet(total, builder.getInt8(0), sumsRowBytes(), llvm::Align(kCacheLine));
  Value* bytes = builder.CreateMul(function.getArg(1), builder.getInt64(parts_ * sumsRowBytes()));
  emitLoop(builder, bytes, sumsRowBytes(), [&](Value* at) {
    Value* step_sums = offsetBy(builder, offsetBy(builder, total, sumsRowBytes()), at);
    for (uint64_t s = 0; s < sumsRowBytes(); s += row_->vector_bytes) {
      Value* sum = builder.CreateAlignedLoad(type, offsetBy(builder, total, s), alignment);
      Value* term = builder.CreateAlignedLoad(type, offsetBy(builder, step_sums, s), alignment);
      builder.CreateAlignedStore(builder.CreateAdd(sum, term), offsetBy(builder, total, s),
                                 alignment);
    }
  });
}

uint32_t PackedGemm::registerTiles() const {
  auto count = [](uint32_t whole, uint32_t part) { return (whole + part - 1) / part; };
  return count(microPanels(), register_tile_.micro_panels) *
         count(paddedRows(), register_tile_.rows);
}

Value* PackedGemm::emitRegisterTileNumber(llvm::IRBuilder<>& builder, Value* micro_panel,
                                          Value* first_row) const {
  const uint32_t tiles_down = (paddedRows() + register_tile_.rows - 1) / register_tile_.rows;
  Value* column = builder.CreateUDiv(micro_panel, builder.getInt64(register_tile_.micro_panels));
  Value* row = builder.CreateUDiv(first_row, builder.getInt64(register_tile_.rows));
  return builder.CreateAdd(builder.CreateMul(column, builder.getInt64(tiles_down)), row);
}

// The register tiles of the micro-panels in `columns`, which is a number of whole ones or less than
// one.
void PackedGemm::emitRegisterTiles(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                   llvm::Function& function, const Panels& panels,
                                   const Span& columns, const KBlock& k_block) const {
  const std::optional<Recorded>& recorded = k_block.recorded;
  const std::optional<Stores>& stores = k_block.stores;
  uint32_t width = std::min(register_tile_.micro_panels, columns.count);
  uint32_t whole = paddedRows() / register_tile_.rows * register_tile_.rows;
  uint64_t vector_bytes = row_->vector_bytes;
  emitLoop(builder, builder.getInt64(columns.count), width, [&](Value* micro_panel) {
    auto scaled = [&](Value* index, uint64_t factor) {
      return builder.CreateMul(index, builder.getInt64(factor));
    };
    Value* base = function.getArg(0);
    Value* b = offsetBy(builder, offsetBy(builder, panels.b.base, columnBlockOffset(columns.first)),
                        scaled(micro_panel, groupsTotal() * vector_bytes));
    auto at = [&](Value* start, uint64_t offset) {
      return offsetBy(builder, offsetBy(builder, start, offset + columns.first * vector_bytes),
                      scaled(micro_panel, vector_bytes));
    };
    Value* sums = at(panels.b.base, sums_offset_);
    Value* c = at(base, c_offset_);
    Value* to = stores ? at(stores->to, 0) : c;
    Value* to_stride = stores ? stores->to_stride : builder.getInt64(strides_.c);
    auto registerTile = [&](uint32_t tile_rows, Value* first_row) {
      Value* a_stride = panels.a.stride ? panels.a.stride : builder.getInt64(strides_.a);
      SmallVector<Value*> arguments{
          offsetBy(builder, panels.a.base, builder.CreateMul(first_row, a_stride)),
          b,
          sums,
          offsetBy(builder, c, scaled(first_row, strides_.c)),
          builder.getInt64(strides_.c),
          function.getArg(1),
          offsetBy(builder, to, builder.CreateMul(first_row, to_stride)),
          to_stride};
      if (block_->reads_rows) arguments.push_back(a_stride);
      std::optional<RegisterTileAhead> ahead;
      Value* first_micro_panel = builder.CreateAdd(micro_panel, builder.getInt64(columns.first));
      if (recorded && block_->announces_panels) {
        Value* number = emitRegisterTileNumber(builder, first_micro_panel, first_row);
        emitSourcePrefetches(scope, builder, function, number, panels, *recorded);
        if (recorded->is_shared) {
          ahead = aheadOfRegisterTile();
          arguments.append({emitAhead(builder, panels.a.ahead, number, ahead->a_bytes, b),
                            emitAhead(builder, panels.b.ahead, number, ahead->b_bytes, b)});
        }
      }
      if (stores && !block_->announces_stores) {
        emitIf(builder, stores->follow, [&] {
          emitDestinationPrefetches(scope, builder, function, first_row, tile_rows,
                                    first_micro_panel, width);
        });
      }
      if (k_block.starts_at_zero) arguments.push_back(k_block.starts_at_zero);
      const RegisterTileCode code{
          .shape = {tile_rows, width},
          .a_stride = strides_.a,
          .planes = packing_.planes > 1 ? planes_ : PlaneStrides{},
          .ahead = ahead,
          .may_start = k_block.starts_at_zero != nullptr,
          .announces_stores = stores.has_value() && block_->announces_stores};
      builder.CreateCall(registerTileFunction(scope, *row_, op_, code), arguments);
    };
    if (whole != 0) {
      emitLoop(builder, builder.getInt64(whole), register_tile_.rows,
               [&](Value* first_row) { registerTile(register_tile_.rows, first_row); });
    }
    if (whole != paddedRows()) registerTile(paddedRows() - whole, builder.getInt64(whole));
  });
}

}  // namespace jit::ukernel

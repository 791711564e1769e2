// SPDX-License-Identifier: Apache-2.0

// Register tiles of AMX: accumulators are tiles of 16 rows of 64 bytes, and 16 K groups of 16 rows
// of A are multiplied by 16 columns of B at a time. Packed operands are what the instructions read:
// rows of A, K groups of B (Intel SDM volume 1, chapter 18). The tiles' configuration, one for all,
// and their release are jit/passes/machine/tile_unit.h's.
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "jit/ir/helper_function.h"
#include "jit/ukernel/register_block.h"
#include "jit/ukernel/register_tile.h"

namespace jit::ukernel {
namespace {

using llvm::SmallVector;
using llvm::Value;

constexpr uint32_t kTileRows = 16;
constexpr uint32_t kTileGroups = 16;
constexpr uint32_t kTileRowBytes = 64;
constexpr uint32_t kTileBytes = kTileRows * kTileRowBytes;
constexpr uint32_t kTiles = 8;

// Accumulators in a register tile. Two rows by two columns of tiles take a load for each
// multiplication, at which the multiplications run at their full rate from the first-level cache;
// four leave registers for the operands of the next one.
constexpr uint32_t kMostAccumulators = 4;

// Products in the loop's body, in iterations of which there are four at most. At its end a tile is
// stored for no other reason than that it is a store (see stayAwake).
constexpr uint32_t kBodyProducts = 16;
constexpr uint32_t kMostUnrolled = 4;

// Rows to which accumulators go that are announced in an iteration: 16 iterations, 256 K groups,
// are enough for a register tile of 32.
constexpr uint32_t kStoredRows = 2;

// Argument of the function behind those that all have: bytes between rows of A.
constexpr unsigned kStride = 8;

// Which planes of A and B are multiplied, in an order in which one of them stays where it is.
struct PlanePair {
  uint32_t a, b;
};
constexpr PlanePair kPlanePairs[] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};

// Tile registers for one operand's tiles, and what they hold.
class OperandRegisters {
 public:
  OperandRegisters(unsigned first, unsigned count) : first_(first), held_(count) {}

  // The register for tile `index` of a plane; `is_new` if it has to be loaded.
  unsigned take(uint32_t index, uint32_t plane, uint32_t tiles, bool& is_new) {
    const size_t slot = (index + plane * tiles) % held_.size();
    const std::array wanted{index, plane};
    is_new = held_[slot] != wanted;
    held_[slot] = wanted;
    return first_ + static_cast<unsigned>(slot);
  }

 private:
  unsigned first_;
  SmallVector<std::optional<std::array<uint32_t, 2>>> held_;
};

class TileBlockEmitter {
 public:
  TileBlockEmitter(llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row,
                   const MulAdd& op, const RegisterTileCode& code)
      : builder_(builder),
        function_(function),
        row_(row),
        op_(op),
        code_(code),
        packing_(row.arithmetic->packing(op)),
        rows_(code.shape.rows / kTileRows),
        columns_(code.shape.micro_panels) {}

  void emit() {
    code_.may_start ? beginAccumulators() : loadAccumulators();
    if (roundsEachStep(row_, op_)) {
      emitRoundedSteps(function_.getArg(5));
    } else {
      Value* total =
          builder_.CreateMul(function_.getArg(5), builder_.getInt64(groupsPerStep(row_, op_)));
      emitIterations(
          builder_.CreateUDiv(builder_.CreateAdd(total, builder_.getInt64(kTileGroups - 1)),
                              builder_.getInt64(kTileGroups)));
    }
    forEachAccumulator(function_.getArg(6), function_.getArg(7), &TileBlockEmitter::store);
  }

 private:
  unsigned accumulator(uint32_t row, uint32_t column) const { return row * columns_ + column; }

  void load(unsigned tile, Value* from, Value* stride) {
    builder_.CreateIntrinsic(llvm::Intrinsic::x86_tileloadd64, {},
                             {builder_.getInt8(tile), from, stride});
  }
  void store(unsigned tile, Value* to, Value* stride) {
    builder_.CreateIntrinsic(llvm::Intrinsic::x86_tilestored64, {},
                             {builder_.getInt8(tile), to, stride});
  }

  // `access` is one of the two above.
  void forEachAccumulator(Value* start, Value* stride,
                          void (TileBlockEmitter::*access)(unsigned, Value*, Value*)) {
    for (uint32_t r = 0; r < rows_; ++r) {
      Value* row =
          offsetBy(builder_, start, builder_.CreateMul(stride, builder_.getInt64(r * kTileRows)));
      for (uint32_t s = 0; s < columns_; ++s)
        (this->*access)(accumulator(r, s), offsetBy(builder_, row, s * kTileRowBytes), stride);
    }
  }

  void loadAccumulators() {
    forEachAccumulator(function_.getArg(3), function_.getArg(4), &TileBlockEmitter::load);
  }

  void beginAccumulators() {
    Value* is_first = function_.getArg(function_.arg_size() - 1);
    emitIf(builder_, is_first, [&] {
      for (unsigned tile = 0; tile < rows_ * columns_; ++tile)
        builder_.CreateIntrinsic(llvm::Intrinsic::x86_tilezero, {}, {builder_.getInt8(tile)});
    });
    emitIf(builder_, builder_.CreateNot(is_first), [&] { loadAccumulators(); });
  }

  // Of whole iterations each, after which accumulators are rounded to results.
  void emitRoundedSteps(Value* steps) {
    const uint64_t iterations = groupsPerStep(row_, op_) / kTileGroups;
    const auto together = static_cast<uint32_t>(std::gcd(iterations, uint64_t{unroll()}));
    llvm::IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    llvm::AllocaInst* scratch = entry.CreateAlloca(
        llvm::ArrayType::get(entry.getInt8Ty(), uint64_t{rows_} * columns_ * kTileBytes));
    scratch->setAlignment(llvm::Align(kTileRowBytes));
    emitLoop(builder_, steps, 1, [&](Value* step) {
      Value* first = builder_.CreateMul(step, builder_.getInt64(iterations));
      emitLoop(builder_, builder_.getInt64(iterations), together,
               [&](Value* i) { emitIterationsFrom(builder_.CreateAdd(first, i), together); });
      roundAccumulators(scratch);
    });
  }

  // By way of vectors, which tiles become in memory alone.
  void roundAccumulators(Value* scratch) {
    const uint32_t tiles = rows_ * columns_;
    Value* stride = builder_.getInt64(kTileRowBytes);
    for (unsigned tile = 0; tile < tiles; ++tile)
      store(tile, offsetBy(builder_, scratch, uint64_t{tile} * kTileBytes), stride);
    llvm::FixedVectorType* type = accumulatorVector(builder_, row_, op_);
    constexpr uint64_t kTogether = 4;
    emitLoop(builder_, builder_.getInt64(uint64_t{tiles} * kTileBytes), kTogether * kTileRowBytes,
             [&](Value* at) {
               for (uint64_t i = 0; i < kTogether; ++i) {
                 Value* line =
                     offsetBy(builder_, offsetBy(builder_, scratch, at), i * kTileRowBytes);
                 const llvm::Align alignment(kTileRowBytes);
                 Value* sums = builder_.CreateAlignedLoad(type, line, alignment);
                 Value* results = narrow(builder_, row_, op_, sums);
                 builder_.CreateAlignedStore(
                     widen(builder_, results, op_.result, row_.arithmetic->accumulator(op_)), line,
                     alignment);
               }
             });
    for (unsigned tile = 0; tile < tiles; ++tile)
      load(tile, offsetBy(builder_, scratch, uint64_t{tile} * kTileBytes), stride);
  }

  uint32_t unroll() const {
    const uint32_t products = rows_ * columns_ * packing_.planes * packing_.planes;
    return std::clamp(kBodyProducts / products, 1u, kMostUnrolled);
  }

  // Some at a time, and the rest one by one.
  void emitIterations(Value* count) {
    const uint32_t together = unroll();
    Value* rest = builder_.CreateURem(count, builder_.getInt64(together));
    Value* whole = builder_.CreateSub(count, rest);
    emitIf(builder_, builder_.CreateIsNotNull(whole), [&] {
      emitLoop(builder_, whole, together, [&](Value* first) {
        emitIterationsFrom(first, together);
        store(rows_ * columns_, function_.getArg(3), function_.getArg(4));
      });
    });
    if (together == 1) return;
    emitIf(builder_, builder_.CreateIsNotNull(rest), [&] {
      emitLoop(builder_, rest, 1,
               [&](Value* i) { emitIterationsFrom(builder_.CreateAdd(whole, i), 1); });
    });
  }

  // `count` iterations from number `first` (i64) on.
  void emitIterationsFrom(Value* first, uint32_t count) {
    auto at = [&](Value* start, uint64_t bytes) {
      return offsetBy(builder_, start, builder_.CreateMul(first, builder_.getInt64(bytes)));
    };
    const uint64_t b_bytes = uint64_t{kTileGroups} * bStride();
    Value *a = at(function_.getArg(0), kTileRowBytes), *b = at(function_.getArg(1), b_bytes);
    for (uint32_t i = 0; i < count; ++i) {
      multiply(offsetBy(builder_, a, i * kTileRowBytes), offsetBy(builder_, b, i * b_bytes));
      if (code_.announces_stores) announceStores(builder_.CreateAdd(first, builder_.getInt64(i)));
    }
  }

  // Some of the rows to which accumulators go, the last one again when there are no more.
  void announceStores(Value* iteration) {
    Value* first = builder_.CreateMul(iteration, builder_.getInt64(kStoredRows));
    for (uint32_t i = 0; i < kStoredRows; ++i) {
      Value* row = builder_.CreateAdd(first, builder_.getInt64(i));
      row = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, row,
                                           builder_.getInt64(code_.shape.rows - 1));
      Value* to =
          offsetBy(builder_, function_.getArg(6), builder_.CreateMul(row, function_.getArg(7)));
      for (uint32_t s = 0; s < columns_; ++s)
        emitPrefetchToSecondLevel(builder_, offsetBy(builder_, to, s * kTileRowBytes));
    }
  }

  uint32_t bStride() const { return columns_ * kTileRowBytes; }  // bytes of a K group

  // The products of one iteration.
  void multiply(Value* a, Value* b) {
    const unsigned first = rows_ * columns_, free = kTiles - first;
    const unsigned for_a = rows_ <= columns_ ? rows_ : free - columns_;
    OperandRegisters a_registers(first, for_a), b_registers(first + for_a, free - for_a);
    const llvm::Intrinsic::ID product = row_.arithmetic->multiplyTiles(op_);
    for (const PlanePair& planes :
         llvm::ArrayRef(kPlanePairs)
             .take_front(static_cast<size_t>(packing_.planes) * packing_.planes)) {
      for (uint32_t r = 0; r < rows_; ++r) {
        for (uint32_t s = 0; s < columns_; ++s) {
          bool is_new = false;
          const unsigned left = a_registers.take(r, planes.a, rows_, is_new);
          if (is_new) {
            Value* stride = function_.getArg(kStride);
            Value* offset = builder_.CreateMul(stride, builder_.getInt64(r * kTileRows));
            load(left, offsetBy(builder_, offsetBy(builder_, a, offset), planes.a * code_.planes.a),
                 stride);
          }
          const unsigned right = b_registers.take(s, planes.b, columns_, is_new);
          if (is_new) {
            const uint64_t offset = uint64_t{s} * kTileRowBytes + planes.b * code_.planes.b;
            load(right, offsetBy(builder_, b, offset), builder_.getInt64(bStride()));
          }
          builder_.CreateIntrinsic(product, {},
                                   {builder_.getInt8(accumulator(r, s)), builder_.getInt8(left),
                                    builder_.getInt8(right)});
        }
      }
    }
  }

  llvm::IRBuilder<>& builder_;
  llvm::Function& function_;
  const Row& row_;
  const MulAdd& op_;
  const RegisterTileCode& code_;
  const Packing packing_;
  const uint32_t rows_, columns_;  // of tiles
};

// After some 2,000 cycles without, the first product takes 1,000 cycles longer, and so does the
// first store of a tile (Granite Rapids: 128 products between stores of accumulators take 3,900
// cycles, 2,930 with a store after each 64, 2,710 without any). No tile has anything between
// register tiles.
void stayAwake(llvm::IRBuilder<>& builder, const Row& row, const MulAdd& op, Value* scratch) {
  auto tile = [&](unsigned number) { return builder.getInt8(static_cast<uint8_t>(number)); };
  builder.CreateIntrinsic(row.arithmetic->multiplyTiles(op), {}, {tile(0), tile(1), tile(2)});
  builder.CreateIntrinsic(llvm::Intrinsic::x86_tilestored64, {},
                          {tile(1), scratch, builder.getInt64(kTileRowBytes)});
}

RegisterTile largestOfTiles(const Row&, uint32_t rows, uint32_t micro_panels) {
  const uint32_t down = rows / kTileRows;
  if (down == 1) return {kTileRows, std::min(micro_panels, kMostAccumulators)};
  if (micro_panels == 1) return {std::min(down, kMostAccumulators) * kTileRows, 1};
  return {2 * kTileRows, 2};
}

}  // namespace

const RegisterBlock kTileBlock = {
    .rows = kTileRows,
    .groups = kTileGroups,
    .reads_rows = true,
    .announces_stores = true,
    // 4x4 tiles of bytes, 1024 cubed: 0.24 of the peak with announcements, 0.27 without; of f16,
    // 4096 cubed, 0.86 and 1.06 of that of f32.
    .announces_panels = false,
    .least_shared_k_block_bytes = 1024,
    .largest = largestOfTiles,
    .emit =
        [](llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row, const MulAdd& op,
           const RegisterTileCode& code) {
          TileBlockEmitter(builder, function, row, op, code).emit();
        },
    .stayAwake = stayAwake,
};

}  // namespace jit::ukernel

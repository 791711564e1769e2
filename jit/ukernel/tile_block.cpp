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
constexpr uint32_t kTiles = 8;

// Accumulators in a register tile. Two rows by two columns of tiles take a load for each
// multiplication, at which the multiplications run at their full rate from the first-level cache;
// four leave registers for the operands of the next one.
constexpr uint32_t kMostAccumulators = 4;

// Iterations in the loop's body, at the end of which a tile is stored for no other reason than that
// it is a store (see stayAwake).
constexpr uint32_t kUnroll = 4;

// Rows to which accumulators go that are announced in an iteration: 16 iterations, 256 K groups,
// are enough for a register tile of 32.
constexpr uint32_t kStoredRows = 2;

// Arguments of the function behind those that all have: bytes between rows of A, and what is
// announced of A and of B.
constexpr unsigned kStride = 8, kAhead = 9;

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
    const uint32_t groups = groupsPerStep(row_, op_);
    Value* total = builder_.CreateMul(function_.getArg(5), builder_.getInt64(groups));
    Value* iterations =
        builder_.CreateUDiv(builder_.CreateAdd(total, builder_.getInt64(kTileGroups - 1)),
                            builder_.getInt64(kTileGroups));
    emitIterations(iterations);
    forEachAccumulator(function_.getArg(6), function_.getArg(7), &TileBlockEmitter::store);
  }

 private:
  // Where A and B are, the next row to which accumulators go, and what is announced of the next A
  // and B.
  using Positions = SmallVector<Value*, 5>;

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
    auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(builder_.getContext(), name, &function_);
    };
    auto *zero = block("zero"), *load = block("load"), *go = block("go");
    builder_.CreateCondBr(function_.getArg(function_.arg_size() - 1), zero, load);
    builder_.SetInsertPoint(zero);
    for (unsigned tile = 0; tile < rows_ * columns_; ++tile)
      builder_.CreateIntrinsic(llvm::Intrinsic::x86_tilezero, {}, {builder_.getInt8(tile)});
    builder_.CreateBr(go);
    builder_.SetInsertPoint(load);
    loadAccumulators();
    builder_.CreateBr(go);
    builder_.SetInsertPoint(go);
  }

  // The loop is there twice if panels may be announced: with that, and without, which is a third
  // faster where the second-level cache has them (Granite Rapids).
  void emitIterations(Value* count) {
    Positions start{function_.getArg(0), function_.getArg(1), builder_.getInt64(0)};
    if (!code_.ahead) {
      emitLoops(count, start);
      return;
    }
    auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(builder_.getContext(), name, &function_);
    };
    auto *quiet = block("quiet"), *announcing = block("announcing"), *end = block("end");
    Value* ahead[] = {function_.getArg(kAhead), function_.getArg(kAhead + 1)};
    Value* is_any =
        builder_.CreateOr(builder_.CreateIsNotNull(ahead[0]), builder_.CreateIsNotNull(ahead[1]));
    builder_.CreateCondBr(is_any, announcing, quiet);
    builder_.SetInsertPoint(quiet);
    emitLoops(count, start);
    builder_.CreateBr(end);
    builder_.SetInsertPoint(announcing);
    for (Value* pointer : ahead) {
      Value* is_none = builder_.CreateIsNull(pointer);
      start.push_back(builder_.CreateSelect(is_none, function_.getArg(1), pointer));
    }
    emitLoops(count, start);
    builder_.CreateBr(end);
    builder_.SetInsertPoint(end);
  }

  // Iterations kUnroll at a time, and the rest one by one.
  void emitLoops(Value* count, const Positions& start) {
    Value* unroll = builder_.getInt64(kUnroll);
    const Positions middle = emitLoop(builder_.CreateUDiv(count, unroll), kUnroll, start);
    emitLoop(builder_.CreateURem(count, unroll), 1, middle);
  }

  // `count` times `unroll` iterations, none if it is 0. Returns where they end.
  Positions emitLoop(Value* count, uint32_t unroll, const Positions& start) {
    auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(builder_.getContext(), name, &function_);
    };
    llvm::BasicBlock *before = builder_.GetInsertBlock(), *loop = block("k"),
                     *after = block("done");
    builder_.CreateCondBr(builder_.CreateIsNull(count), after, loop);
    builder_.SetInsertPoint(loop);
    auto phi = [&](Value* value) {
      llvm::PHINode* node = builder_.CreatePHI(value->getType(), 2);
      node->addIncoming(value, before);
      return node;
    };
    llvm::PHINode* left = phi(count);
    SmallVector<llvm::PHINode*, 5> phis;
    for (Value* position : start) phis.push_back(phi(position));
    for (uint32_t u = 0; u < unroll; ++u) {
      multiply(offsetBy(builder_, phis[0], u * kTileRowBytes),
               offsetBy(builder_, phis[1], uint64_t{u} * kTileGroups * bStride()));
      if (code_.announces_stores) announceStores(phis[2], u);
    }
    if (unroll == kUnroll) store(rows_ * columns_, function_.getArg(3), function_.getArg(4));
    Positions next{offsetBy(builder_, phis[0], uint64_t{unroll} * kTileRowBytes),
                   offsetBy(builder_, phis[1], uint64_t{unroll} * kTileGroups * bStride()),
                   builder_.CreateAdd(phis[2], builder_.getInt64(unroll * kStoredRows))};
    if (start.size() > next.size()) {
      for (uint64_t bytes : {code_.ahead->a_bytes, code_.ahead->b_bytes}) {
        const uint64_t share = llvm::divideCeil(bytes * unroll * kTileGroups, code_.ahead->groups);
        Value* pointer = phis[next.size()];
        for (uint64_t line = 0; line < share; line += kCacheLine)
          emitPrefetchToSecondLevel(builder_, offsetBy(builder_, pointer, line));
        next.push_back(offsetBy(builder_, pointer, share));
      }
    }
    Value* remaining = builder_.CreateSub(left, builder_.getInt64(1));
    left->addIncoming(remaining, loop);
    for (auto [node, value] : llvm::zip_equal(phis, next)) node->addIncoming(value, loop);
    builder_.CreateCondBr(builder_.CreateIsNotNull(remaining), loop, after);
    builder_.SetInsertPoint(after);
    Positions end;
    for (auto [value, following] : llvm::zip_equal(start, next)) {
      llvm::PHINode* node = phi(value);
      node->addIncoming(following, loop);
      end.push_back(node);
    }
    return end;
  }

  // Some of the rows to which accumulators go, the last one again when there are no more.
  void announceStores(Value* first, uint32_t iteration) {
    for (uint32_t i = 0; i < kStoredRows; ++i) {
      Value* row = builder_.CreateAdd(first, builder_.getInt64(iteration * kStoredRows + i));
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
            Value* first = builder_.CreateMul(stride, builder_.getInt64(r * kTileRows));
            load(left, offsetBy(builder_, offsetBy(builder_, a, first), planes.a * code_.planes.a),
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
    // With what is near, 4x4 tiles of bytes have 0.24 of the peak, without it 0.26.
    .announces_sparingly = true,
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

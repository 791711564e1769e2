// SPDX-License-Identifier: Apache-2.0

// The packed GEMM, a product through a K block: where packed panels and accumulators lie in a piece
// of memory, and the functions that fill it and multiply through it.
#pragma once

#include <optional>

#include "jit/ukernel/pack.h"
#include "jit/ukernel/register_tile.h"
#include "jit/ukernel/tile_descriptors.h"

namespace jit::ukernel {

// What generated code calls where panels are shared: rt::findPanel.
inline constexpr char kFindPanel[] = "tessera.find_panel";
// Where rows may be read in place: rt::areRows.
inline constexpr char kAreRows[] = "tessera.are_rows";
// And for what comes next: functions of runtime/kernel_library/tile_prefetch.h.
inline constexpr char kPrefetchTilesAhead[] = "tessera.prefetch_tiles_ahead";
inline constexpr char kPrefetchColumn[] = "tessera.prefetch_column";
// And where something packed in several planes is not finite: rt::multiplyPlanes.
inline constexpr char kMultiplyPlanes[] = "tessera.multiply_planes";
// And after it: functions of runtime/kernel_library/stored_tiles.h.
inline constexpr char kAreOnePiece[] = "tessera.are_one_piece";
inline constexpr char kStoreTiles[] = "tessera.store_tiles";

// A grid of a_tiles x b_tiles accumulator matrices, M x N each: accumulator (i, j) is the sum over
// the steps of tile i of A times tile j of B. Addresses are relative to a 64-byte aligned base.
class PackedGemm {
 public:
  // Room for `capacity` steps, multiply-adds of op.k each.
  PackedGemm(const Row& row, const MulAdd& op, uint32_t a_tiles, uint32_t b_tiles,
             uint32_t capacity);

  // Steps that make a K block as long as the caches like it, when panels are packed for one
  // multiplication, or shared.
  static uint32_t preferredCapacity(const Row& row, const MulAdd& op, uint32_t a_tiles,
                                    uint32_t b_tiles, bool is_shared);

  uint64_t bytes() const { return bytes_; }
  uint32_t capacity() const { return capacity_; }

  // Accumulator (i, j) in memory, row-major, as components op.result between the calls below.
  uint64_t accumulatorOffset(uint32_t i, uint32_t j) const;
  uint32_t accumulatorStride() const { return strides_.c; }

  // Before the first step, either all accumulators are zero, as a K block may say, or this makes
  // them,
  void emitZero(llvm::IRBuilder<>& builder, llvm::Value* base) const;
  // or they were given initial values as op.result.
  void emitBegin(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Value* base) const;
  // Before the first step of each K block: nothing is packed.
  void emitBeginKBlock(llvm::IRBuilder<>& builder, llvm::Value* base) const;
  // Packs tile `tile` of A (B) for step `step` (i64), which is below the capacity. `a_layout` is of
  // the memory it comes from.
  void emitPackA(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Value* base,
                 uint32_t tile, llvm::Value* step, const TileMemory& source, Layout layout,
                 Prefetch prefetch = Prefetch::NextStep) const;
  void emitPackB(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Value* base,
                 uint32_t tile, llvm::Value* step, const TileMemory& source, Layout layout,
                 Prefetch prefetch = Prefetch::NextStep) const;
  // Notes where a tile is, to be packed by emitMultiply: for memory that nobody writes until then.
  // So the parts of a cache line that belong to several steps or tiles are read together. Where
  // `is_packed` (i1), the tile was packed already.
  void emitDescriptorA(llvm::IRBuilder<>& builder, llvm::Value* base, uint32_t tile,
                       llvm::Value* step, const TileMemory& source,
                       llvm::Value* is_packed = nullptr) const;
  void emitDescriptorB(llvm::IRBuilder<>& builder, llvm::Value* base, uint32_t tile,
                       llvm::Value* step, const TileMemory& source,
                       llvm::Value* is_packed = nullptr) const;
  // All tiles were recorded, and have these layouts.
  struct Recorded {
    Layout a, b;
    // What was packed from the same tiles may be used again (runtime/panel_cache.h): nobody writes
    // them as long as the dispatch runs.
    bool is_shared;
    // Some may have been packed before they were recorded: KBlock::packed.
    bool may_be_packed = false;
  };
  struct Stores {
    // i1: the destinations of all accumulators were noted, and are prefetched.
    llvm::Value* follow;
    // Where the accumulators go (ptr), row after row (i64 bytes apart) of all that are side by
    // side. To memory of others only where accumulatorsGoAnywhere().
    llvm::Value *to, *to_stride;
  };
  static constexpr uint64_t kPackedA = 1, kPackedB = 2;
  struct KBlock {
    llvm::Value* steps;                // i64, may be 0
    std::optional<Recorded> recorded;  // nothing if all tiles were packed
    // If that can be, the sum (i64) of kPackedA and kPackedB: which operands have tiles that were
    // packed.
    llvm::Value* packed = nullptr;
    // If any can follow.
    std::optional<Stores> stores;
    // If that can be, whether (i1) the accumulators are zero, whatever their memory holds.
    llvm::Value* starts_at_zero = nullptr;
  };
  // Multiplies through the first steps; the panels are free again.
  void emitMultiply(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Value* base,
                    const KBlock& k_block) const;
  // Whether the accumulators are op.result as they are multiplied, in vectors without gaps.
  bool accumulatorsGoAnywhere() const;
  // Whether steps that come `steps` at a time are multiplied faster where their tiles lie, one row
  // after the other, than packed. Then no vector of A's rows or B's is moved, but accumulators are
  // loaded and stored each time.
  static bool isFasterInPlace(const Row& row, const MulAdd& op, uint32_t a_tiles, uint32_t b_tiles,
                              uint32_t steps);
  // Multiplies through the first `steps`, all recorded: tiles in rows `strides` apart, which nobody
  // writes until then.
  void emitMultiplyInPlace(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Value* base,
                           uint32_t steps, const InPlaceStrides& strides) const;
  // Notes where accumulator (i, j) is going to be stored, by rows.
  void emitDestination(llvm::IRBuilder<>& builder, llvm::Value* base, uint32_t i, uint32_t j,
                       const TileMemory& destination) const;
  // Where accumulatorsGoAnywhere(), of destinations noted for all accumulators: whether (i1) they
  // are one piece of memory, to which a K block's accumulators may go;
  llvm::Value* emitAreOnePiece(const HelperScope& scope, llvm::IRBuilder<>& builder,
                               llvm::Value* base) const;
  // if `are_wanted` (i1), stores there, row after row of the grid or column after column.
  enum class Order { Rows, Columns };
  void emitStores(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Value* base,
                  llvm::Value* are_wanted, Order order) const;
  // After the last step: accumulators become op.result.
  void emitEnd(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Value* base) const;

 private:
  struct Span {
    uint32_t first, count;
  };
  static RegisterTile inPlaceTile(const Row& row, uint32_t rows, uint32_t micro_panels);
  uint32_t rows() const { return op_.m * a_tiles_; }
  uint32_t paddedRows() const;  // to whole multiples of the row's block, for which there is room
  uint32_t microPanels() const { return micro_panels_per_tile_ * b_tiles_; }
  uint64_t groupsTotal() const;  // in the panels, padded likewise
  // A function of runtime/kernel_library/tile_prefetch.h: void (ptr descriptors, i64 x `numbers`).
  // The caches are what it writes.
  static llvm::FunctionCallee prefetchFunction(llvm::Module& module, llvm::IRBuilder<>& builder,
                                               llvm::StringRef name, unsigned numbers);
  // What runtime/kernel_library/stored_tiles.h is told of the accumulators.
  llvm::Constant* tileGrid(llvm::Module& module) const;
  uint64_t sumsRowBytes() const { return uint64_t{microPanels()} * row_->vector_bytes; }
  // The micro-panels that share a register tile with `micro_panel`.
  Span columnBlock(uint32_t micro_panel) const;
  uint64_t columnBlockOffset(uint32_t first_micro_panel) const;
  // Of a function of this product; and the product as the form of its panels has it.
  FunctionKey keyOf(FunctionKind kind) const;
  std::string mangledName() const;
  // The panels of an operand's K block: what offsets of A's, or of B's with their sums, are
  // relative to; where those of the next K block are expected, or null; and whether (i1) they will
  // have to be packed then, too, from as far behind this K block's tiles as that goes.
  struct Panel {
    llvm::Value *base, *ahead, *packing_goes_on;
    llvm::Value* stride = nullptr;  // bytes between rows of A, if not those of packed ones
  };
  struct Panels {
    Panel a, b;
  };
  enum class Operand { A, B };
  // To be emitted where operands are packed for some time: what multiplies may fall asleep, and be
  // slow when it is wanted.
  void emitStayAwake(llvm::IRBuilder<>& builder, llvm::Value* base) const;
  void emitPackRecorded(const HelperScope& scope, llvm::IRBuilder<>& builder,
                        llvm::Function& function, Operand operand, const Recorded& recorded,
                        llvm::Value* panels) const;
  // Zeros behind the K groups of the first `steps`, as far as the row's block runs.
  void emitZeroTail(llvm::IRBuilder<>& builder, Operand operand, llvm::Value* panels,
                    llvm::Value* steps) const;
  void emitZeroTailOfRows(llvm::IRBuilder<>& builder, llvm::Value* panel, llvm::Value* groups,
                          llvm::Value* rest) const;
  void emitZeroTailOfColumns(llvm::IRBuilder<>& builder, llvm::Value* panel, Span columns,
                             uint32_t width, llvm::Value* groups, llvm::Value* rest) const;
  // packed_gemm_special.cpp. Where a panel of several planes tells (i32) that something in it is
  // not finite, and that nothing is.
  uint64_t notFiniteOffset(Operand operand) const;
  void emitAllFinite(llvm::IRBuilder<>& builder, llvm::Value* panels, Operand operand) const;
  // If something is, the whole product in an arithmetic that has infinities and NaNs, and a branch
  // to `done`.
  void emitUnlessFinite(const HelperScope& scope, llvm::IRBuilder<>& builder,
                        llvm::Function& function, const Panels& panels, const KBlock& k_block,
                        llvm::BasicBlock* done) const;
  // Of A as it lies, where its rows need no packing and can be read in place, or else packed.
  Panel emitRows(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Function& function,
                 const Recorded& recorded) const;
  bool mayReadRowsInPlace(const Recorded& recorded) const;
  Panel emitPanel(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Function& function,
                  Operand operand, const Recorded& recorded) const;
  // Each register tile of a product prefetches its share of what the next K block is likely to
  // read: sources that it will pack, at once;
  void emitSourcePrefetches(const HelperScope& scope, llvm::IRBuilder<>& builder,
                            llvm::Function& function, llvm::Value* number, const Panels& panels,
                            const Recorded& recorded) const;
  // or panels, while it multiplies. Where its share of one starts, `otherwise` if none is known.
  RegisterTileAhead aheadOfRegisterTile() const;
  llvm::Value* emitAhead(llvm::IRBuilder<>& builder, llvm::Value* ahead, llvm::Value* number,
                         uint64_t bytes, llvm::Value* otherwise) const;
  // What a register tile of `rows` rows from `first_row` on and `width` micro-panels from
  // `micro_panel` on is stored to.
  void emitDestinationPrefetches(const HelperScope& scope, llvm::IRBuilder<>& builder,
                                 llvm::Function& function, llvm::Value* first_row, uint32_t rows,
                                 llvm::Value* micro_panel, uint32_t width) const;
  // The body of the function that emitMultiply calls.
  void emitProduct(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Function& function,
                   const KBlock& k_block) const;
  uint32_t registerTiles() const;
  llvm::Value* emitRegisterTileNumber(llvm::IRBuilder<>& builder, llvm::Value* micro_panel,
                                      llvm::Value* first_row) const;
  void emitSumOfSums(llvm::IRBuilder<>& builder, llvm::Function& function, llvm::Value* sums) const;
  void emitRegisterTiles(const HelperScope& scope, llvm::IRBuilder<>& builder,
                         llvm::Function& function, const Panels& panels, const Span& columns,
                         const KBlock& k_block) const;
  void emitConversion(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Value* base,
                      bool to_result) const;

  const Row* row_;
  MulAdd op_;
  Packing packing_;
  uint32_t a_tiles_, b_tiles_, capacity_;
  uint32_t micro_panels_per_tile_;
  uint32_t parts_;  // of a step, along K
  TileDescriptors descriptors_;
  const RegisterBlock* block_;
  RegisterTile register_tile_;  // the largest
  struct {
    uint32_t a, c;
  } strides_;  // bytes between rows of packed A, and of the accumulators
  PlaneStrides planes_;
  uint64_t not_finite_bytes_;  // at the end of each panel
  uint64_t b_offset_, sums_offset_, c_offset_, descriptors_offset_, destinations_offset_,
      scratch_offset_, bytes_;
};

}  // namespace jit::ukernel

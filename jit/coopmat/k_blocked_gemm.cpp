// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/k_blocked_gemm.h"

#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <deque>

#include "jit/coopmat/accumulator_accesses.h"
#include "jit/coopmat/epilogue_stores.h"
#include "jit/coopmat/in_place.h"
#include "jit/coopmat/operand_packing.h"
#include "jit/ukernel/packed_gemm.h"

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;
using ukernel::PackedGemm;

bool isZero(Value* value) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && constant->isNullValue();
}

// Defers the multiply-adds of one grid of accumulators.
class KBlockedGemm {
 public:
  KBlockedGemm(const TileGrid& grid, const ukernel::Row& row, llvm::Loop* loop,
               OperandFreedom freedom, llvm::LoopInfo& loops, llvm::DominatorTree& dominators)
      : grid_(grid),
        loop_(loop),
        loops_(loops),
        dominators_(dominators),
        function_(*grid.groups().front().block->getParent()),
        scope_{*function_.getParent(), function_},
        points_(grid, loop, freedom, loops, dominators),
        in_place_(points_.recorded() ? std::nullopt : operandsInPlace(grid, row)),
        gemm_(row, grid.op(), grid.aTiles(), grid.bTiles(), capacity(row)),
        accesses_(grid, loop ? blocksInOrder(*loop) : llvm::SmallVector{grid.groups()[0].block},
                  beginsOfGroups(), startsAtZero(), loops, dominators) {}

  // Whether anything is multiplied together that is not in the program.
  bool gains() const {
    return grid_.cells().size() > 1 || grid_.mostStepsInGroup() > 1 ||
           (loop_ != nullptr && (!accesses_.any() || accesses_.gathersSteps()));
  }

  // Whether no two steps are ever multiplied together.
  bool multipliesEachStep() const {
    return loop_ != nullptr && accesses_.any() && !accesses_.gathersSteps() &&
           grid_.mostStepsInGroup() == 1;
  }

  // Memory, and what is known of the steps of the K block: variables, promoted by the caller.
  void allocate(KernelFrame& frame, std::vector<llvm::AllocaInst*>& variables) {
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    Value* frame_pointer = function_.getArg(kFrameArgument);
    memory_.base = ukernel::offsetBy(builder, frame_pointer, frame.allocate(gemm_.bytes(), 64));
    uint64_t staging_bytes = std::max(uint64_t{grid_.op().m} * bytesOf(grid_.op().a),
                                      uint64_t{grid_.op().n} * bytesOf(grid_.op().b)) *
                             grid_.op().k;
    memory_.staging = ukernel::offsetBy(builder, frame_pointer, frame.allocate(staging_bytes, 64));
    auto variable = [&](const char* name) {
      return variables.emplace_back(builder.CreateAlloca(builder.getInt64Ty(), nullptr, name));
    };
    memory_.steps = variable("steps");
    memory_.packed = points_.mayBePacked() ? variable("packed") : nullptr;
    if (loop_ && startsAtZero() && !in_place_) is_begun_ = variable("is_begun");
  }

  // Finds the stores of all accumulators after each exit, before anything is emitted there.
  // `is_alone`: no other product is multiplied there.
  void findStores(bool is_alone) {
    if (in_place_) return;
    for (llvm::PHINode* first : grid_.cells().front().web->exit_phis) {
      llvm::SmallVector<llvm::PHINode*> accumulators;
      for (const TileGrid::Cell& cell : grid_.cells()) {
        for (llvm::PHINode* phi : cell.web->exit_phis)
          if (phi->getParent() == first->getParent()) accumulators.push_back(phi);
      }
      if (accumulators.size() != grid_.cells().size()) continue;
      std::optional<EpilogueStores> stores = epilogueStoresOf(accumulators, dominators_);
      if (!stores) continue;
      stores->may_come_first = stores->may_come_first && is_alone &&
                               gemm_.accumulatorsGoAnywhere() && orderOf(*stores).has_value();
      stores_[first->getParent()] = std::move(*stores);
    }
  }

  // Before any multiply-add goes: whatever else uses accumulators reads them from memory. Operands
  // and addends of other products do so, too.
  void emitReads() {
    if (!loop_) {
      for (const TileGrid::Cell& cell : grid_.cells())
        for (llvm::Use* use : cell.web->reads) readAt(placeOfRead(*use), *use, cell);
      return;
    }
    for (const AccumulatorEvent& event : accesses_.events()) {
      if (event.multiplies || event.kind == AccumulatorEvent::Kind::GroupBegins) {
        IRBuilder<> builder(event.before);
        checks_.push_back(
            {builder.CreateLoad(builder.getInt64Ty(), memory_.steps), event.multiplies});
      }
      if (event.kind != AccumulatorEvent::Kind::Read) continue;
      Value* read = readAt(event.before, *event.use, grid_.cells()[event.index]);
      // What multiplies it must not take it for a tile that stays as it is.
      if (matchMulAdd(event.use->getUser()))
        event.use->set(IRBuilder<>(event.before).CreateFreeze(read));
    }
  }

  // After all that reads.
  void emitWrites() {
    emitInitial();
    if (isZeroed()) return;
    for (const AccumulatorEvent& event : accesses_.events()) {
      if (event.kind == AccumulatorEvent::Kind::Write)
        write(event.before, event.use->get(), grid_.cells()[event.index]);
    }
  }

  // All but emitKBlocks(), which splits blocks that other products have, too.
  void emitProducts() {
    if (in_place_) multiplyInPlace(scope_, grid_, *in_place_, gemm_, memory_.base);
    OperandPacking packing(scope_, grid_, points_, gemm_, memory_);
    llvm::Instruction* end = nullptr;
    for (size_t group = 0; !in_place_ && group < grid_.groups().size(); ++group)
      end = packing.emit(group);
    if (loop_) {
      emitExits();
    } else if (end) {
      multiplyChains(end);
    }
    for (const TileGrid::Cell& cell : grid_.cells()) eraseWeb(*cell.web);
  }

  // Multiplies K blocks that have no room for another step before one is added, so that the last
  // K block, full or not, is left to the end of the loop; and before accumulators are read or
  // written, whatever there is.
  void emitKBlocks() {
    if (in_place_ || !loop_) return;
    for (auto [steps, always] : checks_) {
      IRBuilder<> builder(steps->getNextNode());
      const uint32_t last = gemm_.capacity() - grid_.mostStepsInGroup();
      Value* is_due = builder.CreateICmpUGT(steps, builder.getInt64(always ? 0 : last));
      if (always && is_begun_) {
        Value* is_begun = builder.CreateLoad(builder.getInt64Ty(), is_begun_);
        is_due = builder.CreateOr(is_due, builder.CreateIsNull(is_begun));
      }
      llvm::DomTreeUpdater updater(dominators_, llvm::DomTreeUpdater::UpdateStrategy::Eager);
      builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_due, builder.GetInsertPoint(),
                                                             false, nullptr, &updater, &loops_));
      emitMultiply(builder, steps, false, accumulators(builder));
      if (accesses_.any()) gemm_.emitEnd(scope_, builder, memory_.base);
      emitNoSteps(builder);
      if (is_begun_) builder.CreateStore(builder.getInt64(1), is_begun_);
    }
  }

 private:
  struct Check {
    llvm::Instruction* steps;  // how many there are
    bool always;               // whether one is enough to be multiplied
  };

  uint32_t capacity(const ukernel::Row& row) const {
    const uint32_t most = grid_.mostStepsInGroup();
    if (in_place_) return most;
    const bool is_shared = points_.recorded() && points_.recorded()->is_shared;
    // Two steps tell where those of the next K block are.
    if (!loop_) return std::max(most, is_shared ? 2u : 1u);
    uint32_t preferred =
        PackedGemm::preferredCapacity(row, grid_.op(), grid_.aTiles(), grid_.bTiles(), is_shared);
    return std::max(1u, preferred / most) * most;
  }

  llvm::SmallVector<BasicBlock*> beginsOfGroups() const {
    llvm::SmallVector<BasicBlock*> begins;
    for (size_t group = 0; !in_place_ && group < grid_.groups().size(); ++group)
      begins.push_back(points_.blockBefore(group));
    return begins;
  }

  bool startsAtZero() const {
    return llvm::all_of(grid_.cells(), [](auto& cell) { return isZero(cell.web->initial); });
  }

  // Whether chains begin with zeros in registers.
  bool isZeroed() const { return !loop_ && !in_place_ && startsAtZero(); }

  Value* accumulator(IRBuilder<>& builder, const TileGrid::Cell& cell) const {
    return ukernel::offsetBy(builder, memory_.base, gemm_.accumulatorOffset(cell.a, cell.b));
  }

  void emitInitial() {
    IRBuilder<> builder(loop_ ? loop_->getLoopPreheader()->getTerminator()
                              : &*startOfChains()->getFirstInsertionPt());
    emitNoSteps(builder);
    if (is_begun_) builder.CreateStore(builder.getInt64(0), is_begun_);
    if (!loop_ || is_begun_) return;
    if (startsAtZero()) {
      gemm_.emitZero(builder, memory_.base);
      return;
    }
    for (const TileGrid::Cell& cell : grid_.cells())
      write(&*builder.GetInsertPoint(), cell.web->initial, cell);
    // Where others look at them in between they are as the program has them between K blocks.
    if (!accesses_.any()) gemm_.emitBegin(scope_, builder, memory_.base);
  }

  BasicBlock* startOfChains() const {
    return in_place_ ? grid_.groups().front().block : points_.blockBefore(0);
  }

  void emitNoSteps(IRBuilder<>& builder) {
    builder.CreateStore(builder.getInt64(0), memory_.steps);
    if (memory_.packed) builder.CreateStore(builder.getInt64(0), memory_.packed);
    if (!in_place_) gemm_.emitBeginKBlock(builder, memory_.base);
  }

  // Where the accumulators of a K block go that are not stored yet.
  ukernel::TileMemory accumulators(IRBuilder<>& builder) const {
    return {ukernel::offsetBy(builder, memory_.base, gemm_.accumulatorOffset(0, 0)),
            builder.getInt64(gemm_.accumulatorStride()), builder.getInt64(-1)};
  }

  void emitMultiply(IRBuilder<>& builder, Value* steps, bool stores_follow,
                    const ukernel::TileMemory& to) {
    if (in_place_) return;
    auto load = [&](Value* variable) { return builder.CreateLoad(builder.getInt64Ty(), variable); };
    if (accesses_.any() && !isZeroed()) gemm_.emitBegin(scope_, builder, memory_.base);
    PackedGemm::KBlock k_block{.steps = steps, .recorded = points_.recorded()};
    if (memory_.packed) k_block.packed = load(memory_.packed);
    if (is_begun_) k_block.starts_at_zero = builder.CreateIsNull(load(is_begun_));
    if (isZeroed()) k_block.starts_at_zero = builder.getTrue();
    if (!stores_.empty())
      k_block.stores = {builder.getInt1(stores_follow), to.base, to.stride_bytes};
    gemm_.emitMultiply(scope_, builder, memory_.base, k_block);
  }

  void multiplyChains(llvm::Instruction* end) {
    IRBuilder<> builder(end);
    emitMultiply(builder, builder.CreateLoad(builder.getInt64Ty(), memory_.steps), false,
                 accumulators(builder));
    gemm_.emitEnd(scope_, builder, memory_.base);
  }

  // After the loop. While the last K block is multiplied, what the accumulators are stored to is
  // fetched; where that is one piece, blocks store them there at once.
  void emitLastMultiply(BasicBlock* exit) {
    IRBuilder<> builder(&*exit->getFirstInsertionPt());
    Value* steps = builder.CreateLoad(builder.getInt64Ty(), memory_.steps);
    const ukernel::TileMemory own = accumulators(builder);
    std::optional<Destinations> destinations;
    auto stores = stores_.find(exit);
    if (stores != stores_.end()) destinations = computeEarlier(builder, stores->second);
    if (destinations) {
      for (auto [cell, destination] : llvm::zip_equal(grid_.cells(), destinations->of_accumulators))
        gemm_.emitDestination(builder, memory_.base, cell.a, cell.b, destination);
    }
    const bool comes_first = destinations && stores->second.may_come_first;
    if (!comes_first) {
      emitMultiply(builder, steps, destinations.has_value(), own);
      gemm_.emitEnd(scope_, builder, memory_.base);
      return;
    }
    Value* is_one_piece = builder.CreateAnd(builder.CreateIsNotNull(steps),
                                            gemm_.emitAreOnePiece(scope_, builder, memory_.base));
    Value* are_done = builder.CreateLogicalAnd(destinations->are_stored, is_one_piece);
    const ukernel::TileMemory& first = destinations->of_accumulators.front();
    emitMultiply(
        builder, steps, true,
        {builder.CreateSelect(are_done, first.base, own.base),
         builder.CreateSelect(are_done, first.stride_bytes, own.stride_bytes), own.limit_bytes});
    Value* are_left =
        builder.CreateLogicalAnd(destinations->are_stored, builder.CreateNot(is_one_piece));
    gemm_.emitStores(scope_, builder, memory_.base, are_left, *orderOf(stores->second));
    for (const StoreCall& store : stores->second.calls) store.call->eraseFromParent();
  }

  // In which order the program stores the tiles of the grid, if it is one of those.
  std::optional<PackedGemm::Order> orderOf(const EpilogueStores& stores) const {
    auto isIn = [&](PackedGemm::Order order) {
      for (auto [position, accumulator] : llvm::enumerate(stores.order)) {
        const TileGrid::Cell& cell = grid_.cells()[accumulator];
        const size_t number = order == PackedGemm::Order::Rows ? cell.a * grid_.bTiles() + cell.b
                                                               : cell.b * grid_.aTiles() + cell.a;
        if (position != number) return false;
      }
      return true;
    };
    for (PackedGemm::Order order : {PackedGemm::Order::Rows, PackedGemm::Order::Columns})
      if (isIn(order)) return order;
    return std::nullopt;
  }

  // Where the loop is left with accumulators in use, the rest is multiplied; the values are read
  // where they are used. That is still right there: a path from the exit to the use through the
  // loop would leave it by this exit again, as the exit dominates the use.
  void emitExits() {
    llvm::SmallPtrSet<BasicBlock*, 4> done;
    for (const TileGrid::Cell& cell : grid_.cells()) {
      for (llvm::PHINode* phi : cell.web->exit_phis) {
        if (done.insert(phi->getParent()).second) emitLastMultiply(phi->getParent());
      }
    }
    for (const TileGrid::Cell& cell : grid_.cells()) {
      for (llvm::PHINode* phi : cell.web->exit_phis) {
        for (llvm::Use& use : llvm::make_early_inc_range(phi->uses()))
          readAt(placeOfRead(use), use, cell);
        phi->eraseFromParent();
      }
    }
  }

  Value* readAt(llvm::Instruction* place, llvm::Use& use, const TileGrid::Cell& cell) {
    IRBuilder<> builder(place);
    Value* read =
        createLoad(builder, grid_.op().typeOfResult(), accumulator(builder, cell),
                   builder.getInt64(gemm_.accumulatorStride()), builder.getInt64(-1), Layout::Row);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(use.getUser())) {
      phi->setIncomingValueForBlock(phi->getIncomingBlock(use), read);
    } else {
      use.set(read);
    }
    return read;
  }

  void write(llvm::Instruction* place, Value* value, const TileGrid::Cell& cell) {
    IRBuilder<> builder(place);
    createStore(builder, value, grid_.op().typeOfResult(), accumulator(builder, cell),
                builder.getInt64(gemm_.accumulatorStride()), builder.getInt64(-1), Layout::Row);
  }

  const TileGrid& grid_;
  llvm::Loop* loop_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::Function& function_;
  const ukernel::HelperScope scope_;
  const PackingPoints points_;
  const std::optional<InPlaceOperands> in_place_;
  const PackedGemm gemm_;
  const AccumulatorAccesses accesses_;
  KBlockMemory memory_{};
  // Where accumulators start at zero: whether a K block has been multiplied, so that memory has
  // them.
  llvm::AllocaInst* is_begun_ = nullptr;
  std::vector<Check> checks_;
  llvm::DenseMap<BasicBlock*, EpilogueStores> stores_;  // after exits, cell by cell
};

}  // namespace

void deferMultiplyAdds(std::span<const TileGrid> grids, llvm::Loop* loop, OperandFreedom freedom,
                       llvm::LoopInfo& loops, llvm::DominatorTree& dominators, const Target& target,
                       KernelFrame& frame, std::vector<llvm::AllocaInst*>& variables) {
  std::deque<KBlockedGemm> gemms;
  for (const TileGrid& grid : grids) {
    gemms.emplace_back(grid, *ukernel::select(grid.op(), target), loop, freedom, loops, dominators);
    // What is multiplied a step at a time is packed for that: a panel that others could use would
    // have to be looked up as often.
    if (gemms.back().multipliesEachStep()) {
      const ukernel::Row& row = *ukernel::select(grid.op(), target);
      gemms.pop_back();
      gemms.emplace_back(grid, row, loop, OperandFreedom{}, loops, dominators);
    }
    if (!gemms.back().gains()) gemms.pop_back();
  }
  for (KBlockedGemm& gemm : gemms) {
    gemm.allocate(frame, variables);
    gemm.findStores(gemms.size() == 1);
  }
  for (KBlockedGemm& gemm : gemms) gemm.emitReads();
  for (KBlockedGemm& gemm : gemms) gemm.emitWrites();
  for (KBlockedGemm& gemm : gemms) gemm.emitProducts();
  for (KBlockedGemm& gemm : gemms) gemm.emitKBlocks();
}

}  // namespace jit::coopmat

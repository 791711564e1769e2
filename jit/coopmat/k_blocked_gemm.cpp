// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/k_blocked_gemm.h"

#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <deque>

#include "jit/coopmat/epilogue_stores.h"
#include "jit/coopmat/in_place.h"
#include "jit/coopmat/shared_operands.h"
#include "jit/ir/memories.h"
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

// Defers the multiply-adds of one grid of accumulators of one loop.
class KBlockedGemm {
 public:
  KBlockedGemm(const TileGrid& grid, const ukernel::Row& row, llvm::Loop& loop,
               OperandFreedom freedom, llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
               KernelFrame& frame)
      : grid_(grid),
        loop_(loop),
        loops_(loops),
        dominators_(dominators),
        scope_{*loop.getHeader()->getModule(), *loop.getHeader()->getParent()},
        points_(grid, loop, freedom, loops, dominators),
        in_place_(points_.recorded() ? std::nullopt : operandsInPlace(grid, row)),
        gemm_(row, grid.op(), grid.aTiles(), grid.bTiles(), capacity(row)) {
    llvm::Function& function = *loop.getHeader()->getParent();
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    Value* frame_pointer = function.getArg(kFrameArgument);
    base_ = ukernel::offsetBy(builder, frame_pointer, frame.allocate(gemm_.bytes(), 64));
    uint64_t staging_bytes = std::max(uint64_t{grid.op().m} * bytesOf(grid.op().a),
                                      uint64_t{grid.op().n} * bytesOf(grid.op().b)) *
                             grid.op().k;
    staging_ = ukernel::offsetBy(builder, frame_pointer, frame.allocate(staging_bytes, 64));
    auto variable = [&](const char* name) {
      return variables_.emplace_back(builder.CreateAlloca(builder.getInt64Ty(), nullptr, name));
    };
    steps_ = variable("steps");
    if (points_.mayBePacked()) packed_ = variable("packed");
    if (startsAtZero() && !in_place_) is_begun_ = variable("is_begun");
  }

  // What is known of the steps of the K block, as variables; promoted by the caller.
  llvm::ArrayRef<llvm::AllocaInst*> variables() const { return variables_; }

  // All but emitKBlocks(), which splits blocks that other products of the loop have, too.
  void emit() {
    emitInitial();
    if (in_place_) multiplyInPlace(scope_, grid_, *in_place_, gemm_, base_);
    for (size_t group = 0; !in_place_ && group < grid_.groups().size(); ++group) emitPacking(group);
    emitExits();
    eraseWebs();
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

  // Multiplies K blocks that have no room for another step before one is added, so that the last
  // K block, full or not, is left to the end of the loop.
  void emitKBlocks() {
    for (llvm::Instruction* steps : checked_steps_) {
      IRBuilder<> builder(steps->getNextNode());
      uint32_t last = gemm_.capacity() - grid_.mostStepsInGroup();
      Value* is_full = builder.CreateICmpUGT(steps, builder.getInt64(last));
      llvm::DomTreeUpdater updater(dominators_, llvm::DomTreeUpdater::UpdateStrategy::Eager);
      builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_full, builder.GetInsertPoint(),
                                                             false, nullptr, &updater, &loops_));
      emitMultiply(builder, steps, false, accumulators(builder));
      emitNoSteps(builder);
      if (is_begun_) builder.CreateStore(builder.getInt64(1), is_begun_);
    }
  }

 private:
  uint32_t capacity(const ukernel::Row& row) const {
    uint32_t most = grid_.mostStepsInGroup();
    if (in_place_) return most;
    uint32_t preferred =
        PackedGemm::preferredCapacity(row, grid_.op(), grid_.aTiles(), grid_.bTiles(),
                                      points_.recorded() && points_.recorded()->is_shared);
    return std::max(1u, preferred / most) * most;
  }

  bool startsAtZero() const {
    return llvm::all_of(grid_.cells(), [](auto& cell) { return isZero(cell.web->initial); });
  }

  Value* accumulator(IRBuilder<>& builder, const TileGrid::Cell& cell) const {
    return ukernel::offsetBy(builder, base_, gemm_.accumulatorOffset(cell.a, cell.b));
  }

  void emitInitial() {
    IRBuilder<> builder(loop_.getLoopPreheader()->getTerminator());
    emitNoSteps(builder);
    if (is_begun_) {
      builder.CreateStore(builder.getInt64(0), is_begun_);
      return;
    }
    if (startsAtZero()) {
      gemm_.emitZero(builder, base_);
      return;
    }
    for (const TileGrid::Cell& cell : grid_.cells()) {
      createStore(builder, cell.web->initial, grid_.op().typeOfResult(), accumulator(builder, cell),
                  builder.getInt64(gemm_.accumulatorStride()), builder.getInt64(-1), Layout::Row);
    }
    gemm_.emitBegin(scope_, builder, base_);
  }

  void emitPacking(size_t group_index) {
    const TileGrid::Group& group = grid_.groups()[group_index];
    IRBuilder<> begin(&*points_.blockBefore(group_index)->getFirstInsertionPt());
    IRBuilder<> end(group.block->getTerminator());
    checked_steps_.push_back(begin.CreateLoad(begin.getInt64Ty(), steps_));
    for (const TileGrid::Operand& operand : grid_.operands(group_index))
      points_.recorded() ? record(operand, group) : pack(operand, group);
    Value* steps = end.CreateLoad(end.getInt64Ty(), steps_);
    end.CreateStore(end.CreateAdd(steps, end.getInt64(group.steps)), steps_);
  }

  // Where it is loaded if the step that it is for is known there, or else where it is multiplied.
  void pack(const TileGrid::Operand& operand, const TileGrid::Group& group) {
    std::optional<LoadCall> load = matchLoad(operand.value);
    if (load && points_.canPackAt(*load->call, group)) {
      IRBuilder<> builder(load->call);
      packFrom(builder, operand, {load->base, load->stride_bytes, load->limit_bytes}, load->layout);
      return;
    }
    IRBuilder<> builder(group.block->getTerminator());
    builder.CreateAlignedStore(operand.value, staging_, llvm::Align(64));
    const uint32_t columns = operand.is_a ? grid_.op().k : grid_.op().n;
    const uint64_t row_bytes = columns * operand.value->getType()->getScalarSizeInBits() / 8;
    packFrom(builder, operand, {staging_, builder.getInt64(row_bytes), builder.getInt64(-1)},
             Layout::Row);
  }

  // Where it is multiplied; copies are packed where they were made, values here.
  void record(const TileGrid::Operand& operand, const TileGrid::Group& group) {
    IRBuilder<> builder(group.block->getTerminator());
    Value* is_packed = nullptr;
    ukernel::TileMemory source{llvm::ConstantPointerNull::get(builder.getPtrTy()),
                               builder.getInt64(0), builder.getInt64(0)};
    if (points_.isLoaded(operand)) {
      const LoadCall load = *matchLoad(operand.value);
      source = {load.base, load.stride_bytes, load.limit_bytes};
      if (points_.mayBePacked()) is_packed = packCopies(operand, load);
    } else {
      pack(operand, group);
      is_packed = builder.getTrue();
    }
    if (is_packed) {
      const uint64_t bit = operand.is_a ? PackedGemm::kPackedA : PackedGemm::kPackedB;
      Value* packed = builder.CreateLoad(builder.getInt64Ty(), packed_);
      Value* added = builder.CreateSelect(is_packed, builder.getInt64(bit), builder.getInt64(0));
      builder.CreateStore(builder.CreateOr(packed, added), packed_);
    }
    const auto emit = operand.is_a ? &PackedGemm::emitDescriptorA : &PackedGemm::emitDescriptorB;
    (gemm_.*emit)(builder, base_, operand.tile, stepInBlock(builder, operand), source, is_packed);
  }

  // Returns whether the load is of a copy, an i1, or null if it never is.
  Value* packCopies(const TileGrid::Operand& operand, const LoadCall& load) {
    const CopyingBlocks copying = *copyingBlocks(load);
    if (copying.empty()) return nullptr;
    BasicBlock* block = load.call->getParent();
    for (BasicBlock* from : copying) {
      IRBuilder<> builder(from->getTerminator());
      auto there = [&](Value* value) { return value->DoPHITranslation(block, from); };
      packFrom(builder, operand,
               {there(load.base), there(load.stride_bytes), there(load.limit_bytes)}, load.layout);
    }
    IRBuilder<> builder(&block->front());
    llvm::PHINode* is_copy = builder.CreatePHI(builder.getInt1Ty(), 2);
    for (BasicBlock* from : llvm::predecessors(block))
      is_copy->addIncoming(builder.getInt1(llvm::is_contained(copying, from)), from);
    return is_copy;
  }

  void packFrom(IRBuilder<>& builder, const TileGrid::Operand& operand,
                const ukernel::TileMemory& source, Layout layout) {
    const auto emit = operand.is_a ? &PackedGemm::emitPackA : &PackedGemm::emitPackB;
    // What else is read, shared memory, copies and the staging buffer, was written just before.
    const auto prefetch =
        leadsOnlyTo(*source.base, kClient) ? ukernel::Prefetch::NextStep : ukernel::Prefetch::None;
    (gemm_.*emit)(scope_, builder, base_, operand.tile, stepInBlock(builder, operand), source,
                  layout, prefetch);
  }

  Value* stepInBlock(IRBuilder<>& builder, const TileGrid::Operand& operand) {
    Value* packed = builder.CreateLoad(builder.getInt64Ty(), steps_);
    return builder.CreateAdd(packed, builder.getInt64(operand.step));
  }

  void emitNoSteps(IRBuilder<>& builder) {
    builder.CreateStore(builder.getInt64(0), steps_);
    if (packed_) builder.CreateStore(builder.getInt64(0), packed_);
    if (!in_place_) gemm_.emitBeginKBlock(builder, base_);
  }

  // Where the accumulators of a K block go that are not stored yet.
  ukernel::TileMemory accumulators(IRBuilder<>& builder) const {
    return {ukernel::offsetBy(builder, base_, gemm_.accumulatorOffset(0, 0)),
            builder.getInt64(gemm_.accumulatorStride()), builder.getInt64(-1)};
  }

  void emitMultiply(IRBuilder<>& builder, Value* steps, bool stores_follow,
                    const ukernel::TileMemory& to) {
    if (in_place_) return;
    auto load = [&](Value* variable) { return builder.CreateLoad(builder.getInt64Ty(), variable); };
    PackedGemm::KBlock k_block{.steps = steps, .recorded = points_.recorded()};
    if (packed_) k_block.packed = load(packed_);
    if (is_begun_) k_block.starts_at_zero = builder.CreateIsNull(load(is_begun_));
    if (!stores_.empty())
      k_block.stores = {builder.getInt1(stores_follow), to.base, to.stride_bytes};
    gemm_.emitMultiply(scope_, builder, base_, k_block);
  }

  // After the loop. While the last K block is multiplied, what the accumulators are stored to is
  // fetched; where that is one piece, blocks store them there at once.
  void emitLastMultiply(BasicBlock* exit) {
    IRBuilder<> builder(&*exit->getFirstInsertionPt());
    Value* steps = builder.CreateLoad(builder.getInt64Ty(), steps_);
    const ukernel::TileMemory own = accumulators(builder);
    std::optional<Destinations> destinations;
    auto stores = stores_.find(exit);
    if (stores != stores_.end()) destinations = computeEarlier(builder, stores->second);
    if (destinations) {
      for (auto [cell, destination] : llvm::zip_equal(grid_.cells(), destinations->of_accumulators))
        gemm_.emitDestination(builder, base_, cell.a, cell.b, destination);
    }
    const bool comes_first = destinations && stores->second.may_come_first;
    if (!comes_first) {
      emitMultiply(builder, steps, destinations.has_value(), own);
      gemm_.emitEnd(scope_, builder, base_);
      return;
    }
    Value* is_one_piece = builder.CreateAnd(builder.CreateIsNotNull(steps),
                                            gemm_.emitAreOnePiece(scope_, builder, base_));
    Value* are_done = builder.CreateLogicalAnd(destinations->are_stored, is_one_piece);
    const ukernel::TileMemory& first = destinations->of_accumulators.front();
    emitMultiply(
        builder, steps, true,
        {builder.CreateSelect(are_done, first.base, own.base),
         builder.CreateSelect(are_done, first.stride_bytes, own.stride_bytes), own.limit_bytes});
    Value* are_left =
        builder.CreateLogicalAnd(destinations->are_stored, builder.CreateNot(is_one_piece));
    gemm_.emitStores(scope_, builder, base_, are_left, *orderOf(stores->second));
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
      for (llvm::PHINode* phi : cell.web->exit_phis) readAtUses(*phi, cell);
    }
  }

  void readAtUses(llvm::PHINode& phi, const TileGrid::Cell& cell) {
    for (llvm::Use& use : llvm::make_early_inc_range(phi.uses())) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      auto* user_phi = llvm::dyn_cast<llvm::PHINode>(user);
      IRBuilder<> builder(user_phi ? user_phi->getIncomingBlock(use)->getTerminator() : user);
      Value* read = createLoad(builder, grid_.op().typeOfResult(), accumulator(builder, cell),
                               builder.getInt64(gemm_.accumulatorStride()), builder.getInt64(-1),
                               Layout::Row);
      if (user_phi) {
        user_phi->setIncomingValueForBlock(user_phi->getIncomingBlock(use), read);
      } else {
        use.set(read);
      }
    }
    phi.eraseFromParent();
  }

  void eraseWebs() {
    llvm::SmallPtrSet<llvm::Instruction*, 16> operands;
    for (const TileGrid::Cell& cell : grid_.cells()) {
      for (llvm::Instruction* value : cell.web->values) {
        if (std::optional<MulAddCall> step = matchMulAdd(value)) {
          for (Value* operand : {step->a, step->b}) {
            if (auto* load = llvm::dyn_cast<llvm::Instruction>(operand)) operands.insert(load);
          }
        }
      }
      for (llvm::Instruction* value : cell.web->values) {
        value->replaceAllUsesWith(llvm::PoisonValue::get(value->getType()));
        value->eraseFromParent();
      }
    }
    for (llvm::Instruction* operand : operands) {
      if (operand->use_empty() && matchLoad(operand)) operand->eraseFromParent();
    }
  }

  const TileGrid& grid_;
  llvm::Loop& loop_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  const ukernel::HelperScope scope_;
  const PackingPoints points_;
  const std::optional<InPlaceOperands> in_place_;
  const PackedGemm gemm_;
  Value* base_;
  Value* staging_;
  llvm::SmallVector<llvm::AllocaInst*, 3> variables_;
  llvm::AllocaInst* steps_;
  llvm::AllocaInst* packed_ = nullptr;  // PackedGemm::KBlock's
  // Where accumulators start at zero: whether a K block has been multiplied, so that memory has
  // them.
  llvm::AllocaInst* is_begun_ = nullptr;
  std::vector<llvm::Instruction*>
      checked_steps_;  // after these, K blocks that are full are multiplied
  llvm::DenseMap<BasicBlock*, EpilogueStores> stores_;  // after exits, cell by cell
};

}  // namespace

std::vector<llvm::AllocaInst*> deferMultiplyAdds(std::span<const TileGrid> grids, llvm::Loop& loop,
                                                 OperandFreedom freedom, llvm::LoopInfo& loops,
                                                 llvm::DominatorTree& dominators,
                                                 const Target& target, KernelFrame& frame) {
  std::vector<llvm::AllocaInst*> variables;
  std::deque<KBlockedGemm> gemms;
  for (const TileGrid& grid : grids) {
    gemms.emplace_back(grid, *ukernel::select(grid.op(), target), loop, freedom, loops, dominators,
                       frame);
    gemms.back().findStores(grids.size() == 1);
  }
  for (KBlockedGemm& gemm : gemms) {
    gemm.emit();
    llvm::append_range(variables, gemm.variables());
  }
  for (KBlockedGemm& gemm : gemms) gemm.emitKBlocks();
  return variables;
}

}  // namespace jit::coopmat

#include "jit/coopmat/k_loop.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <map>

#include "jit/coopmat/accumulator_web.h"
#include "jit/coopmat/shared_operands.h"
#include "jit/coopmat/tile_grid.h"
#include "jit/simt/lane_chunks.h"
#include "jit/ukernel/product.h"

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;
using ukernel::Product;

bool hasMatrixLoops(llvm::Function& function, const llvm::LoopInfo& loops) {
  return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& instruction) {
    return loops.getLoopFor(instruction.getParent()) && matchMulAdd(&instruction);
  });
}

bool isZero(Value* value) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && constant->isNullValue();
}

// Defers the multiply-adds of one grid of accumulators of one loop.
class DeferredProduct {
 public:
  // What the scheduled loop lets us do with operands.
  struct Freedom {
    // Nothing in the loop writes to memory or waits for others, so operands need not be copied
    // before the chunk is full. A lone accumulator gains nothing from that alone.
    bool is_pure;
    // Copies may serve other workgroups too.
    bool is_shared;
  };
  DeferredProduct(const TileGrid& grid, const ukernel::Row& row, llvm::Loop& loop, Freedom freedom,
                  llvm::Function& function, KernelFrame& frame)
      : grid_(grid),
        loop_(loop),
        scope_{*function.getParent(), function},
        recorded_(recordedTiles(freedom)),
        product_(row, grid.op(), grid.aTiles(), grid.bTiles(), capacity(row)) {
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    Value* frame_pointer = function.getArg(kFrameArgument);
    base_ = ukernel::offsetBy(builder, frame_pointer, frame.allocate(product_.bytes(), 64));
    uint64_t staging_bytes = std::max(uint64_t{grid.op().m} * bytesOf(grid.op().a),
                                      uint64_t{grid.op().n} * bytesOf(grid.op().b)) *
                             grid.op().k;
    staging_ = ukernel::offsetBy(builder, frame_pointer, frame.allocate(staging_bytes, 64));
    steps_ = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "steps");
  }

  // The number of packed steps, as a variable; promoted by the caller.
  llvm::AllocaInst* steps() const { return steps_; }

  void emit(llvm::LoopInfo& loops, llvm::DominatorTree& dominators) {
    emitInitial();
    for (size_t site = 0; site < grid_.sites().size(); ++site) emitPacking(site, loops, dominators);
    emitExits();
    eraseWebs();
    for (const TileGrid::Site& site : grid_.sites()) emitStep(site, loops, dominators);
  }

 private:
  uint32_t capacity(const ukernel::Row& row) const {
    uint32_t most = grid_.mostStepsAtSite();
    uint32_t preferred = Product::preferredCapacity(row, grid_.op(), grid_.aTiles(), grid_.bTiles(),
                                                    recorded_ && recorded_->is_shared);
    return std::max(1u, preferred / most) * most;
  }

  // When each operand is loaded in the loop, all A in one layout and all B in one, and it pays to
  // note where they are.
  std::optional<Product::Recorded> recordedTiles(Freedom freedom) const {
    if (!freedom.is_pure) return std::nullopt;
    std::optional<Layout> a, b;
    bool is_shared = freedom.is_shared;
    auto agrees = [&](Value* operand, std::optional<Layout>& layout) {
      std::optional<LoadCall> load = matchLoad(operand);
      if (!load || !loop_.contains(load->call)) return false;
      if (!layout) layout = load->layout;
      is_shared = is_shared && isIntoTheClientsMemory(load->base);
      return *layout == load->layout;
    };
    for (size_t site = 0; site < grid_.sites().size(); ++site) {
      for (uint32_t step = 0; step < grid_.sites()[site].steps; ++step) {
        for (uint32_t tile = 0; tile < grid_.aTiles(); ++tile) {
          if (!agrees(grid_.aOperand(tile, site, step), a)) return std::nullopt;
        }
        for (uint32_t tile = 0; tile < grid_.bTiles(); ++tile) {
          if (!agrees(grid_.bOperand(tile, site, step), b)) return std::nullopt;
        }
      }
    }
    if (!is_shared && grid_.cells().size() == 1) return std::nullopt;
    return Product::Recorded{*a, *b, is_shared};
  }

  MatrixShape accumulatorShape(IRBuilder<>& builder) const {
    return {componentType(grid_.op().result, builder), grid_.op().m, grid_.op().n};
  }

  Value* accumulator(IRBuilder<>& builder, const TileGrid::Cell& cell) const {
    return ukernel::offsetBy(builder, base_, product_.accumulatorOffset(cell.a, cell.b));
  }

  void emitInitial() {
    IRBuilder<> builder(loop_.getLoopPreheader()->getTerminator());
    builder.CreateStore(builder.getInt64(0), steps_);
    if (llvm::all_of(grid_.cells(), [](auto& cell) { return isZero(cell.web->initial); })) {
      product_.emitZero(builder, base_);
      return;
    }
    for (const TileGrid::Cell& cell : grid_.cells()) {
      createStore(builder, cell.web->initial, accumulatorShape(builder), accumulator(builder, cell),
                  builder.getInt64(product_.accumulatorStride()), builder.getInt64(-1),
                  Layout::Row);
    }
    product_.emitBegin(scope_, builder, base_);
  }

  // Packs the operands of a site, each where it is loaded if the step that it is for is known
  // there, or else where it is multiplied.
  void emitPacking(size_t site_index, llvm::LoopInfo& loops, llvm::DominatorTree& dominators) {
    const TileGrid::Site& site = grid_.sites()[site_index];
    auto pack = [&](Value* operand, const MatrixShape& shape, uint32_t step, auto emit) {
      std::optional<LoadCall> load = matchLoad(operand);
      if (load && !recorded_ && !canPackAt(*load->call, site, loops, dominators)) load.reset();
      bool at_load = load && !recorded_;
      IRBuilder<> builder(at_load ? static_cast<llvm::Instruction*>(load->call)
                                  : site.block->getTerminator());
      ukernel::TileMemory source;
      if (load) {
        source = {load->base, load->stride_bytes, load->limit_bytes};
      } else {
        builder.CreateAlignedStore(operand, staging_, llvm::Align(64));
        uint64_t row_bytes = shape.columns * shape.component->getPrimitiveSizeInBits() / 8;
        source = {staging_, builder.getInt64(row_bytes), builder.getInt64(-1)};
      }
      Value* packed = builder.CreateLoad(builder.getInt64Ty(), steps_);
      emit(builder, builder.CreateAdd(packed, builder.getInt64(step)), source,
           load ? load->layout : Layout::Row);
    };
    const MulAdd& op = grid_.op();
    for (uint32_t step = 0; step < site.steps; ++step) {
      for (uint32_t tile = 0; tile < grid_.aTiles(); ++tile) {
        Value* a = grid_.aOperand(tile, site_index, step);
        MatrixShape shape{a->getType()->getScalarType(), op.m, op.k};
        pack(a, shape, step, [&](IRBuilder<>& builder, Value* at, auto& source, Layout layout) {
          if (recorded_) {
            product_.emitRecordA(builder, base_, tile, at, source);
          } else {
            product_.emitPackA(scope_, builder, base_, tile, at, source, layout);
          }
        });
      }
      for (uint32_t tile = 0; tile < grid_.bTiles(); ++tile) {
        Value* b = grid_.bOperand(tile, site_index, step);
        MatrixShape shape{b->getType()->getScalarType(), op.k, op.n};
        pack(b, shape, step, [&](IRBuilder<>& builder, Value* at, auto& source, Layout layout) {
          if (recorded_) {
            product_.emitRecordB(builder, base_, tile, at, source);
          } else {
            product_.emitPackB(scope_, builder, base_, tile, at, source, layout);
          }
        });
      }
    }
  }

  // Whether no step is counted between the load and the site. In the site's own block steps are
  // counted at the end. A load elsewhere in the same innermost loop that dominates the only site
  // runs again before the site does.
  bool canPackAt(llvm::CallInst& load, const TileGrid::Site& site, llvm::LoopInfo& loops,
                 llvm::DominatorTree& dominators) const {
    if (load.getParent() == site.block) return true;
    return grid_.sites().size() == 1 &&
           loops.getLoopFor(load.getParent()) == loops.getLoopFor(site.block) &&
           dominators.dominates(load.getParent(), site.block);
  }

  // Counts the steps of a site and multiplies when the chunk has no room for another.
  void emitStep(const TileGrid::Site& site, llvm::LoopInfo& loops,
                llvm::DominatorTree& dominators) {
    llvm::Instruction* terminator = site.block->getTerminator();
    IRBuilder<> builder(terminator);
    Value* packed = builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), steps_),
                                      builder.getInt64(site.steps));
    builder.CreateStore(packed, steps_);
    uint32_t last = product_.capacity() - grid_.mostStepsAtSite();
    Value* is_full = builder.CreateICmpUGT(packed, builder.getInt64(last));
    llvm::DomTreeUpdater updater(dominators, llvm::DomTreeUpdater::UpdateStrategy::Eager);
    llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(is_full, terminator->getIterator(),
                                                              false, nullptr, &updater, &loops);
    builder.SetInsertPoint(then);
    product_.emitMultiply(scope_, builder, base_, packed, recorded_);
    builder.CreateStore(builder.getInt64(0), steps_);
  }

  // Where the loop is left with accumulators in use, the rest is multiplied; the values are read
  // where they are used. That is still right there: a way from the exit to the use through the loop
  // would leave it by this exit again, as the exit dominates the use.
  void emitExits() {
    llvm::SmallPtrSet<BasicBlock*, 4> done;
    for (const TileGrid::Cell& cell : grid_.cells()) {
      for (llvm::PHINode* phi : cell.web->exit_phis) {
        if (done.insert(phi->getParent()).second) {
          IRBuilder<> builder(&*phi->getParent()->getFirstInsertionPt());
          product_.emitMultiply(scope_, builder, base_,
                                builder.CreateLoad(builder.getInt64Ty(), steps_), recorded_);
          product_.emitEnd(scope_, builder, base_);
        }
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
      Value* read = createLoad(builder, accumulatorShape(builder), accumulator(builder, cell),
                               builder.getInt64(product_.accumulatorStride()), builder.getInt64(-1),
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
  const ukernel::HelperScope scope_;
  const std::optional<Product::Recorded> recorded_;
  const Product product_;
  Value* base_;
  Value* staging_;
  llvm::AllocaInst* steps_;
};

std::vector<AccumulatorWeb> findWebs(llvm::Loop& loop, llvm::ArrayRef<BasicBlock*> order,
                                     const Target& target) {
  std::vector<AccumulatorWeb> webs;
  if (!loop.isLoopSimplifyForm()) return webs;
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isVectorTy()) continue;
    std::optional<AccumulatorWeb> web = findAccumulatorWeb(&phi, loop, order);
    if (web && ukernel::select(web->op, target)) webs.push_back(std::move(*web));
  }
  return webs;
}

bool isPure(llvm::ArrayRef<BasicBlock*> blocks) {
  return llvm::none_of(blocks, [](BasicBlock* block) {
    return llvm::any_of(*block, [](auto& instruction) {
      return instruction.mayWriteToMemory() && !simt::isLaneFence(instruction);
    });
  });
}

}  // namespace

bool runKLoopScheduling(llvm::Function& function, const Target& target, KernelFrame& frame,
                        llvm::FunctionAnalysisManager& analyses) {
  if (!hasMatrixLoops(function, analyses.getResult<llvm::LoopAnalysis>(function))) return false;
  for (auto preserved : {llvm::LoopSimplifyPass().run(function, analyses),
                         llvm::LCSSAPass().run(function, analyses)}) {
    analyses.invalidate(function, preserved);
  }
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<BasicBlock*> order;
    for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
      if (loop->contains(block)) order.push_back(block);
    }
    std::vector<AccumulatorWeb> webs = findWebs(*loop, order, target);
    const bool is_pure = !webs.empty() && isPure(order);
    const DeferredProduct::Freedom freedom{is_pure,
                                           is_pure && readsTheSameInAllWorkgroups(function, *loop)};
    for (const TileGrid& grid : arrangeInGrids(webs)) {
      DeferredProduct product(grid, *ukernel::select(grid.op(), target), *loop, freedom, function,
                              frame);
      product.emit(loops, dominators);
      variables.push_back(product.steps());
    }
  }
  if (!variables.empty()) llvm::PromoteMemToReg(variables, dominators);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return true;
}

}  // namespace jit::coopmat

// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/rows_ahead.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <string>
#include <vector>

#include "jit/ir/helper_function.h"
#include "jit/ir/marks.h"
#include "jit/passes/access/row_reading.h"
#include "jit/simt/transpose.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

// Memory of the stack for rows is lanes * vector_bytes each.
constexpr size_t kMaxRows = 16;
constexpr uint64_t kRowAlignment = 64;
constexpr unsigned kGatherMask = 1;  // the operand
constexpr int kMostCertainDepth = 16;
constexpr uint64_t kMostIterations = uint64_t{1} << 62;

// tessera.rows.LANES.WORDS(pointers, words): `words` vectors of all lanes, of which vector w has
// the w-th word behind each pointer.
llvm::Function* transposition(llvm::Function& like, RowShape shape, uint32_t vector_bytes) {
  llvm::Module& module = *like.getParent();
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  const auto key = FunctionKey(FunctionKind::Rows).add(shape.lanes).add(shape.words);
  auto emit = [&](llvm::IRBuilder<>& ir, llvm::Function& function) {
    auto* line = llvm::FixedVectorType::get(ir.getInt32Ty(), shape.words);
    auto some = [&](Value* from) {
      llvm::SmallVector<Value*> lines;
      for (uint32_t k = 0; k < shape.words; ++k) {
        Value* address =
            ir.CreateGEP(ir.getPtrTy(), function.getArg(0), ir.CreateAdd(from, ir.getInt64(k)));
        lines.push_back(
            ir.CreateAlignedLoad(line, ir.CreateLoad(ir.getPtrTy(), address), llvm::Align(1)));
      }
      const auto columns = ukernel::transpose(ir, lines, vector_bytes);
      for (uint32_t w = 0; w < shape.words; ++w) {
        Value* at = ir.CreateAdd(from, ir.getInt64(uint64_t{w} * shape.lanes));
        ir.CreateAlignedStore(columns[w], ir.CreateGEP(ir.getInt32Ty(), function.getArg(1), at),
                              llvm::Align(shape.bytes()));
      }
    };
    ukernel::emitLoop(ir, ir.getInt64(shape.lanes), shape.words, some);
  };
  return ukernel::helperFunction(
      {module, like}, key, {pointer, pointer}, emit,
      llvm::MemoryEffects::readOnly() | llvm::MemoryEffects::argMemOnly());
}

// The two halves of an element of 8 bytes that nobody wants as a whole: low and high words of each
// lane.
struct Halves {
  Instruction* whole = nullptr;  // twice as many elements of 4 bytes
  Instruction* parts[2] = {};    // null: not wanted
};

std::optional<Halves> halvesOf(llvm::IntrinsicInst& gather) {
  if (!gather.hasOneUse()) return std::nullopt;
  Halves halves{llvm::dyn_cast<llvm::BitCastInst>(*gather.user_begin()), {}};
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(gather.getType())->getNumElements();
  const auto* type = halves.whole == nullptr
                         ? nullptr
                         : llvm::dyn_cast<llvm::FixedVectorType>(halves.whole->getType());
  if (type == nullptr || type->getNumElements() != 2 * lanes) return std::nullopt;
  for (llvm::User* user : halves.whole->users()) {
    auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(user);
    unsigned first = 0;
    if (shuffle == nullptr || shuffle->getOperand(0) != halves.whole ||
        !llvm::ShuffleVectorInst::isDeInterleaveMaskOfFactor(shuffle->getShuffleMask(), 2, first) ||
        shuffle->getShuffleMask().size() != lanes || halves.parts[first] != nullptr)
      return std::nullopt;
    halves.parts[first] = shuffle;
  }
  return halves;
}

// Writes the rows of one loop.
class RowWriter {
 public:
  RowWriter(llvm::Loop& loop, std::vector<IterationCondition> conditions, uint32_t vector_bytes)
      : loop_(loop),
        conditions_(std::move(conditions)),
        vector_bytes_(vector_bytes),
        preheader_(loop.getLoopPreheader()),
        latch_(loop.getLoopLatch()) {}

  void write(const Row& row) {
    const ReadingOn& first = row.members[0];
    const RowShape shape = first.shape(vector_bytes_);
    llvm::Function& function = *first.gather->getFunction();
    llvm::IRBuilder<> ir(&function.getEntryBlock(), function.getEntryBlock().begin());
    all_words_ = llvm::FixedVectorType::get(ir.getInt32Ty(), shape.lanes);
    auto* pointers = ir.CreateAlloca(llvm::FixedVectorType::get(ir.getPtrTy(), shape.lanes),
                                     nullptr, "row.pointers");
    words_ = ir.CreateAlloca(llvm::ArrayType::get(all_words_, shape.words), nullptr, "row");
    for (auto* variable : {pointers, words_}) variable->setAlignment(llvm::Align(kRowAlignment));

    const Iteration now = countIterations(ir, row);
    BasicBlock* before = first.gather->getParent();
    BasicBlock* behind = llvm::SplitBlock(before, first.gather->getIterator());
    if (before == latch_) latch_ = behind;
    behind_.insert(behind);
    auto newBlock = [&](const char* name) {
      return BasicBlock::Create(ir.getContext(), name, &function, behind);
    };
    BasicBlock *rows = newBlock("row"), *fill = newBlock("row.fill"), *take = newBlock("row.take"),
               *gather = newBlock("row.gather");
    before->getTerminator()->eraseFromParent();
    ir.SetInsertPoint(before);
    ir.CreateCondBr(now.is_ahead, rows, gather);
    ir.SetInsertPoint(rows);
    ir.CreateCondBr(now.is_first, fill, take);

    ir.SetInsertPoint(fill);
    Value* starts = ukernel::offsetBy(ir, madeHere(ir, first.access.pointers),
                                      static_cast<uint64_t>(row.first));
    // Nobody looks at what is read for lanes that are not live.
    if (!match(first.access.mask, m_AllOnes()))
      starts =
          ir.CreateSelect(first.access.mask, starts, ir.CreateVectorSplat(shape.lanes, pointers));
    ir.CreateAlignedStore(starts, pointers, llvm::Align(kRowAlignment));
    ir.CreateCall(transposition(function, shape, vector_bytes_), {pointers, words_});
    ir.CreateBr(take);

    llvm::SmallVector<Result> results;
    ir.SetInsertPoint(take);
    for (const ReadingOn& member : row.members) takeFrom(ir, row, now, member, results);
    ir.CreateBr(behind);
    ir.SetInsertPoint(gather);
    // Addresses are computed from the first one's, because the others' may be made later.
    Value* from = madeHere(ir, first.access.pointers);
    size_t next = 0;
    llvm::SmallDenseMap<Value*, Value*> made;
    for (const ReadingOn& member : row.members) {
      auto* copy = llvm::cast<llvm::IntrinsicInst>(member.gather->clone());
      copy->setArgOperand(0,
                          ukernel::offsetBy(ir, from, static_cast<uint64_t>(row.offsetOf(member))));
      if (member.bounds)  // what they are asked of, too
        copy->setArgOperand(kGatherMask, copiedHere(ir, copy->getArgOperand(kGatherMask), made));
      markBehindTest(*copy);
      ir.Insert(copy);
      for (; next < results.size() && results[next].gather == member.gather; ++next)
        results[next].gathered = results[next].copyBehind(ir, copy);
    }
    ir.CreateBr(behind);

    ir.SetInsertPoint(behind, behind->begin());
    for (const Result& result : results) {
      llvm::PHINode* value = ir.CreatePHI(result.old->getType(), 2);
      value->addIncoming(result.taken, take);
      value->addIncoming(result.gathered, gather);
      result.old->replaceAllUsesWith(value);
    }
    for (const Result& result : results)
      if (result.old != result.gather) result.old->eraseFromParent();
    for (const ReadingOn& member : row.members) {
      for (llvm::User* user : llvm::make_early_inc_range(member.gather->users()))
        llvm::cast<Instruction>(user)->eraseFromParent();
      member.gather->eraseFromParent();
    }
    now.is_ahead_before->addIncoming(now.is_ahead, latch_);
    now.number->addIncoming(now.next, latch_);
  }

 private:
  // Counted from the last time that rows were read.
  struct Iteration {
    llvm::PHINode *number, *is_ahead_before;
    Value *is_first, *is_ahead, *next;
  };
  // A value that was made of a gather.
  struct Result {
    llvm::IntrinsicInst* gather;
    Instruction* old;
    Instruction* whole;  // in between; null: it is the gather
    Value *taken, *gathered;

    Value* copyBehind(llvm::IRBuilder<>& ir, Value* copy) const {
      if (whole == nullptr) return copy;
      Instruction* halves = ir.Insert(whole->clone());
      halves->setOperand(0, copy);
      Instruction* part = ir.Insert(old->clone());
      part->setOperand(0, halves);
      return part;
    }
  };

  Iteration countIterations(llvm::IRBuilder<>& ir, const Row& row) {
    BasicBlock* header = loop_.getHeader();
    if (left_ == nullptr) left_ = countDown(ir);
    Iteration now{};
    ir.SetInsertPoint(header, header->begin());
    now.number = ir.CreatePHI(ir.getInt32Ty(), 2, "row.iteration");
    now.is_ahead_before = ir.CreatePHI(ir.getInt1Ty(), 2, "row.was_ahead");
    now.number->addIncoming(ir.getInt32(0), preheader_);
    now.is_ahead_before->addIncoming(ir.getFalse(), preheader_);
    ir.SetInsertPoint(header, header->getFirstInsertionPt());
    now.is_first = ir.CreateICmpEQ(now.number, ir.getInt32(0));
    now.is_ahead = ir.CreateSelect(now.is_first, ir.CreateICmpSGE(left_, ir.getInt64(row.follow)),
                                   now.is_ahead_before);
    Value* next = ir.CreateAdd(now.number, ir.getInt32(1));
    now.next =
        ir.CreateSelect(ir.CreateICmpEQ(next, ir.getInt32(row.iterations)), ir.getInt32(0), next);
    return now;
  }

  // How many iterations are certain, this one included, in its header; there may be more.
  llvm::PHINode* countDown(llvm::IRBuilder<>& ir) {
    ir.SetInsertPoint(preheader_->getTerminator());
    Value* count = iterationsOf(ir, conditions_[0]);
    for (const IterationCondition& other : llvm::drop_begin(conditions_))
      count = ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, iterationsOf(ir, other));
    BasicBlock* header = loop_.getHeader();
    ir.SetInsertPoint(header, header->begin());
    llvm::PHINode* left = ir.CreatePHI(ir.getInt64Ty(), 2, "row.turns_left");
    left->addIncoming(count, preheader_);
    ir.SetInsertPoint(header, header->getFirstInsertionPt());
    left->addIncoming(ir.CreateSub(left, ir.getInt64(1)), latch_);
    return left;
  }

  // Iterations whose condition holds, from the first one on, in all lanes.
  static Value* iterationsOf(llvm::IRBuilder<>& ir, const IterationCondition& c) {
    const bool in_lanes = c.start->getType()->isVectorTy() || c.limit->getType()->isVectorTy();
    Value *start = c.start, *limit = c.limit;
    if (in_lanes) {
      const auto lanes = llvm::cast<llvm::VectorType>(
                             start->getType()->isVectorTy() ? start->getType() : limit->getType())
                             ->getElementCount();
      for (Value** v : {&start, &limit})
        if (!(*v)->getType()->isVectorTy()) *v = ir.CreateVectorSplat(lanes, *v);
    }
    llvm::Type* type = start->getType();
    start = ir.CreateAdd(start, llvm::ConstantInt::get(type, c.added));
    const bool up = c.step > 0;
    Value* room = up ? ir.CreateSub(limit, start) : ir.CreateSub(start, limit);
    const auto step = static_cast<uint64_t>(up ? c.step : -c.step);
    const bool with_limit = llvm::ICmpInst::isNonStrictPredicate(c.predicate);
    Value* passes = ir.CreateICmp(c.predicate, start, limit);
    // Of those that do not pass at once none. The rest, less one, is room / step.
    if (!with_limit) room = ir.CreateSub(room, llvm::ConstantInt::get(type, 1));
    if (in_lanes) {
      if (c.live != nullptr) {
        passes = ir.CreateOr(passes, ir.CreateNot(c.live));
        room = ir.CreateSelect(c.live, room, llvm::Constant::getAllOnesValue(room->getType()));
      }
      passes = ir.CreateAndReduce(passes);
      room = ir.CreateIntMinReduce(room, /*IsSigned=*/false);
    }
    Value* count = ir.CreateUDiv(room, llvm::ConstantInt::get(room->getType(), step));
    count = ir.CreateZExtOrTrunc(count, ir.getInt64Ty());
    count = ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, ir.getInt64(kMostIterations));
    return ir.CreateSelect(passes, ir.CreateAdd(count, ir.getInt64(1)), ir.getInt64(0));
  }

  // Addresses are only made where they are needed, which is in few iterations.
  Value* madeHere(llvm::IRBuilder<>& ir, Value* v) const {
    llvm::SmallDenseMap<Value*, Value*> made;
    return madeHere(ir, v, made, 0);
  }
  Value* madeHere(llvm::IRBuilder<>& ir, Value* v, llvm::SmallDenseMap<Value*, Value*>& made,
                  int depth) const {
    auto* i = llvm::dyn_cast<Instruction>(v);
    if (depth > kMostCertainDepth || i == nullptr || !i->getType()->isVectorTy() ||
        llvm::isa<llvm::PHINode>(i) || i->mayReadOrWriteMemory() || !loop_.contains(i))
      return v;
    if (Value* known = made.lookup(v)) return known;
    Instruction* copy = i->clone();
    for (llvm::Use& operand : copy->operands())
      operand.set(madeHere(ir, operand.get(), made, depth + 1));
    return made[v] = ir.Insert(copy);
  }

  // Of what bounds are asked of, all but phis can be copied (RowReading::atStart).
  Value* copiedHere(llvm::IRBuilder<>& ir, Value* v, llvm::SmallDenseMap<Value*, Value*>& made) {
    auto* i = llvm::dyn_cast<Instruction>(v);
    if (i == nullptr || llvm::isa<llvm::PHINode>(i) ||
        !(loop_.contains(i) || behind_.contains(i->getParent())))
      return v;
    if (Value* known = made.lookup(v)) return known;
    Instruction* copy = i->clone();
    for (llvm::Use& operand : copy->operands()) operand.set(copiedHere(ir, operand.get(), made));
    return made[v] = ir.Insert(copy);
  }

  Value* wordAt(llvm::IRBuilder<>& ir, Value* index) const {
    const uint64_t bytes = uint64_t{kRowWordBytes} * all_words_->getNumElements();
    return ir.CreateAlignedLoad(all_words_, ir.CreateGEP(all_words_, words_, index),
                                llvm::Align(std::min(bytes, kRowAlignment)));
  }

  // What a member of a row is in this iteration.
  void takeFrom(llvm::IRBuilder<>& ir, const Row& row, const Iteration& now,
                const ReadingOn& member, llvm::SmallVectorImpl<Result>& results) const {
    auto number = [&](int64_t n) { return ir.getInt32(static_cast<uint32_t>(n)); };
    Value* byte = ir.CreateAdd(ir.CreateMul(now.number, number(member.step)),
                               number(row.offsetOf(member) - row.first));
    Value* index = ir.CreateLShr(byte, 2);
    auto add = [&](Instruction* old, Instruction* whole, Value* value) {
      value = ir.CreateBitCast(value, old->getType());
      // Lanes that are not live have what the gather says, all bits 0 or anything.
      if (!match(member.access.mask, m_AllOnes()))
        value = ir.CreateSelect(member.access.mask, value,
                                llvm::Constant::getNullValue(value->getType()));
      results.push_back({member.gather, old, whole, value, nullptr});
    };
    const unsigned lanes = all_words_->getNumElements();
    auto* integers =
        llvm::FixedVectorType::get(ir.getIntNTy(static_cast<unsigned>(8 * member.bytes())), lanes);
    if (member.bytes() > kRowWordBytes) {
      auto half = [&](uint32_t k) { return wordAt(ir, ir.CreateAdd(index, ir.getInt32(k))); };
      if (const auto halves = halvesOf(*member.gather)) {
        for (uint32_t k = 0; k < 2; ++k)
          if (halves->parts[k] != nullptr) add(halves->parts[k], halves->whole, half(k));
        return;
      }
      Value* high = ir.CreateShl(ir.CreateZExt(half(1), integers), 32);
      add(member.gather, nullptr, ir.CreateOr(ir.CreateZExt(half(0), integers), high));
    } else if (member.bytes() < kRowWordBytes) {
      Value* bits = ir.CreateShl(ir.CreateAnd(byte, 3), 3);
      Value* shifted = ir.CreateLShr(wordAt(ir, index), ir.CreateVectorSplat(lanes, bits));
      add(member.gather, nullptr, ir.CreateTrunc(shifted, integers));
    } else {
      add(member.gather, nullptr, wordAt(ir, index));
    }
  }

  llvm::Loop& loop_;
  const std::vector<IterationCondition> conditions_;
  const uint32_t vector_bytes_;
  BasicBlock *preheader_, *latch_;            // as blocks are split
  llvm::SmallPtrSet<BasicBlock*, 8> behind_;  // split off, of the loop all the same
  llvm::PHINode* left_ = nullptr;
  llvm::FixedVectorType* all_words_ = nullptr;
  llvm::AllocaInst* words_ = nullptr;
};

bool hasGathers(const llvm::Loop& loop, const llvm::LoopInfo& loops) {
  return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
    return loops.getLoopFor(block) == &loop && llvm::any_of(*block, [](const Instruction& i) {
             return match(&i, m_Intrinsic<llvm::Intrinsic::masked_gather>());
           });
  });
}

}  // namespace

bool readRowsAhead(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                   uint32_t vector_bytes, bool large_objects) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<llvm::Loop*> chosen;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (hasGathers(*loop, loops)) chosen.push_back(loop);
  if (chosen.empty()) return false;
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : chosen)
    changed |= llvm::simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr,
                                  /*PreserveLCSSA=*/false);
  const llvm::PostDominatorTree post_dominators(function);
  const RowReadingContext context{loops, dominators, post_dominators, vector_bytes, large_objects};
  // All are found before blocks are split.
  std::vector<std::pair<RowWriter, std::vector<Row>>> found;
  size_t count = 0;
  for (llvm::Loop* loop : chosen) {
    if (loop->getLoopPreheader() == nullptr || loop->getLoopLatch() == nullptr) continue;
    RowReading reading(*loop, context);
    std::vector<Row> rows = reading.find();
    changed |= reading.hasMoved();
    if (rows.empty() || count + rows.size() > kMaxRows) continue;
    count += rows.size();
    found.emplace_back(RowWriter(*loop, reading.conditions(), vector_bytes), std::move(rows));
  }
  for (auto& [writer, rows] : found)
    for (const Row& row : rows) writer.write(row);
  return changed || !found.empty();
}

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/row_reading.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <bit>

#include "jit/ir/memories.h"
#include "jit/ir/stream_lanes.h"
#include "jit/passes/access/rows_ahead.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr uint32_t kMinLanes = 4;
constexpr int kMostReadingDepth = 16;
constexpr llvm::StringLiteral kTooLittle = "too little of each row is read";

// What is the same wherever it is computed, and harmless there.
bool isMovable(const Instruction& i) {
  if (i.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return llvm::isa<llvm::LoadInst>(i);
  return !i.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&i);
}

void stays(const ReadingOn& read, llvm::StringRef why) {
  llvm::LLVMContext& context = read.gather->getContext();
  read.gather->setMetadata(kReadsOn, llvm::MDNode::get(context, llvm::MDString::get(context, why)));
}

bool belongTogether(const ReadingOn& a, const ReadingOn& b) {
  return a.addresses.differsByOffset(b.addresses) && a.access.mask == b.access.mask &&
         a.step == b.step && a.access.type()->getNumElements() == b.access.type()->getNumElements();
}

}  // namespace

RowShape ReadingOn::shape(uint32_t vector_bytes) const {
  const uint32_t lanes = access.type()->getNumElements();
  return {lanes, std::min(lanes, vector_bytes / kRowWordBytes)};
}

RowReading::RowReading(llvm::Loop& loop, const RowReadingContext& context)
    : loop_(loop), context_(context), steps_(loop) {}

std::vector<Row> RowReading::find() {
  std::vector<Row> rows;
  for (BasicBlock* block : loop_.blocks()) {
    if (context_.loops.getLoopFor(block) != &loop_) continue;
    std::vector<ReadingOn> reading;
    for (Instruction& i : *block)
      if (auto read = readingOn(i)) reading.push_back(*read);
    if (reading.empty()) continue;
    if (const char* objection = objectionTo(*block)) {
      for (const ReadingOn& read : reading) stays(read, objection);
      continue;
    }
    for (Row& row : rowsOf(std::move(reading)))
      if (asksForBounds(row)) rows.push_back(std::move(row));
  }
  return rows;
}

// Splits what differs from iteration to iteration off a mask: that lanes are inside of bounds.
std::optional<RowBounds> RowReading::takeBounds(MaskedAccess& access) const {
  Value *a = access.mask, *b = nullptr;
  if (match(access.mask, m_LogicalAnd(m_Value(a), m_Value(b))) && loop_.isLoopInvariant(a))
    std::swap(a, b);
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(a);
  if (comparison == nullptr || (b != nullptr && !loop_.isLoopInvariant(b))) return std::nullopt;
  const auto predicate = comparison->getPredicate();
  Value* limit = llvm::getSplatValue(comparison->getOperand(1));
  // Of the number that is added to the address, so that neither wraps around below the limit.
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(access.pointers);
  if (limit == nullptr || address == nullptr || address->getNumIndices() != 1 ||
      address->getOperand(1) != comparison->getOperand(0) ||
      address->getPointerOperandType()->isVectorTy() ||
      !address->getSourceElementType()->isIntegerTy(8) ||
      (predicate != llvm::ICmpInst::ICMP_ULT && predicate != llvm::ICmpInst::ICMP_ULE))
    return std::nullopt;
  access.mask = b != nullptr ? b : llvm::Constant::getAllOnesValue(a->getType());
  return RowBounds{predicate, comparison->getOperand(0), limit};
}

// Whether what bounds say is known in front of the loop; then it counts for its certain iterations.
bool RowReading::asksForBounds(const Row& row) {
  std::vector<IterationCondition> conditions;
  for (const ReadingOn& member : row.members) {
    if (!member.bounds) continue;
    Value* start = atStart(member.bounds->offsets, 0);
    if (start == nullptr || !hoist(member.bounds->limit, 0)) {
      stays(member, "what its bounds are asked of is not known in front of its loop");
      return false;
    }
    const unsigned bits = start->getType()->getScalarSizeInBits();
    Value* live = match(member.access.mask, m_AllOnes()) ? nullptr : member.access.mask;
    conditions.push_back({member.bounds->predicate, start, member.bounds->limit,
                          llvm::APInt::getZero(bits), member.step, live});
  }
  llvm::append_range(conditions_, conditions);
  return true;
}

std::optional<ReadingOn> RowReading::readingOn(Instruction& i) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::masked_gather)
    return std::nullopt;
  std::optional<MaskedAccess> access = matchMaskedAccess(i);
  if (!access) return std::nullopt;
  // A local array, which the loop may write to.
  if ((memoriesBehind(*access->pointers) & kLocalVariables) != 0) return std::nullopt;
  const llvm::Type* element = access->type()->getElementType();
  const unsigned bits = element->getScalarSizeInBits();
  const uint32_t lanes = access->type()->getNumElements();
  if (element->isPointerTy() || bits < 8 || bits > 64 || !std::has_single_bit(bits) ||
      lanes > kMostLanesInRegisters || lanes < kMinLanes || !std::has_single_bit(lanes))
    return std::nullopt;
  const std::optional<LoopStep> step = steps_.of(*access->pointers);
  if (!step || step->step <= 0) return std::nullopt;
  std::optional<RowBounds> bounds;
  if (!loop_.isLoopInvariant(access->mask) && !context_.large_objects) bounds = takeBounds(*access);
  ReadingOn read{call, *access,
                 laneAddressesOf(access->pointers, i.getDataLayout(), !context_.large_objects),
                 step->step, bounds};
  if (static_cast<uint64_t>(step->step) > read.shape(context_.vector_bytes).bytes() ||
      !read.addresses.isNear())
    return std::nullopt;
  if (!loop_.isLoopInvariant(access->mask) ||
      !(match(access->values, m_Zero()) || llvm::isa<llvm::UndefValue>(access->values))) {
    stays(read, "it is not the same invocations that read in every iteration");
    return std::nullopt;
  }
  // An object is less than what a number of 32 bits jumps by when it wraps around, and so are
  // bounds.
  if (step->is_widened && !bounds && (context_.large_objects || !liesInObject(*access->pointers))) {
    stays(read, "its index may wrap around at 2^32");
    return std::nullopt;
  }
  return read;
}

// Why it is not known of a block's gathers that they are done in each iteration, for some time,
// with nothing that changes what they read; null: it is.
const char* RowReading::objectionTo(const BasicBlock& block) {
  if (!isInEveryIteration(block)) return "not in every iteration of its loop";
  if (conditions_.empty())
    if (auto condition = findCondition()) conditions_.push_back(*condition);
  if (conditions_.empty()) return "how many iterations its loop has left is not known";
  if (!writes_) writes_ = writes();
  return *writes_ ? "its loop writes to memory, which may be what it reads" : nullptr;
}

// In all or in none: what leads there and elsewhere is the same in all iterations.
bool RowReading::isInEveryIteration(const BasicBlock& block) {
  const auto& tree = context_.dominators;
  const BasicBlock* to = &block;
  while (to != loop_.getHeader()) {
    const BasicBlock* from = tree.getNode(to)->getIDom()->getBlock();
    auto leadsOn = [&](const BasicBlock* here) {
      return here == to || context_.post_dominators.dominates(to, here);
    };
    // What leaves the loop has no more iterations.
    auto goesOn = [&](const BasicBlock* next) { return !loop_.contains(next) || leadsOn(next); };
    if (!leadsOn(from) && !llvm::all_of(llvm::successors(from), goesOn)) {
      Value* condition = nullptr;
      if (!match(from->getTerminator(), m_Br(m_Value(condition), m_BasicBlock(), m_BasicBlock())))
        return false;
      const std::optional<LoopStep> step = steps_.of(*condition);
      if (!step || step->step != 0 || llvm::none_of(llvm::successors(from), leadsOn)) return false;
    }
    to = from;
  }
  return true;
}

bool RowReading::writes() const {
  for (BasicBlock* block : loop_.blocks()) {
    for (Instruction& i : *block) {
      if (!i.mayWriteToMemory()) continue;
      // Volatile accesses, loads too, are for debuggers.
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
      const bool is_volatile = i.isVolatile();
      const bool is_local = ((store != nullptr && !store->isAtomic()) ||
                             (is_volatile && llvm::isa<llvm::LoadInst>(i))) &&
                            leadsOnlyTo(*llvm::getLoadStorePointerOperand(&i),
                                        is_volatile ? kSubgroupsOwn : kLocalVariables);
      if (!is_local) return true;
    }
  }
  return false;
}

// Whether `v` can be had in front of the loop; it is moved there. Limits like n / 4 are in the loop
// still.
bool RowReading::hoist(Value* v, int depth) {
  if (loop_.isLoopInvariant(v)) return true;
  auto* i = llvm::cast<Instruction>(v);
  if (depth > kMostReadingDepth || !isMovable(*i)) return false;
  for (Value* operand : i->operands())
    if (!hoist(operand, depth + 1)) return false;
  BasicBlock& preheader = *loop_.getLoopPreheader();
  i->moveBefore(preheader, preheader.getTerminator()->getIterator());
  moved_ = true;
  return true;
}

// What `v` is in the loop's first iteration, in front of the loop; null: that is not known there.
Value* RowReading::atStart(Value* v, int depth) {
  if (loop_.isLoopInvariant(v)) return v;
  auto* i = llvm::cast<Instruction>(v);
  Instruction* end = loop_.getLoopPreheader()->getTerminator();
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(i); phi && phi->getParent() == loop_.getHeader())
    return phi->getIncomingValueForBlock(loop_.getLoopPreheader());
  if (const auto known = at_start_.find(i); known != at_start_.end()) return known->second;
  at_start_[i] = nullptr;
  if (depth > kMostReadingDepth || llvm::isa<llvm::PHINode>(i) || !isMovable(*i)) return nullptr;
  llvm::SmallVector<Value*, 4> operands;
  for (Value* operand : i->operands()) {
    operands.push_back(atStart(operand, depth + 1));
    if (operands.back() == nullptr) return nullptr;
  }
  Instruction* copy = i->clone();
  for (auto [k, operand] : llvm::enumerate(operands))
    copy->setOperand(static_cast<unsigned>(k), operand);
  copy->insertBefore(end->getIterator());
  moved_ = true;
  at_start_[i] = copy;
  return copy;
}

// The comparison that all lanes pass where a branch by `condition` goes on.
std::optional<std::pair<llvm::ICmpInst*, llvm::CmpInst::Predicate>> RowReading::comparisonOf(
    Value& condition, const BasicBlock& when_true) const {
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (comparison == nullptr) return std::nullopt;
  auto predicate = comparison->getPredicate();
  if (!loop_.contains(&when_true)) predicate = llvm::CmpInst::getInversePredicate(predicate);
  Value* mask = nullptr;
  if (!match(comparison->getOperand(0), m_BitCast(m_Value(mask))) || !mask->getType()->isVectorTy())
    return std::pair(comparison, predicate);
  const bool none = match(comparison->getOperand(1), m_Zero());
  auto* lanes = llvm::dyn_cast<llvm::ICmpInst>(mask);
  if (lanes == nullptr || predicate != llvm::ICmpInst::ICMP_EQ ||
      !(none || match(comparison->getOperand(1), m_AllOnes())))
    return std::nullopt;
  predicate = lanes->getPredicate();
  return std::pair(lanes, none ? llvm::CmpInst::getInversePredicate(predicate) : predicate);
}

std::optional<IterationCondition> RowReading::findCondition() {
  BasicBlock* exiting = loop_.getExitingBlock();
  Value* condition = nullptr;
  BasicBlock *when_true = nullptr, *when_false = nullptr;
  if (exiting == nullptr ||
      !match(exiting->getTerminator(), m_Br(m_Value(condition), when_true, when_false)))
    return std::nullopt;
  const auto comparison = comparisonOf(*condition, *when_true);
  if (!comparison) return std::nullopt;
  auto predicate = comparison->second;
  Value *counter = comparison->first->getOperand(0), *limit = comparison->first->getOperand(1);
  if (!counter->getType()->getScalarType()->isIntegerTy()) return std::nullopt;
  auto isPhi = [&](Value* v) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(v);
    return phi != nullptr && phi->getParent() == loop_.getHeader();
  };
  const unsigned bits = counter->getType()->getScalarSizeInBits();
  const llvm::APInt zero(bits, 0);
  const llvm::APInt* added = &zero;
  // The counter of this iteration, or the one of the next.
  auto findCounter = [&](Value*& v) {
    Value *before = v, *splat = llvm::getSplatValue(v);
    if (splat != nullptr) before = splat;
    added = &zero;  // not what the other operand may have had
    Value* sum = before;
    if (!isPhi(before) && !match(sum, m_AddLike(m_Value(before), m_APInt(added)))) added = &zero;
    if (!isPhi(before)) return false;
    v = before;
    return true;
  };
  if (!findCounter(counter)) {
    std::swap(counter, limit);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    if (!findCounter(counter)) return std::nullopt;
  }
  const std::optional<LoopStep> step = steps_.of(*counter);
  // What is asked of it must fit its type.
  if (!step || !llvm::isInt<16>(step->step) || bits < 32 || bits > 64) return std::nullopt;
  const bool up = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
  const bool down = llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate);
  const bool ends = (up && step->step > 0) || (down && step->step < 0) ||
                    (predicate == llvm::ICmpInst::ICMP_NE && (step->step == 1 || step->step == -1));
  if (!ends || !hoist(limit, 0)) return std::nullopt;
  Value* start =
      llvm::cast<llvm::PHINode>(counter)->getIncomingValueForBlock(loop_.getLoopPreheader());
  return IterationCondition{predicate, start, limit, *added, step->step};
}

std::vector<Row> RowReading::rowsOf(std::vector<ReadingOn> reading) const {
  std::vector<Row> rows;
  while (!reading.empty()) {
    std::vector<ReadingOn> together, others;
    for (ReadingOn& read : reading)
      (belongTogether(reading[0], read) ? together : others).push_back(read);
    // From the lowest address on, as far as a step.
    int64_t start = together[0].addresses.offset;
    for (const ReadingOn& read : together) start = std::min(start, read.addresses.offset);
    std::vector<ReadingOn> members;
    for (ReadingOn& read : together) {
      const int64_t end = read.addresses.offset + static_cast<int64_t>(read.bytes());
      (end - start <= read.step ? members : others).push_back(read);
    }
    if (members.empty()) {
      // One that is larger than its step.
      for (const ReadingOn& read : together) stays(read, kTooLittle);
      llvm::erase_if(others, [&](const ReadingOn& r) { return belongTogether(together[0], r); });
    } else if (auto row = rowOf(members)) {
      rows.push_back(std::move(*row));
    } else {
      for (const ReadingOn& read : members) stays(read, kTooLittle);
    }
    reading = std::move(others);
  }
  return rows;
}

// Nothing where gathers are as fast.
std::optional<Row> RowReading::rowOf(std::vector<ReadingOn> members) const {
  Row row;
  row.members = std::move(members);
  int64_t last = 0;
  uint32_t words = 0;  // of a lane, that are read each iteration
  for (const ReadingOn& member : row.members) {
    const int64_t offset = row.offsetOf(member);
    row.first = std::min(row.first, offset);
    last = std::max(last, offset + static_cast<int64_t>(member.bytes()));
    words += member.bytes() > kRowWordBytes ? 2 : 1;
  }
  const int64_t step = row.members[0].step;
  for (const ReadingOn& member : row.members) {
    const auto unit = static_cast<int64_t>(std::min<uint64_t>(member.bytes(), kRowWordBytes));
    if (step % unit != 0 || (row.offsetOf(member) - row.first) % unit != 0) return std::nullopt;
  }
  const RowShape shape = row.members[0].shape(context_.vector_bytes);
  const int64_t bytes = shape.bytes();
  row.iterations = static_cast<uint32_t>(bytes / step);
  if (2 * row.iterations * words < shape.words) return std::nullopt;
  // All that is read lies between what is accessed.
  const int64_t gap = step - (last - row.first);
  row.follow = static_cast<uint32_t>((bytes + gap + step - 1) / step);
  return row;
}

}  // namespace jit::simt

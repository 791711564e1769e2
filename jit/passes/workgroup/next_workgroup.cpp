// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/next_workgroup.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "jit/ir/function_kind.h"
#include "jit/ir/helper_function.h"
#include "jit/ir/memories.h"
#include "jit/passes/access/advance.h"
#include "jit/passes/access/lane_addresses.h"
#include "jit/passes/access/masked_access.h"
#include "runtime/kernel_abi.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kDispatch = 0, kWorkgroupX = 3, kWorkgroupY = 4;  // arguments
constexpr int64_t kLineBytes = ukernel::kCacheLine;
// Smaller loads are many for what they fetch.
constexpr uint64_t kLeastLoadBytes = 32;
// Together. Filters of images read less at a time, of what the last workgroups have read, so along
// x it is two lines at least.
constexpr int64_t kLeastLinesOfX = 2, kMostLines = 16;
// Workgroups, where each reads one row: of several lines an iteration, or short.
constexpr unsigned kAheadOfOneRow = 2, kAheadOfOneLine = 4;
// Of a loop.
constexpr size_t kMostReadings = 64;
// Of a loop's iterations: blocks that run in fewer than one of so many are left out.
constexpr uint64_t kRare = 16;

// An address as a sum of values times factors, and bytes, modulo 2^64. Numbers that are widened may
// wrap around first, which is left out of account.
struct Sum {
  std::map<Value*, uint64_t> terms;
  uint64_t bytes = 0;

  void add(Value* value, uint64_t factor) {
    constexpr size_t kMostTerms = 16;
    constexpr unsigned kMostSteps = 64;
    Value *a = nullptr, *b = nullptr;
    const llvm::APInt* number = nullptr;
    auto constant = [&] { return number->sextOrTrunc(64).getZExtValue(); };
    const bool goes_on = terms.size() < kMostTerms && ++steps_ <= kMostSteps;
    if (match(value, m_APInt(number))) {
      bytes += factor * constant();
    } else if (goes_on && match(value, m_AddLike(m_Value(a), m_Value(b)))) {
      add(a, factor);
      add(b, factor);
    } else if (goes_on && match(value, m_Mul(m_Value(a), m_APInt(number)))) {
      add(a, factor * constant());
    } else if (goes_on && match(value, m_Shl(m_Value(a), m_APInt(number))) && number->ult(64)) {
      add(a, factor << number->getZExtValue());
    } else if (goes_on &&
               (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Freeze(m_Value(a))) ||
                match(value, m_PtrAdd(m_Value(a), m_Value(b))))) {
      add(a, factor);
      if (b != nullptr) add(b, factor);
    } else {
      terms[value] += factor;
    }
  }

 private:
  unsigned steps_ = 0;
};

// Loads in one loop whose addresses differ by constants.
struct Reading {
  Instruction* first;
  Value* address;
  Sum sum;             // of the address
  int64_t begin, end;  // of what is read, past the address
};

using Readings = std::vector<Reading>;

void collect(Instruction& i, Readings& readings) {
  Value* address = vectorReadFrom(i);
  if (address == nullptr) return;
  const llvm::DataLayout& layout = i.getDataLayout();
  const uint64_t bytes = layout.getTypeStoreSize(i.getType()).getFixedValue();
  if (bytes < kLeastLoadBytes || !leadsOnlyTo(*address, kClient)) return;
  Sum sum;
  sum.add(address, 1);
  auto known = llvm::find_if(readings, [&](const Reading& r) { return r.sum.terms == sum.terms; });
  if (known == readings.end()) {
    if (readings.size() == kMostReadings) return;
    readings.push_back({&i, address, std::move(sum), 0, static_cast<int64_t>(bytes)});
    return;
  }
  const auto begin = static_cast<int64_t>(sum.bytes - known->sum.bytes);
  if (begin < -kMostLines * kLineBytes || begin > kMostLines * kLineBytes) return;
  known->begin = std::min(known->begin, begin);
  known->end = std::max(known->end, begin + static_cast<int64_t>(bytes));
}

// Whether nothing else is read of its buffer: a workgroup has one row then, and is done
// with it before that of the next one would have come.
bool isAlone(const Reading& reading, const Readings& all) {
  const Value& object = objectOf(*reading.address);
  return llvm::none_of(all, [&](const Reading& other) {
    return &other != &reading && &objectOf(*other.address) == &object;
  });
}

// Whether workgroups read beside each other, columns of one matrix for example, and not in rows.
bool isNear(Value& amount) {
  const llvm::APInt* bytes = nullptr;
  return match(&amount, m_APInt(bytes)) && bytes->abs().ule(kMostLines * kLineBytes);
}

// What the next workgroup reads is `amount` bytes further; of so many workgroups further.
void prefetch(const Reading& reading, Value& amount, unsigned workgroups) {
  llvm::IRBuilder<> ir(reading.first);
  Value* bytes = &amount;
  if (workgroups > 1)
    bytes = ir.CreateMul(bytes, llvm::ConstantInt::get(bytes->getType(), workgroups));
  Value* next = ir.CreatePtrAdd(reading.address, bytes);
  ukernel::emitPrefetchesToSecondLevel(ir, next, reading.begin, reading.end);
}

// Of the workgroup. A loop with one stages what it reads: puts it into shared memory, for all
// invocations to read again and again.
bool isBarrier(const Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && kindOf(*callee) == FunctionKind::Barrier;
}

// How much further workgroups read than those before them. They run in the order of their numbers,
// x first: what does not depend on x is another row where the next workgroup is the next along y,
// which is so where the grid is one wide.
class Order {
 public:
  Order(llvm::Function& function, const llvm::LoopInfo& loops)
      : function_(function),
        along_x_(*function.getArg(kWorkgroupX), loops),
        along_y_(*function.getArg(kWorkgroupY), loops) {}

  // Prefetches what the next workgroup reads instead of `reading`, or one after it. Whether it
  // does.
  bool prefetchBehind(const Reading& reading, bool alone, bool is_staged) {
    const int64_t bytes = reading.end - reading.begin;
    const bool is_long = bytes >= kLeastLinesOfX * kLineBytes;
    if (bytes > kMostLines * kLineBytes) return false;
    Value* amount = along_x_.of(reading.address);
    if (amount == nullptr) return false;
    const bool has_x = !match(amount, m_Zero());
    if (!has_x && is_staged) return false;
    if (!has_x) amount = along_y_.of(reading.address);
    if (amount == nullptr || match(amount, m_Zero()) || (has_x && !is_long) ||
        (alone && isNear(*amount)))
      return false;
    if (!has_x)
      amount =
          llvm::IRBuilder<>(reading.first)
              .CreateSelect(isOneWide(), amount, llvm::Constant::getNullValue(amount->getType()));
    prefetch(reading, *amount, !alone ? 1 : is_long ? kAheadOfOneRow : kAheadOfOneLine);
    return true;
  }

 private:
  // Whether there is one workgroup along x.
  Value* isOneWide() {
    if (is_one_wide_ != nullptr) return is_one_wide_;
    llvm::IRBuilder<> ir(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::LoadInst* width =
        ir.CreateLoad(ir.getInt32Ty(),
                      ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), function_.getArg(kDispatch),
                                                    offsetof(rt::DispatchArgs, workgroup_count)));
    width->setMetadata(llvm::LLVMContext::MD_invariant_load,
                       llvm::MDNode::get(ir.getContext(), {}));
    return is_one_wide_ = ir.CreateICmpEQ(width, ir.getInt32(1));
  }

  llvm::Function& function_;
  Advance along_x_, along_y_;
  Value* is_one_wide_ = nullptr;
};

}  // namespace

bool prefetchNextWorkgroup(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& frequencies = analyses.getResult<llvm::BlockFrequencyAnalysis>(function);
  Order order(function, loops);
  bool changed = false;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    Readings readings;
    const uint64_t usual = frequencies.getBlockFreq(loop->getHeader()).getFrequency();
    for (llvm::BasicBlock* block : loop->blocks())
      if (frequencies.getBlockFreq(block).getFrequency() >= usual / kRare)
        for (Instruction& i : *block) collect(i, readings);
    const bool is_staged =
        llvm::any_of(loop->getOutermostLoop()->blocks(),
                     [](llvm::BasicBlock* block) { return llvm::any_of(*block, isBarrier); });
    for (const Reading& reading : readings)
      changed |= order.prefetchBehind(reading, isAlone(reading, readings), is_staged);
  }
  return changed;
}

}  // namespace jit::simt

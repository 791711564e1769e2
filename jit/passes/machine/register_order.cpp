// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/register_order.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "jit/base/target.h"

namespace jit {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Type;

// Blocks with fewer instructions have no more values than registers.
constexpr size_t kLeastInstructions = 24;
// A new order has to need this much less, as a fraction: estimates are not better than that.
constexpr uint64_t kLeastGain = 8;
// Times the registers that there are: what needs more is stored and loaded again in any order.
constexpr uint64_t kMostOver = 2;

// Of one block.
class RegisterOrder {
 public:
  RegisterOrder(BasicBlock& block, unsigned vector_bytes)
      : block_(block), layout_(block.getDataLayout()), vector_bytes_(vector_bytes) {
    for (Instruction& i : block)
      if (!llvm::isa<llvm::PHINode, llvm::AllocaInst>(i)) instructions_.push_back(&i);
  }

  bool improve() {
    const uint32_t registers = vectorRegisters(vector_bytes_);
    if (instructions_.size() < kLeastInstructions) return false;
    const uint64_t before = pressure(instructions_);
    if (before <= registers) return false;
    collect();
    for (uint32_t k = 0; k < nodes_.size(); ++k)
      if (nodes_[k].is_root) placeRoot(k);
    const uint64_t after = pressure(order_);
    if (after > kMostOver * registers || after + before / kLeastGain >= before) return false;
    for (Instruction* i : order_) i->moveBefore(block_, block_.end());
    return true;
  }

 private:
  struct Node {
    uint32_t need = 0;     // registers while it is computed
    bool writes = false;   // memory: no read changes to its other side
    bool is_root = false;  // keeps its place among roots
    bool is_placed = false;
  };

  // Of a value, by its type.
  uint32_t registers(Type* type) const {
    if (type->isFloatingPointTy()) return 1;
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (vector == nullptr) return 0;
    uint64_t bytes = layout_.getTypeStoreSize(type).getFixedValue();
    // Masks are registers of another kind with AVX-512, and vectors of words without.
    constexpr uint64_t kWordBytes = 4;
    if (vector->getElementType()->isIntegerTy(1))
      bytes = vector_bytes_ == kMostVectorBytes ? 0 : kWordBytes * vector->getNumElements();
    return static_cast<uint32_t>(llvm::divideCeil(bytes, vector_bytes_));
  }

  static bool isUsedElsewhere(const Instruction& i) {
    return llvm::any_of(i.users(), [&](const llvm::User* user) {
      const auto* other = llvm::cast<Instruction>(user);
      return other->getParent() != i.getParent() || llvm::isa<llvm::PHINode>(other);
    });
  }

  // Whether it may come later than it stands: it only computes, or reads.
  static bool isFree(const Instruction& i) {
    if (i.isTerminator() || i.mayHaveSideEffects() || i.isVolatile() || i.isAtomic()) return false;
    if (i.getType()->isX86_AMXTy() || i.getType()->isTokenTy()) return false;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    // Functions have no registers that outlive a call.
    return call == nullptr || (llvm::isa<llvm::IntrinsicInst>(call) && !call->isConvergent());
  }

  static bool isWrite(const Instruction& i) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::prefetch)
      return false;
    return i.mayWriteToMemory() || i.isVolatile() || i.isAtomic();
  }

  // The most registers at once, of what the block's instructions make and use, in this order.
  uint64_t pressure(llvm::ArrayRef<Instruction*> order) const {
    llvm::DenseMap<const llvm::Value*, uint32_t> alive;
    uint64_t now = 0;
    auto begin = [&](const llvm::Value* value) {
      if (llvm::isa<llvm::Constant, BasicBlock>(value)) return;
      const uint32_t size = registers(value->getType());
      if (size != 0 && alive.try_emplace(value, size).second) now += size;
    };
    // From the end on. What comes from other blocks is alive in all of this one.
    for (const Instruction* i : order) {
      if (isUsedElsewhere(*i)) begin(i);
      for (const llvm::Value* operand : i->operands()) {
        const auto* made = llvm::dyn_cast<Instruction>(operand);
        if (made == nullptr || made->getParent() != &block_) begin(operand);
      }
    }
    uint64_t most = now;
    for (const Instruction* i : llvm::reverse(order)) {
      const auto found = alive.find(i);
      if (found != alive.end()) {
        now -= found->second;
        alive.erase(found);
      }
      for (const llvm::Value* operand : i->operands()) begin(operand);
      most = std::max(most, now);
    }
    return most;
  }

  void collect() {
    for (size_t k = 0; k < instructions_.size(); ++k)
      numbers_[instructions_[k]] = static_cast<uint32_t>(k);
    nodes_.resize(instructions_.size());
    for (size_t k = 0; k < instructions_.size(); ++k) {
      const Instruction& i = *instructions_[k];
      Node& node = nodes_[k];
      node.is_root = !isFree(i) || isUsedElsewhere(i) || i.use_empty();
      node.writes = isWrite(i);
      if (i.mayReadFromMemory() && !node.writes) reads_.push_back(static_cast<uint32_t>(k));
      node.need = needOf(i);
    }
  }

  // Of the values that it is made of, whichever needs most is computed first.
  uint32_t needOf(const Instruction& i) const {
    uint32_t kept = 0, most = registers(i.getType());
    for (uint32_t operand : operandsOf(i)) {
      most = std::max(most, kept + nodes_[operand].need);
      kept += registers(instructions_[operand]->getType());
    }
    return std::max(most, kept);
  }

  // What the block itself makes, the greatest need first.
  llvm::SmallVector<uint32_t, 4> operandsOf(const Instruction& i) const {
    llvm::SmallVector<uint32_t, 4> result;
    for (const llvm::Value* operand : i.operands()) {
      const auto* made = llvm::dyn_cast<Instruction>(operand);
      const auto found = made == nullptr ? numbers_.end() : numbers_.find(made);
      if (found != numbers_.end()) result.push_back(found->second);
    }
    llvm::stable_sort(result,
                      [&](uint32_t a, uint32_t b) { return nodes_[a].need > nodes_[b].need; });
    return result;
  }

  void placeRoot(uint32_t root) {
    for (uint32_t operand : operandsOf(*instructions_[root])) place(operand);
    if (nodes_[root].writes)
      for (; next_read_ < reads_.size() && reads_[next_read_] < root; ++next_read_)
        place(reads_[next_read_]);
    place(root);
  }

  void place(uint32_t wanted) {
    llvm::SmallVector<uint32_t, 32> open = {wanted};
    while (!open.empty()) {
      const uint32_t k = open.back();
      if (nodes_[k].is_placed) {
        open.pop_back();
        continue;
      }
      const size_t before = open.size();
      const llvm::SmallVector<uint32_t, 4> operands = operandsOf(*instructions_[k]);
      for (uint32_t operand : llvm::reverse(operands))
        if (!nodes_[operand].is_placed) open.push_back(operand);
      if (open.size() != before) continue;
      nodes_[k].is_placed = true;
      order_.push_back(instructions_[k]);
      open.pop_back();
    }
  }

  BasicBlock& block_;
  const llvm::DataLayout& layout_;
  unsigned vector_bytes_;
  std::vector<Instruction*> instructions_, order_;  // without phis and variables
  std::vector<Node> nodes_;
  llvm::DenseMap<const Instruction*, uint32_t> numbers_;
  std::vector<uint32_t> reads_;
  size_t next_read_ = 0;
};

}  // namespace

bool orderForRegisters(llvm::Function& function, unsigned vector_bytes) {
  bool changed = false;
  // In blocks that nothing leads to values may be made of themselves.
  for (BasicBlock* block : llvm::depth_first(&function))
    changed |= RegisterOrder(*block, vector_bytes).improve();
  return changed;
}

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/lane_tiles.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "jit/ir/elementwise.h"
#include "jit/ir/helper_function.h"
#include "jit/ir/lane_fence.h"
#include "jit/ir/vector_data.h"
#include "jit/passes/access/masked_access.h"
#include "jit/passes/access/progression.h"
#include "jit/passes/workgroup/wide_phis.h"

namespace jit::simt {
namespace {

using llvm::BasicBlock;
using llvm::FixedVectorType;
using llvm::Instruction;
using llvm::Value;

// Lanes of an iteration: a few registers for each value, so that no operation waits for the one
// before, and that most values stay in registers.
constexpr unsigned kLanesOfIteration = 32;

// Operations that are worth a loop.
constexpr size_t kLeastMembers = 3;

// Operations of one block that one loop carries out, where the last of them stands.
using Row = llvm::SmallVector<Instruction*>;

class LaneTiles {
 public:
  LaneTiles(llvm::Function& function, unsigned lanes) : function_(function), lanes_(lanes) {}

  bool run() {
    std::vector<Row> rows;
    // A value's row comes before the rows that take it, wherever their blocks stand.
    for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
      collect(*block, rows);
    for (Row& row : rows) countAnew(row);
    for (const Row& row : rows) emit(row);
    keepWidePhisInMemory(function_, lanes_, memory_of_);
    return !rows.empty();
  }

 private:
  bool isWide(const llvm::Type* type) const {
    auto* vector = llvm::dyn_cast<FixedVectorType>(type);
    return vector != nullptr && vector->getNumElements() == lanes_;
  }

  FixedVectorType* narrowed(llvm::Type* type) const {
    return FixedVectorType::get(type->getScalarType(), kLanesOfIteration);
  }

  // Whether each lane has a pointer of its own.
  bool isGatherOrScatter(const Instruction& instruction) const {
    const std::optional<MaskedAccess> access = matchMaskedAccess(instruction);
    return access && access->isApart() && isWide(access->type());
  }

  bool isMember(const Instruction& instruction) const {
    if (llvm::isa<llvm::PHINode>(instruction)) return false;
    if (isGatherOrScatter(instruction)) return true;
    if (!isWide(instruction.getType()) || llvm::getSplatValue(&instruction)) return false;
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      return llvm::all_of(address->operands(), [&](const llvm::Use& use) {
        return !use->getType()->isVectorTy() || isWide(use->getType());
      });
    }
    return isElementwise(instruction);
  }

  // Whatever stands between the members of a row happens before all of them; a row ends where that
  // would be wrong.
  void collect(BasicBlock& block, std::vector<Row>& rows) const {
    Row row;
    llvm::SmallPtrSet<const Value*, 16> members;
    bool reads = false, writes = false;
    auto close = [&] {
      if (row.size() >= kLeastMembers) rows.push_back(row);
      row.clear();
      members.clear();
      reads = writes = false;
    };
    for (Instruction& instruction : block) {
      if (isMember(instruction)) {
        row.push_back(&instruction);
        members.insert(&instruction);
        reads |= instruction.mayReadFromMemory();
        writes |= instruction.mayWriteToMemory();
        continue;
      }
      const bool takes_member = llvm::any_of(instruction.operands(), [&](const llvm::Use& use) {
        return members.contains(use.get());
      });
      const bool changes_order = (reads && instruction.mayWriteToMemory()) ||
                                 (writes && instruction.mayReadOrWriteMemory());
      if (takes_member || changes_order) close();
    }
    close();
  }

  // Vectors from outside that count up are made again, of a scalar: what is in memory is not known
  // to count up any more, and accesses at such addresses are coalesced (contiguous_access.h).
  void countAnew(Row& row) {
    const llvm::SmallPtrSet<const Value*, 16> members(row.begin(), row.end());
    llvm::IRBuilder<> builder(row.front());
    llvm::SmallDenseMap<Value*, Value*> made;  // null: does not count up
    Row counts;
    for (Instruction* member : row) {
      for (llvm::Use& operand : operandsOf(*member)) {
        if (!isWide(operand->getType()) || !operand->getType()->isIntOrIntVectorTy()) continue;
        // Of what is widened a progression has only the addresses right (progression.cpp).
        if (operand->getType()->getScalarSizeInBits() > 32) continue;
        if (!llvm::isa<Instruction>(operand) || members.contains(operand)) continue;
        if (llvm::getSplatValue(operand)) continue;
        auto [count, is_new] = made.insert({operand, nullptr});
        if (is_new) {
          std::optional<Progression> progression = Decomposer(builder).integers(operand);
          if (!progression) continue;
          count->second = builder.CreateVectorSplat(lanes_, progression->first);
          if (progression->step != 0) {
            count->second = builder.CreateAdd(
                count->second, steps(progression->first->getType(), progression->step, lanes_));
            if (auto* added = llvm::dyn_cast<Instruction>(count->second)) counts.push_back(added);
          }
        }
        if (count->second != nullptr) operand.set(count->second);
      }
    }
    row.insert(row.begin(), counts.begin(), counts.end());
  }

  // 0, step, 2 * step...
  static llvm::Constant* steps(llvm::Type* type, int64_t step, unsigned count) {
    llvm::SmallVector<llvm::Constant*> all;
    for (unsigned lane = 0; lane < count; ++lane)
      all.push_back(llvm::ConstantInt::getSigned(type, lane * step));
    return llvm::ConstantVector::get(all);
  }

  // Where a vector from outside of the row is in memory.
  Value* memoryOf(Value* vector) {
    Value*& memory = memory_of_[vector];
    if (memory != nullptr) return memory;
    // The elements of an expression, such as addresses in a table, are known to instructions only.
    auto* constant = llvm::dyn_cast<llvm::Constant>(vector);
    if (constant && !llvm::isa<llvm::ConstantExpr>(constant))
      return memory = makeVectorData(*function_.getParent(), *constant);
    auto* slot = makeSlot(function_, vector->getType());
    memory = slot;
    llvm::IRBuilder<> builder(function_.getContext());
    if (auto* instruction = llvm::dyn_cast<Instruction>(vector)) {
      builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    } else {
      builder.SetInsertPoint(slot->getParent(), std::next(slot->getIterator()));
    }
    builder.CreateAlignedStore(vector, slot, llvm::Align(64));
    return slot;
  }

  // The lanes from `at` on of a vector in memory.
  std::pair<Value*, llvm::Align> tileAt(llvm::IRBuilderBase& builder, Value* memory,
                                        llvm::Type* type, Value* at) const {
    const uint64_t bits = type->getScalarType()->isPointerTy() ? 64 : type->getScalarSizeInBits();
    Value* offset =
        builder.CreateLShr(builder.CreateMul(at, builder.getInt64(bits)), builder.getInt64(3));
    return {ukernel::offsetBy(builder, memory, offset),
            llvm::commonAlignment(llvm::Align(64), kLanesOfIteration * bits / 8)};
  }

  // The same of a constant that counts up: accesses are coalesced by that (contiguous_access.h).
  Value* tileOf(llvm::IRBuilderBase& builder, const Progression& count, Value* at) const {
    llvm::Type* type = count.first->getType();
    Value* distance = builder.CreateMul(builder.CreateZExtOrTrunc(at, type),
                                        llvm::ConstantInt::getSigned(type, count.step));
    Value* first = builder.CreateAdd(count.first, distance);
    return builder.CreateAdd(builder.CreateVectorSplat(kLanesOfIteration, first),
                             steps(type, count.step, kLanesOfIteration));
  }

  void emit(const Row& row) {
    const llvm::SmallPtrSet<const Value*, 16> members(row.begin(), row.end());
    // Vectors that are read, splats as scalars.
    llvm::MapVector<Value*, Value*> sources;
    llvm::MapVector<Value*, Progression> counts;
    for (Instruction* member : row) {
      for (Value* operand : operandsOf(*member)) {
        if (!isWide(operand->getType()) || members.contains(operand)) continue;
        if (llvm::isa<llvm::UndefValue>(operand) || llvm::getSplatValue(operand)) continue;
        auto* constant = llvm::dyn_cast<llvm::Constant>(operand);
        if (auto count = constant ? Decomposer::constants(constant) : std::nullopt)
          counts.insert({operand, *count});
        else
          sources.insert({operand, memoryOf(operand)});
      }
    }
    llvm::MapVector<Instruction*, Value*> results;
    for (Instruction* member : row) {
      if (member->getType()->isVoidTy()) continue;
      if (llvm::any_of(member->users(), [&](llvm::User* user) { return !members.contains(user); }))
        results.insert({member, makeSlot(function_, member->getType())});
    }

    BasicBlock* before = row.back()->getParent();
    BasicBlock* after = llvm::SplitBlock(before, row.back()->getNextNode());
    before->getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(before);
    ukernel::emitLoop(builder, builder.getInt64(lanes_), kLanesOfIteration, [&](Value* at) {
      llvm::DenseMap<Value*, Value*> tiles;
      for (auto& [vector, memory] : sources) {
        auto [address, alignment] = tileAt(builder, memory, vector->getType(), at);
        tiles[vector] = builder.CreateAlignedLoad(narrowed(vector->getType()), address, alignment);
      }
      for (auto& [vector, count] : counts) tiles[vector] = tileOf(builder, count, at);
      for (Instruction* member : row) {
        builder.SetCurrentDebugLocation(member->getDebugLoc());
        tiles[member] = emitMember(builder, *member, tiles);
      }
      for (auto& [member, memory] : results) {
        auto [address, alignment] = tileAt(builder, memory, member->getType(), at);
        builder.CreateAlignedStore(tiles[member], address, alignment);
      }
    });
    builder.CreateBr(after);
    builder.SetInsertPoint(after, after->getFirstInsertionPt());
    for (auto& [member, memory] : results) {
      Value* whole = builder.CreateAlignedLoad(member->getType(), memory, llvm::Align(64));
      memory_of_[whole] = memory;
      member->replaceAllUsesWith(whole);
    }
    for (Instruction* member : llvm::reverse(row)) {
      memory_of_.erase(member);
      member->eraseFromParent();
    }
  }

  static llvm::iterator_range<llvm::User::op_iterator> operandsOf(Instruction& member) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&member)) return call->args();
    return member.operands();
  }

  Value* emitMember(llvm::IRBuilderBase& builder, Instruction& member,
                    llvm::DenseMap<Value*, Value*>& tiles) const {
    auto narrow = [&](Value* value) -> Value* {
      if (!isWide(value->getType())) return value;
      if (Value* tile = tiles.lookup(value)) return tile;
      FixedVectorType* type = narrowed(value->getType());
      if (llvm::isa<llvm::PoisonValue>(value)) return llvm::PoisonValue::get(type);
      if (llvm::isa<llvm::UndefValue>(value)) return llvm::UndefValue::get(type);
      return builder.CreateVectorSplat(kLanesOfIteration, llvm::getSplatValue(value));
    };
    if (const std::optional<MaskedAccess> access = matchMaskedAccess(member)) {
      Value* pointers = narrow(access->pointers);
      Value *mask = narrow(access->mask), *values = narrow(access->values);
      if (access->reads)
        return builder.CreateMaskedGather(values->getType(), pointers, access->alignment, mask,
                                          values);
      return builder.CreateMaskedScatter(values, pointers, access->alignment, mask);
    }
    llvm::SmallVector<Value*, 4> operands;
    for (Value* operand : operandsOf(member)) operands.push_back(narrow(operand));
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&member)) {
      Value* base = operands.front();
      return builder.CreateGEP(address->getSourceElementType(), base,
                               llvm::ArrayRef(operands).drop_front(), "",
                               address->getNoWrapFlags());
    }
    return emitElementwise(builder, member, operands, kLanesOfIteration);
  }

  llvm::Function& function_;
  const unsigned lanes_;
  MemoryMap memory_of_;
};

}  // namespace

// Of this thread alone, so that only the compiler keeps to it. What is volatile has a stronger one.
bool loopOverLaneTiles(llvm::Function& function, unsigned lanes) {
  if (lanes <= kMostLanesInRegisters || lanes % kLanesOfIteration != 0) return false;
  return LaneTiles(function, lanes).run();
}

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/matrix_variables.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>

#include "jit/coopmat/accumulator_web.h"
#include "jit/ir/matrix_values.h"

namespace jit::coopmat {

using llvm::Value;

VariableUses::VariableUses(llvm::AllocaInst& variable, IsWhole is_whole) : variable_(variable) {
  visit(variable, 0, is_whole);
}

bool VariableUses::has(Extent extent) const {
  return llvm::any_of(accesses_, [&](const Access& access) { return access.extent == extent; });
}

bool VariableUses::holdsMatricesInMemory() const {
  return wholeAndInParts() || llvm::any_of(accesses_, [](const Access& access) {
           return access.extent == Extent::Whole && !access.offset;
         });
}

llvm::SmallVector<VariableUses::Part> VariableUses::parts() const {
  llvm::SmallVector<Part> parts;
  for (const Access& access : accesses_)
    if (access.extent == Extent::Part) parts.push_back({access.instruction, access.address});
  return parts;
}

void VariableUses::visit(Value& address, std::optional<uint64_t> offset, IsWhole is_whole) {
  for (llvm::Use& use : address.uses()) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    auto note = [&](Extent extent) {
      // A vector of addresses is where the lanes' places are known, whoever uses it.
      const bool is_vector = user->getType()->isPtrOrPtrVectorTy() && user->getType()->isVectorTy();
      accesses_.push_back({user, extent, offset, is_vector ? user : &address});
    };
    if (llvm::getLoadStorePointerOperand(user) == use.get()) {
      note(is_whole(*user) ? Extent::Whole : Extent::Part);
    } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      if (address->getType()->isVectorTy()) note(Extent::Part);
      llvm::APInt distance(64, 0);
      const bool is_constant =
          offset && !address->getType()->isVectorTy() &&
          address->accumulateConstantOffset(variable_.getDataLayout(), distance);
      visit(*address, is_constant ? std::optional(*offset + distance.getZExtValue()) : std::nullopt,
            is_whole);
    } else if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
               phi != nullptr && phi->getNumIncomingValues() == 1) {
      visit(*phi, offset, is_whole);  // of an address that a loop computes, behind it
    } else if (user->isLifetimeStartOrEnd() || llvm::isa<llvm::MemSetInst>(user)) {
      note(Extent::None);
    } else {
      note(Extent::Part);
      is_captured_ |= !llvm::isa<llvm::IntrinsicInst>(user);
    }
  }
}

// The matrices that a loop reaches, if that is all that it does with the variable, and they are
// apart; none where it writes to none of them.
llvm::SmallVector<VariableUses::Matrix> VariableUses::wholeIn(const llvm::Loop& loop) const {
  if (is_captured_) return {};
  const llvm::DataLayout& layout = variable_.getDataLayout();
  llvm::SmallVector<Matrix> matrices;
  bool is_written = false;
  for (const Access& access : accesses_) {
    if (!loop.contains(access.instruction)) continue;
    if (access.extent != Extent::Whole || !access.offset) return {};
    llvm::Type* type = llvm::getLoadStoreType(access.instruction);
    const bool writes = llvm::isa<llvm::StoreInst>(access.instruction);
    is_written |= writes;
    auto known =
        llvm::find_if(matrices, [&](const Matrix& m) { return m.offset == *access.offset; });
    if (known == matrices.end()) {
      matrices.push_back({*access.offset, type, writes});
      continue;
    }
    if (known->type != type) return {};
    known->is_written |= writes;
  }
  if (!is_written) return {};
  llvm::sort(matrices, [](const Matrix& a, const Matrix& b) { return a.offset < b.offset; });
  for (size_t k = 1; k < matrices.size(); ++k) {
    const uint64_t bytes = layout.getTypeStoreSize(matrices[k - 1].type).getFixedValue();
    if (matrices[k].offset - matrices[k - 1].offset < bytes) return {};
  }
  return matrices;
}

void VariableUses::noteClearing(llvm::MemSetInst& cleared, uint64_t offset,
                                StoredMatrices& stored) {
  auto* value = llvm::dyn_cast<llvm::ConstantInt>(cleared.getValue());
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(cleared.getLength());
  if (value == nullptr || !value->isZero() || length == nullptr || cleared.isVolatile()) return;
  stored.cleared = &cleared;
  stored.cleared_offset = offset;
  stored.cleared_bytes = length->getZExtValue();
}

// What a loop writes again behind it need not be cleared in front of it.
void VariableUses::eraseClearing(llvm::ArrayRef<Matrix> matrices, const StoredMatrices& stored) {
  if (stored.cleared == nullptr || stored.is_cleared_wanted) return;
  uint64_t written = 0;
  for (const Matrix& matrix : matrices)
    if (matrix.is_written && stored.isCleared(matrix.offset, bytesOf(matrix)))
      written += bytesOf(matrix);
  if (written != stored.cleared_bytes) return;
  llvm::erase_if(accesses_, [&](const Access& a) { return a.instruction == stored.cleared; });
  stored.cleared->eraseFromParent();
}

uint64_t VariableUses::bytesOf(const Matrix& matrix) const {
  return variable_.getDataLayout().getTypeStoreSize(matrix.type).getFixedValue();
}

// Back along the only path that leads there, up to what reaches more than a whole matrix.
VariableUses::StoredMatrices VariableUses::storedBefore(llvm::BasicBlock& block) const {
  llvm::DenseMap<const llvm::Instruction*, const Access*> accesses;
  for (const Access& access : accesses_) accesses[access.instruction] = &access;
  const llvm::DataLayout& layout = variable_.getDataLayout();
  StoredMatrices stored;
  std::map<uint64_t, uint64_t> seen;  // offsets and ends of what is reached behind
  auto isApart = [&](uint64_t offset, uint64_t end) {
    auto next = seen.lower_bound(offset);
    if (next != seen.end() && next->first == offset) return next->second == end;
    return (next == seen.end() || next->first >= end) &&
           (next == seen.begin() || std::prev(next)->second <= offset);
  };
  llvm::DenseSet<uint64_t> read;
  llvm::SmallPtrSet<llvm::BasicBlock*, 8> visited;
  bool is_only_way = true;
  for (llvm::BasicBlock* at = &block; at != nullptr && visited.insert(at).second;
       at = at->getSinglePredecessor()) {
    is_only_way &= at->getSingleSuccessor() != nullptr;
    for (llvm::Instruction& instruction : llvm::reverse(*at)) {
      const Access* access = accesses.lookup(&instruction);
      if (access == nullptr) continue;
      if (access->extent != Extent::Whole || !access->offset) {
        auto* cleared = llvm::dyn_cast<llvm::MemSetInst>(&instruction);
        if (cleared != nullptr && access->offset) noteClearing(*cleared, *access->offset, stored);
        stored.is_cleared_wanted = !is_only_way || !read.empty();
        return stored;
      }
      const uint64_t offset = *access->offset;
      const uint64_t end =
          offset + layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
      if (!isApart(offset, end)) return stored;
      seen[offset] = end;
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store == nullptr)
        read.insert(offset);
      else
        stored.by_offset.try_emplace(offset, Stored{store, !is_only_way || read.contains(offset)});
    }
  }
  return stored;
}

void VariableUses::split(const llvm::Loop& loop, const Matrix& matrix,
                         const StoredMatrices& stored) {
  const llvm::Align alignment = llvm::commonAlignment(variable_.getAlign(), matrix.offset);
  auto* local = new llvm::AllocaInst(matrix.type, variable_.getAddressSpace(), nullptr,
                                     variable_.getAlign(), "", variable_.getIterator());
  llvm::erase_if(accesses_, [&](const Access& access) {
    if (!loop.contains(access.instruction) || access.offset != matrix.offset) return false;
    Value* address = llvm::getLoadStorePointerOperand(access.instruction);
    access.instruction->replaceUsesOfWith(address, local);
    return true;
  });
  auto copy = [&](llvm::BasicBlock::iterator at, bool into_local) {
    llvm::IRBuilder<> builder(at->getParent(), at);
    auto before = stored.by_offset.find(matrix.offset);
    const bool is_stored = before != stored.by_offset.end();
    if (into_local && !is_stored && stored.isCleared(matrix.offset, bytesOf(matrix))) {
      builder.CreateAlignedStore(llvm::Constant::getNullValue(matrix.type), local, alignment);
      return;
    }
    if (into_local && is_stored &&
        before->second.store->getValueOperand()->getType() == matrix.type) {
      llvm::StoreInst* store = before->second.store;
      builder.CreateAlignedStore(store->getValueOperand(), local, alignment);
      // What the loop changes is written again behind it.
      if (before->second.is_wanted || !matrix.is_written) return;
      llvm::erase_if(accesses_, [&](const Access& a) { return a.instruction == store; });
      store->eraseFromParent();
      return;
    }
    Value* address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &variable_, matrix.offset);
    Value* whole = builder.CreateAlignedLoad(matrix.type, into_local ? address : local, alignment);
    auto* store = builder.CreateAlignedStore(whole, into_local ? local : address, alignment);
    auto* load = llvm::cast<llvm::Instruction>(whole);
    accesses_.push_back({into_local ? load : store, Extent::Whole, matrix.offset, address});
  };
  copy(loop.getLoopPreheader()->getTerminator()->getIterator(), true);
  if (!matrix.is_written) return;
  llvm::SmallVector<llvm::BasicBlock*> exits;
  loop.getUniqueExitBlocks(exits);
  for (llvm::BasicBlock* exit : exits) copy(exit->getFirstInsertionPt(), false);
}

unsigned VariableUses::splitAroundLoops(const llvm::LoopInfo& loops,
                                        llvm::function_ref<bool(const llvm::Loop&)> is_wanted) {
  unsigned count = 0;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isLoopSimplifyForm() || !is_wanted(*loop)) continue;
    const llvm::SmallVector<Matrix> matrices = wholeIn(*loop);
    if (matrices.empty()) continue;
    const StoredMatrices stored = storedBefore(*loop->getLoopPreheader());
    for (const Matrix& matrix : matrices) split(*loop, matrix, stored);
    eraseClearing(matrices, stored);
    ++count;
  }
  return count;
}

unsigned splitAroundProducts(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const MatrixValues matrices(function);
  auto is_whole = [&](const llvm::Instruction& access) { return matrices.isWhole(access); };
  llvm::SmallVector<llvm::AllocaInst*> candidates;
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && VariableUses(*variable, is_whole).holdsMatricesInMemory())
      candidates.push_back(variable);
  }
  if (candidates.empty()) return 0;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> products;
  for (llvm::BasicBlock& block : function)
    if (llvm::any_of(block, [](llvm::Instruction& i) { return matchMulAdd(&i).has_value(); }))
      products.insert(&block);
  if (products.empty()) return 0;
  auto has_product = [&](const llvm::Loop& loop) {
    return llvm::any_of(loop.blocks(),
                        [&](const llvm::BasicBlock* b) { return products.count(b) != 0; });
  };
  simplifyLoops(function, analyses);
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  unsigned count = 0;
  for (llvm::AllocaInst* variable : candidates) {
    VariableUses uses(*variable, is_whole);
    count += uses.splitAroundLoops(loops, has_product) != 0;
  }
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return count;
}

}  // namespace jit::coopmat

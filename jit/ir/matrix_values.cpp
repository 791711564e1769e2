// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/matrix_values.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "jit/ir/elementwise.h"
#include "jit/ir/matrix_ops.h"

namespace jit::coopmat {
namespace {

using llvm::Instruction;
using llvm::Value;

// The vector that a load gives or a store takes; null for other instructions.
Value* accessed(Instruction& access) {
  Value* value = &access;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) value = store->getValueOperand();
  const bool is_access = llvm::isa<llvm::LoadInst, llvm::StoreInst>(access);
  return is_access && value->getType()->isVectorTy() ? value : nullptr;
}

// The local variable that an access reaches; null: something else.
const Value* variableOf(const Instruction& access) {
  const Value* object = llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(&access), 0);
  return llvm::isa<llvm::AllocaInst>(object) ? object : nullptr;
}

// Whether its vectors, operands and result, are of one matrix or of none.
bool joins(const Instruction& instruction) {
  return llvm::isa<llvm::PHINode>(instruction) || isElementwise(instruction);
}

// A row is its own transpose.
bool isLine(MatrixSize size) { return size.rows == 1 || size.columns == 1; }
bool differ(MatrixSize a, MatrixSize b) { return a != b && !(isLine(a) && isLine(b)); }

bool hasElementsOf(const Value& one, const Value& other) {
  auto* a = llvm::dyn_cast<llvm::FixedVectorType>(one.getType());
  auto* b = llvm::dyn_cast<llvm::FixedVectorType>(other.getType());
  return a != nullptr && b != nullptr && a->getNumElements() == b->getNumElements();
}

}  // namespace

MatrixValues::MatrixValues(llvm::Function& function) {
  if (llvm::none_of(*function.getParent(), isMatrixOperation)) return;
  for (Instruction& instruction : llvm::instructions(function)) {
    if (accessed(instruction) != nullptr) {
      if (const Value* variable = variableOf(instruction))
        accesses_[{variable, accessed(instruction)->getType()}].push_back(&instruction);
    } else if (auto load = matchLoad(&instruction)) {
      note(load->call, {{load->type.rows, load->type.columns}, true});
    } else if (auto store = matchStore(&instruction)) {
      take(store->matrix, {store->type.rows, store->type.columns});
    } else if (auto transpose = matchTranspose(&instruction)) {
      take(transpose->matrix, {transpose->type.rows, transpose->type.columns});
      note(transpose->call, {{transpose->type.columns, transpose->type.rows}, true});
    } else if (auto mul_add = matchMulAdd(&instruction)) {
      const MulAdd& op = mul_add->op;
      take(mul_add->a, {op.m, op.k});
      take(mul_add->b, {op.k, op.n});
      take(mul_add->c, {op.m, op.n});
      note(mul_add->call, {{op.m, op.n}, true});
    }
  }
  while (!pending_.empty()) {
    Value* value = pending_.pop_back_val();
    spread(*value, known_.lookup(value));
  }
  for (auto& [value, size] : taken_) {
    const Known known = known_.lookup(value);
    if (known.is_made && differ(known.size, size)) conflicts_.push_back({value, known.size, size});
  }
}

void MatrixValues::note(Value* value, Known as) {
  if (llvm::isa<llvm::Constant>(value)) return;
  auto [found, is_new] = known_.try_emplace(value, as);
  Known& before = found->second;
  if (before.is_made && as.is_made && differ(before.size, as.size))
    conflicts_.push_back({value, before.size, as.size});
  const bool tells_more =
      (as.is_made && !before.is_made) || (before.size == MatrixSize{} && as.size != MatrixSize{});
  if (!is_new && !tells_more) return;
  before = as;
  pending_.push_back(value);
}

void MatrixValues::take(Value* value, MatrixSize size) {
  taken_.emplace_back(value, size);
  note(value, {size});
}

// What it is made of need not be made as a matrix, and what it is part of is, if it is.
void MatrixValues::spread(Value& value, Known as) {
  if (auto* instruction = llvm::dyn_cast<Instruction>(&value)) {
    if (joins(*instruction)) spreadTo(*instruction, {as.size});
    if (accessed(*instruction) != nullptr) spreadInMemory(*instruction);
  }
  for (llvm::User* user : value.users()) {
    auto& instruction = *llvm::cast<Instruction>(user);
    if (joins(instruction) && hasElementsOf(instruction, value)) {
      note(&instruction, as);
      spreadTo(instruction, {as.size});
    }
    if (accessed(instruction) == &value) spreadInMemory(instruction);
  }
}

void MatrixValues::spreadTo(Instruction& instruction, Known as) {
  for (Value* operand : instruction.operands())
    if (hasElementsOf(*operand, instruction)) note(operand, as);
}

// A structure may have matrices of other sizes as well: what spreads is that they are matrices.
void MatrixValues::spreadInMemory(Instruction& access) {
  const Value* variable = variableOf(access);
  if (variable == nullptr) return;
  const Memory memory{variable, accessed(access)->getType()};
  if (!memory_.insert(memory).second) return;
  for (Instruction* other : accesses_.lookup(memory)) note(accessed(*other), {});
}

std::optional<MatrixSize> MatrixValues::sizeOf(const Value* value) const {
  auto found = known_.find(value);
  if (found == known_.end()) return std::nullopt;
  return found->second.size;
}

bool MatrixValues::isWhole(const Instruction& access) const {
  return memory_.contains({variableOf(access), llvm::getLoadStoreType(&access)});
}

}  // namespace jit::coopmat

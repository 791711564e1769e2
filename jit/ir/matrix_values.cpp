// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/matrix_values.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

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

bool hasElementsOf(const Value& one, const Value& other) {
  auto* a = llvm::dyn_cast<llvm::FixedVectorType>(one.getType());
  auto* b = llvm::dyn_cast<llvm::FixedVectorType>(other.getType());
  return a != nullptr && b != nullptr && a->getNumElements() == b->getNumElements();
}

}  // namespace

MatrixValues::MatrixValues(llvm::Function& function) {
  for (Instruction& instruction : llvm::instructions(function)) {
    if (accessed(instruction) != nullptr) {
      if (const Value* variable = variableOf(instruction))
        accesses_[{variable, accessed(instruction)->getType()}].push_back(&instruction);
    } else if (auto load = matchLoad(&instruction)) {
      note(load->call, {load->type.rows, load->type.columns});
    } else if (auto store = matchStore(&instruction)) {
      note(store->matrix, {store->type.rows, store->type.columns});
    } else if (auto transpose = matchTranspose(&instruction)) {
      note(transpose->matrix, {transpose->type.rows, transpose->type.columns});
      note(transpose->call, {transpose->type.columns, transpose->type.rows});
    } else if (auto mul_add = matchMulAdd(&instruction)) {
      const MulAdd& op = mul_add->op;
      note(mul_add->a, {op.m, op.k});
      note(mul_add->b, {op.k, op.n});
      note(mul_add->c, {op.m, op.n});
      note(mul_add->call, {op.m, op.n});
    }
  }
  while (!pending_.empty()) {
    Value* value = pending_.pop_back_val();
    spread(*value, sizes_.lookup(value));
  }
}

void MatrixValues::note(Value* value, MatrixSize size) {
  if (llvm::isa<llvm::Constant>(value)) return;
  auto [known, is_new] = sizes_.try_emplace(value, size);
  MatrixSize& before = known->second;
  if (is_new || (before == MatrixSize{} && before != size)) {
    before = size;
    pending_.push_back(value);
  } else if (before != size && size != MatrixSize{} && !(isLine(before) && isLine(size))) {
    conflicts_.push_back({value, before, size});
  }
}

void MatrixValues::spread(Value& value, MatrixSize size) {
  if (auto* instruction = llvm::dyn_cast<Instruction>(&value)) {
    if (joins(*instruction)) spreadTo(*instruction, size);
    if (accessed(*instruction) != nullptr) spreadInMemory(*instruction);
  }
  for (llvm::User* user : value.users()) {
    auto& instruction = *llvm::cast<Instruction>(user);
    if (joins(instruction) && hasElementsOf(instruction, value)) spreadTo(instruction, size);
    if (accessed(instruction) == &value) spreadInMemory(instruction);
  }
}

void MatrixValues::spreadTo(Instruction& instruction, MatrixSize size) {
  note(&instruction, size);
  for (Value* operand : instruction.operands())
    if (hasElementsOf(*operand, instruction)) note(operand, size);
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
  auto found = sizes_.find(value);
  if (found == sizes_.end()) return std::nullopt;
  return found->second;
}

bool MatrixValues::isWhole(const Instruction& access) const {
  return memory_.contains({variableOf(access), llvm::getLoadStoreType(&access)});
}

}  // namespace jit::coopmat

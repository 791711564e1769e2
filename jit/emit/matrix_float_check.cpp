// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/matrix_float_check.h"

#include <llvm/IR/Constants.h>

#include <cstddef>

#include "jit/emit/check_site.h"
#include "jit/emit/float_check.h"
#include "jit/emit/leafwise.h"
#include "jit/ir/symbols.h"

namespace jit::spirv {

using rt::CheckedNumber;
using rt::MatrixUse;
using rt::NumberRule;

namespace {

MatrixUse useOf(const Type& matrix) {
  using Use = spv::CooperativeMatrixUse;
  if (!matrix.use) return MatrixUse::Any;
  return *matrix.use == Use::MatrixAKHR   ? MatrixUse::A
         : *matrix.use == Use::MatrixBKHR ? MatrixUse::B
                                          : MatrixUse::Accumulator;
}

// The functions write to `written` alone of what they are given.
void callNoting(Emission& e, const char* function, llvm::ArrayRef<llvm::Value*> arguments,
                llvm::Value* written, llvm::MemoryEffects effects) {
  llvm::SmallVector<llvm::Type*, 9> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::CallInst* call = e.ir.CreateCall(
      runtimeFunction(e.output(), function, e.ir.getVoidTy(), types, effects), arguments);
  for (unsigned a = 0; a < arguments.size(); ++a)
    if (types[a]->isPointerTy() && arguments[a] != written)
      call->addParamAttr(a, llvm::Attribute::ReadOnly);
}

// Numbers of matrices, one matrix behind the other, and one number of a scalar.
class MatrixNumbers {
 public:
  MatrixNumbers(Emission& e, const Type& matrix) : e_(e), matrix_(matrix) {}

  void add(const Value& value, uint8_t operand) {
    const bool is_matrix = value.type->kind == TypeKind::CooperativeMatrix;
    llvm::Value* leaf = is_matrix ? value.leaves[0] : e_.simt.uniform(value.leaves[0]);
    leaves_.push_back({leaf,
                       {.offset = static_cast<uint32_t>(bytes_),
                        .format = formatOf(*value.type->scalar()),
                        .varies = static_cast<uint8_t>(is_matrix ? 1 : 0),
                        .operand = operand,
                        .component = 0}});
    bytes_ +=
        (uint64_t{rt::bytesOf(leaves_.back().number.format)} * (is_matrix ? lanes() : 1) + 63) /
        64 * 64;
  }

  uint32_t lanes() const { return matrix_.rows * matrix_.columns * e_.copiesOf(matrix_); }

  void call(rt::CheckedOperation operation, llvm::StringRef name, llvm::StringRef instruction,
            llvm::Value* noted) const {
    auto& ir = e_.ir;
    operation.lanes = lanes();
    operation.use = static_cast<uint8_t>(useOf(matrix_));
    operation.rows = static_cast<uint16_t>(matrix_.rows);
    operation.columns = static_cast<uint16_t>(matrix_.columns);
    llvm::Value* numbers = e_.staging(bytes_);
    for (const NumberLeaf& leaf : leaves_)
      ir.CreateAlignedStore(leaf.value,
                            ir.CreateConstGEP1_64(ir.getInt8Ty(), numbers, leaf.number.offset),
                            llvm::Align(64));
    callNoting(e_, "tessera.check_matrix_numbers",
               {e_.dispatch_args, checkSite(e_, 0, instruction), e_.workgroup_id[0],
                e_.workgroup_id[1], e_.workgroup_id[2], checkedSubgroup(e_), noted, numbers,
                describeOperation(e_, operation, leaves_, name)},
               noted, llvm::MemoryEffects::inaccessibleOrArgMemOnly());
  }

 private:
  Emission& e_;
  const Type& matrix_;
  uint64_t bytes_ = 0;
  llvm::SmallVector<NumberLeaf, 4> leaves_;
};

}  // namespace

llvm::Value* MatrixFloatCheck::noted() const {
  constexpr unsigned kWords = sizeof(rt::MatrixNotes) / sizeof(uint64_t);
  return checkSlot(e_, llvm::ArrayType::get(e_.ir.getInt64Ty(), kWords), 5);
}

void MatrixFloatCheck::begin() const {
  if (!e_.module.notes_sums) return;
  auto& ir = e_.ir;
  if (e_.module.notes_lazily) {
    callNoting(e_, "tessera.begin_notes", {e_.dispatch_args, noted()}, noted(),
               llvm::MemoryEffects::argMemOnly());
    return;
  }
  ir.CreateMemSet(noted(), ir.getInt8(0), sizeof(rt::MatrixNotes), llvm::Align(8));
  ir.CreateStore(ir.getInt64(1), ir.CreateConstGEP1_64(ir.getInt8Ty(), noted(),
                                                       offsetof(rt::MatrixNotes, has_all)));
}

bool MatrixFloatCheck::notes(const Type& matrix) const {
  if (matrix.element->kind != TypeKind::Float) return false;
  const MatrixUse use = useOf(matrix);
  const bool is_operand = use == MatrixUse::A || use == MatrixUse::B;
  return is_operand ? e_.module.notes_operands : e_.module.notes_sums;
}

void MatrixFloatCheck::load(const Type& matrix, llvm::Value* base, llvm::Value* stride_bytes,
                            llvm::Value* limit_bytes, bool by_columns) const {
  if (!FloatCheck(e_).isOn() || !notes(matrix)) return;
  const rt::NotedForm form{.lines = by_columns ? matrix.columns : matrix.rows,
                           .length = by_columns ? matrix.rows : matrix.columns,
                           .format = formatOf(*matrix.element),
                           .by_columns = by_columns,
                           .use = useOf(matrix),
                           .is_lazy = e_.module.notes_lazily};
  llvm::Value* noted = this->noted();
  // It does nothing else, so that loops of products may still share what they read.
  callNoting(e_, "tessera.note_matrix",
             {noted, base, limit_bytes, stride_bytes, e_.ir.getInt64(form.pack())}, noted,
             llvm::MemoryEffects::argMemOnly());
}

llvm::Error MatrixFloatCheck::mark(const Instruction& i, NumberRule rule) const {
  llvm::Expected<Value> matrix = e_.value(i.operands[0]);
  if (!matrix) return matrix.takeError();
  rt::CheckedOperation operation{};
  operation.rule = rule;
  operation.is_noted = e_.module.notes_operands ? 1 : 0;
  MatrixNumbers numbers(e_, *matrix->type);
  numbers.add(*matrix, CheckedNumber::kResult);
  numbers.call(operation, {}, "OpCooperativeMatrixMulAddKHR", noted());
  return llvm::Error::success();
}

llvm::Error MatrixFloatCheck::sum(const Instruction& i) const { return mark(i, NumberRule::Sums); }
llvm::Error MatrixFloatCheck::note(const Instruction& i) const { return mark(i, NumberRule::Note); }

llvm::Error MatrixFloatCheck::after(const Instruction& i, const FloatRule* rule) const {
  const bool is_of_result = rule != nullptr && rule->rule == NumberRule::Result;
  if (rule == nullptr || (is_of_result && i.type->element->kind != TypeKind::Float))
    return llvm::Error::success();
  llvm::Expected<Value> result = e_.value(i.result);
  if (!result) return result.takeError();
  const bool transposes = e_.module.decorated(i.result).transposes;
  MatrixNumbers numbers(e_, *i.type);
  bool changes_use = transposes;
  uint8_t number = 0;
  for (Id id : checkedOperands(e_.module, i)) {
    llvm::Expected<Value> operand = e_.value(id);
    if (!operand) return operand.takeError();
    const bool is_matrix = operand->type->kind == TypeKind::CooperativeMatrix;
    // Each subgroup has its own.
    if (!is_matrix && e_.copiesOf(*i.type) > 1 && e_.simt.isVarying(operand->leaves[0]))
      return llvm::Error::success();
    changes_use |= is_matrix && operand->type->use != i.type->use;
    numbers.add(*operand, number++);
  }
  if (neverLeavesRange(e_, i) && !(changes_use && notes(*i.type))) return llvm::Error::success();
  if (is_of_result) numbers.add(*result, CheckedNumber::kResult);
  rt::CheckedOperation operation{};
  operation.rule = rule->rule;
  operation.is_infix = rule->is_infix ? 1 : 0;
  // Elements of a transpose stand elsewhere than those that they follow from.
  operation.crosses_lanes = transposes ? 1 : 0;
  operation.target = formatOf(*i.type->element);
  numbers.call(operation, rule->name, {},
               notes(*i.type) ? noted() : llvm::ConstantPointerNull::get(e_.ir.getPtrTy()));
  return llvm::Error::success();
}

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/mark_sums.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include "jit/spirv/internal_ops.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

bool isMulAdd(const Instruction& i) {
  return i.op == spv::Op::OpCooperativeMatrixMulAddKHR ||
         i.op == spv::Op::OpCooperativeMatrixMulAddNV;
}

bool isFloatMatrix(const Type* type) {
  return type != nullptr && type->kind == TypeKind::CooperativeMatrix &&
         type->element->kind == TypeKind::Float;
}

// Bits of the exponent of a float's type.
uint32_t exponentBits(const Type& scalar) {
  switch (scalar.encoding) {
    case FloatEncoding::BFloat16:
      return 8;
    case FloatEncoding::Float8E4M3:
      return 4;
    case FloatEncoding::Float8E5M2:
      return 5;
    case FloatEncoding::Ieee:
      break;
  }
  return scalar.width == 16 ? 5 : scalar.width == 32 ? 8 : 11;
}

// Whether all bits of the exponent are set, which is no finite number; or one of the largest.
bool mayBeNonFinite(const Type& scalar, uint64_t bits) {
  const uint32_t mantissa = scalar.width - 1 - exponentBits(scalar);
  const uint64_t mask = ((uint64_t{1} << exponentBits(scalar)) - 1) << mantissa;
  return (bits & mask) == mask;
}

class Marking {
 public:
  explicit Marking(Module& module) : module_(module), blocks_(module.entry.blocks) {}

  void run() {
    findTypes();
    if (!module_.notes_sums) return;
    findComponentAccesses();
    while (propagate()) continue;
    for (const Block& block : blocks_) results_.push_back(marked(block));
    for (auto&& [block, instructions] : llvm::zip_equal(blocks_, results_))
      block.instructions = std::move(instructions);
    noteConstants();
    words_.moveTo(module_.words);
  }

 private:
  template <typename Body>
  void forEach(Body body) {
    for (const Block& block : blocks_)
      for (const Instruction& i : block.instructions) body(i);
  }

  const Type* typeOf(Id id) const {
    if (const Constant* constant = module_.constant(id)) return constant->type;
    return types_.lookup(id);
  }

  void findTypes() {
    for (const auto* variables : {&module_.variables, &module_.entry.variables}) {
      for (const Variable& v : *variables) {
        types_[v.id] = v.type;
        if (v.storage == spv::StorageClass::Function || v.storage == spv::StorageClass::Private)
          own_.insert(v.id);
      }
    }
    forEach([&](const Instruction& i) {
      if (i.result != 0) types_[i.result] = i.type;
      if (const Id base = baseOf(i)) bases_[i.result] = base;
    });
    forEach([&](const Instruction& i) {
      if (!isMulAdd(i) || !isFloatMatrix(i.type)) return;
      module_.notes_sums = true;
      for (size_t k = 0; k < 2; ++k) {
        const Type* operand = typeOf(i.operands[k]);
        if (!isFloatMatrix(operand)) continue;
        // Products of what has fewer bits of exponent stay far from the range's end.
        const uint32_t bits = exponentBits(*operand->element);
        module_.notes_operands |= bits >= exponentBits(*i.type->element);
        // Which machines multiply faster than they look at it.
        module_.notes_lazily |= operand->element->encoding == FloatEncoding::BFloat16;
      }
    });
  }

  // The Function or Private variable that a pointer leads into; 0: none.
  Id variableBehind(Id pointer) const {
    while (pointer != 0 && !own_.contains(pointer)) pointer = bases_.lookup(pointer);
    return pointer;
  }

  bool stepsIntoMatrix(const Instruction& chain) const {
    if (chain.op == opcode(InternalOp::MatrixElementPointer)) return true;
    if (!isAccessChain(chain.op)) return false;
    const Type* base = typeOf(baseOf(chain));
    const Type* at = base == nullptr ? nullptr : base->element;
    for (size_t k = 1; k < chain.operands.size() && at != nullptr; ++k) {
      if (at->kind == TypeKind::CooperativeMatrix) return true;
      if (at->kind != TypeKind::Struct) {
        at = at->element;
        continue;
      }
      const Constant* index = module_.constant(chain.operands[k]);
      if (index == nullptr || index->leaves[0] >= at->members.size()) return false;
      at = at->members[index->leaves[0]].type;
    }
    return false;
  }

  void findComponentAccesses() {
    forEach([&](const Instruction& i) {
      if (stepsIntoMatrix(i))
        if (const Id variable = variableBehind(baseOf(i))) by_component_.insert(variable);
    });
  }

  const Instruction* sumOf(Id id) const { return sums_.lookup(id); }

  bool setSum(Id id, const Instruction* sum) {
    return id != 0 && sum != nullptr && sums_.try_emplace(id, sum).second;
  }

  // Whether the instruction hands on what it has, and looks at nothing of it.
  bool passesOn(const Instruction& i) const {
    switch (i.op) {
      case spv::Op::OpPhi:
      case spv::Op::OpCopyObject:
      case spv::Op::OpCopyLogical:
      case spv::Op::OpSelect:
        return holdsMatrix(i.type);
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpCompositeExtract:
      case spv::Op::OpCompositeInsert:  // into and out of arrays of matrices
        return holdsMatrix(i.type) && !(i.type->kind == TypeKind::CooperativeMatrix &&
                                        i.op != spv::Op::OpCompositeExtract);
      default:
        return false;
    }
  }

  // A variable from which whole matrices are loaded that were stored as a whole; 0: none.
  Id wholeVariable(Id pointer) const {
    const Id variable = variableBehind(pointer);
    return by_component_.contains(variable) ? 0 : variable;
  }

  bool propagate() {
    bool changed = false;
    forEach([&](const Instruction& i) {
      if (isMulAdd(i) && isFloatMatrix(i.type)) {
        changed |= setSum(i.result, &i);
      } else if (passesOn(i)) {
        for (Id id : valueOperands(i)) changed |= setSum(i.result, sumOf(id));
      } else if (i.op == spv::Op::OpStore) {
        changed |= setSum(wholeVariable(i.operands[0]), sumOf(i.operands[1]));
      } else if (i.op == spv::Op::OpLoad && holdsMatrix(i.type)) {
        changed |= setSum(i.result, sumOf(wholeVariable(i.operands[0])));
      }
    });
    return changed;
  }

  // Whether operand number `k` of those that are values is used for more than the next sum.
  bool looksAt(const Instruction& i, size_t k) const {
    if (passesOn(i) || (isMulAdd(i) && k == 2)) return false;
    return i.op != spv::Op::OpStore || wholeVariable(i.operands[0]) == 0;
  }

  // Whether matrices come to be here of which nothing is known yet.
  bool makes(const Instruction& i) const {
    if (!isFloatMatrix(i.type)) return false;
    const bool is_operand = i.type->use == spv::CooperativeMatrixUse::MatrixAKHR ||
                            i.type->use == spv::CooperativeMatrixUse::MatrixBKHR;
    if (is_operand && !module_.notes_operands) return false;
    switch (i.op) {
      case spv::Op::OpCooperativeMatrixConvertUseEXT:
      case spv::Op::OpCooperativeMatrixTransposeNV:
      case spv::Op::OpCooperativeMatrixLoadTensorNV:
      case spv::Op::OpBitcast:
      case spv::Op::OpCompositeInsert:
        return true;
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpCompositeConstructReplicateEXT: {
        const Constant* filling = module_.constant(i.operands[0]);
        return filling == nullptr || mayBeNonFinite(*i.type->element, filling->leaves[0]);
      }
      case spv::Op::OpLoad:
        return wholeVariable(i.operands[0]) == 0;
      default:
        return i.op == opcode(InternalOp::MatrixBroadcast) ||
               i.op == opcode(InternalOp::MatrixTranspose);
    }
  }

  Instruction mark(InternalOp op, Id matrix, const Instruction& of) {
    return {.op = opcode(op),
            .operands = words_.copy({matrix}),
            .word = of.word,
            .location = of.location};
  }

  std::vector<Instruction> marked(const Block& block) {
    std::vector<Instruction> marked;
    llvm::DenseSet<Id> seen;
    for (const Instruction& i : block.instructions) {
      for (const auto& [k, id] : llvm::enumerate(valueOperands(i))) {
        const Instruction* sum = sumOf(id);
        if (sum == nullptr || !isFloatMatrix(typeOf(id)) || !looksAt(i, k)) continue;
        if (seen.insert(id).second) marked.push_back(mark(InternalOp::CheckSum, id, *sum));
      }
      marked.push_back(i);
      if (makes(i)) marked.push_back(mark(InternalOp::NoteMatrix, i.result, i));
    }
    return marked;
  }

  // Constants are there from the start.
  void noteConstants() {
    std::vector<Instruction>& first = blocks_[0].instructions;
    if (first.empty()) return;
    for (const auto& [id, constant] : module_.constants)
      if (isFloatMatrix(constant.type) && !constant.leaves.empty() &&
          mayBeNonFinite(*constant.type->element, constant.leaves[0]))
        first.insert(first.begin(), mark(InternalOp::NoteMatrix, id, first.front()));
  }

  Module& module_;
  std::vector<Block>& blocks_;
  llvm::DenseMap<Id, const Type*> types_;
  llvm::DenseMap<Id, Id> bases_;
  llvm::DenseSet<Id> own_;           // Function and Private variables
  llvm::DenseSet<Id> by_component_;  // of those, whose matrices' components are accessed
  // Of values and variables that hold results of multiply-adds: one of these.
  llvm::DenseMap<Id, const Instruction*> sums_;
  std::vector<std::vector<Instruction>> results_;  // the instructions of each block
  WordArena words_;
};

}  // namespace

void markSums(Module& module) { Marking(module).run(); }

}  // namespace jit::spirv

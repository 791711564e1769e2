// SPDX-License-Identifier: Apache-2.0

// Makes the instructions of shadows, block by block. Internal to jit/spirv (shadow_values.h).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "jit/spirv/internal_ops.h"
#include "jit/spirv/shadow_rules.h"
#include "jit/spirv/shadow_state.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

class ShadowPass {
 public:
  ShadowPass(Module& module, const KernelRequest& request);
  void run();

 private:
  using Ids = llvm::SmallVector<Id, 8>;
  // A matrix in a variable of an invocation, as whose component a pointer leads: its planes'
  // places.
  struct MatrixPlace {
    std::array<Id, kShadowPlanes> at{};
    const Type* matrix = nullptr;
  };

  // --- shadow_pass.cpp
  void declare(std::vector<Variable>& variables);
  void rewrite(Block& block);
  void visit(const Instruction& i);
  void keep(const Instruction& i) { out_.push_back(i); }
  // Instructions beside the current one, of its line. The result's id, where there is one.
  Id emit(spv::Op op, const Type* type, llvm::ArrayRef<uint32_t> operands);
  Id emit(InternalOp op, const Type* type, llvm::ArrayRef<uint32_t> operands) {
    return emit(opcode(op), type, operands);
  }
  // The shadow of a value in a plane; 0: all of it is defined.
  Id shadow(Id id, unsigned plane = kBitsPlane);
  Id shadowOrZero(Id id, unsigned plane = kBitsPlane);
  const Type* shadowType(const Type* type, unsigned plane = kBitsPlane) {
    return types_.of(type, plane);
  }
  const Type* typeOf(Id id) const { return state_->typeOf(id); }
  void set(const Instruction& i, unsigned plane, Id id);
  void set(const Instruction& i, Id id) { set(i, kBitsPlane, id); }
  // With all bits of a component of `type` that any of some shadows has one in; 0s are left out.
  Id any(const Type* type, llvm::ArrayRef<Id> shadows);
  Id joined(const Type* type, llvm::ArrayRef<Id> shadows);
  Id either(spv::Op op, const Type* type, Id a, Id b);  // a op b; 0 stands for nothing
  Id orOf(const Type* type, Id a, Id b);                // integers or booleans
  bool chosen(rt::Decision decision) const { return request_.undefined_decisions.has(decision); }
  // `condition`: a boolean, or the rows and columns of a matrix.
  void report(rt::Decision decision, Id condition, Id variable, bool together = false);
  void completePhis();
  llvm::SmallVector<Id, 8> operandShadows(const Instruction& i, unsigned plane = kBitsPlane);
  const Instruction* definition(Id id) const;

  // --- shadow_arithmetic.cpp
  void visitInteger(const Instruction& i, ShadowRule rule);
  void visitBoolean(const Instruction& i, ShadowRule rule);
  void visitSelect(const Instruction& i);
  Id andOf(const Instruction& i, const Type* type, bool is_or);
  Id comparison(const Instruction& i, bool is_signed);
  void visitGroup(const Instruction& i, ShadowRule rule);
  void visitExtended(const Instruction& i);
  Id sameWith(const Instruction& i, unsigned plane);
  void visitSame(const Instruction& i);
  void visitPhi(const Instruction& i);
  void visitComposite(const Instruction& i, ShadowRule rule);

  // --- shadow_access.cpp
  void visitPointer(const Instruction& i);
  void visitLoad(const Instruction& i);
  void visitStore(const Instruction& i);
  void visitCopy(const Instruction& i);
  void visitCopySized(const Instruction& i);
  void visitLifetime(const Instruction& i);
  void visitAtomic(const Instruction& i, ShadowRule rule);
  Id loadShadow(Id pointer, const Type* type, unsigned plane);
  void storeShadow(Id pointer, const Type* type, llvm::ArrayRef<Id> shadows);
  Id shadowPointer(Id pointer, const Type* type);
  void checkAddress(Id pointer, llvm::ArrayRef<Id> others = {}, bool together = false);
  bool isDevice(Id pointer) const;
  bool isCopy(Id value) const;
  void fold(Id pointer);

  // --- shadow_matrix.cpp
  void visitElementwise(const Instruction& i);
  void visitMatrix(const Instruction& i, ShadowRule rule);
  void visitMulAdd(const Instruction& i);
  void visitMatrixStore(const Instruction& i, size_t value, llvm::ArrayRef<uint32_t> rest);
  void visitTensor(const Instruction& i, ShadowRule rule);
  Id transposed(const Type* type, const Type* from, Id bits);
  Id expanded(const Type* matrix, Id bits, Id rows, Id columns);
  Id matrixShadow(Id value);  // one plane for all; 0: defined

  Module& module_;
  const KernelRequest& request_;
  ShadowTypes types_;
  std::vector<size_t> order_;
  std::optional<ShadowState> state_;
  std::array<std::unordered_map<Id, Id>, kShadowPlanes> shadows_;  // of values
  std::array<std::unordered_map<Id, Id>, kShadowPlanes> places_;   // of pointers into variables
  std::unordered_map<Id, MatrixPlace> matrices_;                   // by such pointers
  struct PhiToComplete {
    const Instruction* phi;
    unsigned plane;
    std::span<uint32_t> operands;
  };
  std::vector<PhiToComplete> phis_;
  std::unordered_map<Id, const Instruction*> definitions_;
  std::vector<std::vector<Instruction>> originals_;  // of blocks
  std::vector<Instruction> out_, out_phis_;
  const Instruction* current_ = nullptr;
  bool has_products_ = false;
  WordArena words_;
};

}  // namespace jit::spirv

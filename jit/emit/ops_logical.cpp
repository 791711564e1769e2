// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.15 "Relational and Logical Instructions".
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"

namespace jit::spirv {

namespace {

using llvm::Error;
using Predicate = llvm::CmpInst::Predicate;

template <Predicate P>
Error emitCompare(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* a, auto* b) { return e.ir.CreateCmp(P, a, b); });
}

template <llvm::Instruction::BinaryOps Op>
Error emitBinary(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* a, auto* b) { return e.ir.CreateBinOp(Op, a, b); });
}

Error emitLogicalNot(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) { return e.ir.CreateNot(a); });
}

// OpAny, OpAll: over the components of one invocation's vector.
template <llvm::Instruction::BinaryOps Op>
Error emitFold(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = e.value(i.operands[0]);
  if (!v) return v.takeError();
  llvm::Value* folded = v->leaves[0];
  for (size_t k = 1; k < v->leaves.size(); ++k) {
    llvm::Value* leaf = v->leaves[k];
    e.simt.unify(folded, leaf);
    folded = e.ir.CreateBinOp(Op, folded, leaf);
  }
  e.setValue(i, Value{i.type, {folded}});
  return Error::success();
}

Error emitIsNan(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) { return e.ir.CreateFCmpUNO(a, a); });
}

Error emitIsInf(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) {
    llvm::Value* magnitude = e.simt.call(llvm::Intrinsic::fabs, {a});
    return e.ir.CreateFCmpOEQ(magnitude, llvm::ConstantFP::getInfinity(a->getType()));
  });
}

llvm::Value* choose(Emission& e, llvm::Value* condition, llvm::Value* a, llvm::Value* b) {
  if (e.simt.isVarying(condition)) {
    a = e.simt.broadcast(a);
    b = e.simt.broadcast(b);
  } else {
    e.simt.unify(a, b);
  }
  return e.ir.CreateSelect(condition, a, b);
}

Error emitSelect(Emission& e, const Instruction& i) {
  llvm::Expected<Value> condition = e.value(i.operands[0]);
  if (!condition) return condition.takeError();
  llvm::Expected<Value> a = e.value(i.operands[1]);
  if (!a) return a.takeError();
  llvm::Expected<Value> b = e.value(i.operands[2]);
  if (!b) return b.takeError();
  if (a->leaves.size() != b->leaves.size())
    return e.unsupportedAt(i, "operands of different types");
  const bool by_component = condition->leaves.size() > 1;
  Value result{i.type, {}};
  for (size_t k = 0; k < a->leaves.size(); ++k) {
    llvm::Value* c = condition->leaves[by_component ? k : 0];
    // One value of the subgroup, so one decision.
    if (i.type->kind == TypeKind::CooperativeMatrix) c = e.simt.uniform(c);
    result.leaves.push_back(choose(e, c, a->leaves[k], b->leaves[k]));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

using Binary = llvm::Instruction::BinaryOps;

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpAny, emitFold<Binary::Or>},
    {spv::Op::OpAll, emitFold<Binary::And>},
    {spv::Op::OpIsNan, emitIsNan},
    {spv::Op::OpIsInf, emitIsInf},
    {spv::Op::OpLogicalEqual, emitCompare<Predicate::ICMP_EQ>},
    {spv::Op::OpLogicalNotEqual, emitCompare<Predicate::ICMP_NE>},
    {spv::Op::OpLogicalOr, emitBinary<Binary::Or>},
    {spv::Op::OpLogicalAnd, emitBinary<Binary::And>},
    {spv::Op::OpLogicalNot, emitLogicalNot},
    {spv::Op::OpSelect, emitSelect},
    {spv::Op::OpIEqual, emitCompare<Predicate::ICMP_EQ>},
    {spv::Op::OpINotEqual, emitCompare<Predicate::ICMP_NE>},
    {spv::Op::OpUGreaterThan, emitCompare<Predicate::ICMP_UGT>},
    {spv::Op::OpSGreaterThan, emitCompare<Predicate::ICMP_SGT>},
    {spv::Op::OpUGreaterThanEqual, emitCompare<Predicate::ICMP_UGE>},
    {spv::Op::OpSGreaterThanEqual, emitCompare<Predicate::ICMP_SGE>},
    {spv::Op::OpULessThan, emitCompare<Predicate::ICMP_ULT>},
    {spv::Op::OpSLessThan, emitCompare<Predicate::ICMP_SLT>},
    {spv::Op::OpULessThanEqual, emitCompare<Predicate::ICMP_ULE>},
    {spv::Op::OpSLessThanEqual, emitCompare<Predicate::ICMP_SLE>},
    {spv::Op::OpFOrdEqual, emitCompare<Predicate::FCMP_OEQ>},
    {spv::Op::OpFUnordEqual, emitCompare<Predicate::FCMP_UEQ>},
    {spv::Op::OpFOrdNotEqual, emitCompare<Predicate::FCMP_ONE>},
    {spv::Op::OpFUnordNotEqual, emitCompare<Predicate::FCMP_UNE>},
    {spv::Op::OpFOrdLessThan, emitCompare<Predicate::FCMP_OLT>},
    {spv::Op::OpFUnordLessThan, emitCompare<Predicate::FCMP_ULT>},
    {spv::Op::OpFOrdGreaterThan, emitCompare<Predicate::FCMP_OGT>},
    {spv::Op::OpFUnordGreaterThan, emitCompare<Predicate::FCMP_UGT>},
    {spv::Op::OpFOrdLessThanEqual, emitCompare<Predicate::FCMP_OLE>},
    {spv::Op::OpFUnordLessThanEqual, emitCompare<Predicate::FCMP_ULE>},
    {spv::Op::OpFOrdGreaterThanEqual, emitCompare<Predicate::FCMP_OGE>},
    {spv::Op::OpFUnordGreaterThanEqual, emitCompare<Predicate::FCMP_UGE>},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> logicalOps() { return kRows; }

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// GLSL.std.450: vectors and matrices.
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/ext_glsl450.h"

namespace jit::spirv {

namespace {

using llvm::Error;

struct Builder {
  Emission& e;
  llvm::Value* pair(llvm::Value* a, llvm::Value* b, llvm::Instruction::BinaryOps op) {
    e.simt.unify(a, b);
    return e.ir.CreateBinOp(op, a, b);
  }
  llvm::Value* add(llvm::Value* a, llvm::Value* b) { return pair(a, b, llvm::Instruction::FAdd); }
  llvm::Value* sub(llvm::Value* a, llvm::Value* b) { return pair(a, b, llvm::Instruction::FSub); }
  llvm::Value* mul(llvm::Value* a, llvm::Value* b) { return pair(a, b, llvm::Instruction::FMul); }
  llvm::Value* div(llvm::Value* a, llvm::Value* b) { return pair(a, b, llvm::Instruction::FDiv); }
  llvm::Value* sqrt(llvm::Value* a) { return e.simt.call(llvm::Intrinsic::sqrt, {a}); }
  llvm::Value* dot(const Value& a, const Value& b) {
    llvm::Value* sum = mul(a.leaves[0], b.leaves[0]);
    for (size_t k = 1; k < a.leaves.size(); ++k) sum = add(sum, mul(a.leaves[k], b.leaves[k]));
    return sum;
  }
  llvm::Value* choose(llvm::Value* condition, llvm::Value* a, llvm::Value* b) {
    e.simt.unify(a, b);
    if (e.simt.isVarying(condition)) {
      a = e.simt.broadcast(a);
      b = e.simt.broadcast(b);
    }
    return e.ir.CreateSelect(condition, a, b);
  }
};

llvm::Expected<llvm::SmallVector<Value, 3>> operands(Emission& e, const Instruction& i,
                                                     size_t count) {
  llvm::SmallVector<Value, 3> values;
  for (size_t n = 0; n < count; ++n) {
    llvm::Expected<Value> v = operand(e, i, n);
    if (!v) return v.takeError();
    values.push_back(std::move(*v));
  }
  return values;
}

Error emitLength(Emission& e, const Instruction& i) {
  auto v = operands(e, i, 1);
  if (!v) return v.takeError();
  Builder b{e};
  const Value& x = (*v)[0];
  llvm::Value* length = x.leaves.size() == 1 ? e.simt.call(llvm::Intrinsic::fabs, {x.leaves[0]})
                                             : b.sqrt(b.dot(x, x));
  e.setValue(i, Value{i.type, {length}});
  return Error::success();
}

Error emitDistance(Emission& e, const Instruction& i) {
  auto v = operands(e, i, 2);
  if (!v) return v.takeError();
  Builder b{e};
  Value difference{(*v)[0].type, {}};
  for (size_t k = 0; k < (*v)[0].leaves.size(); ++k)
    difference.leaves.push_back(b.sub((*v)[0].leaves[k], (*v)[1].leaves[k]));
  e.setValue(i, Value{i.type, {b.sqrt(b.dot(difference, difference))}});
  return Error::success();
}

Error emitCross(Emission& e, const Instruction& i) {
  auto v = operands(e, i, 2);
  if (!v) return v.takeError();
  Builder b{e};
  const auto &x = (*v)[0].leaves, &y = (*v)[1].leaves;
  Value result{i.type, {}};
  for (size_t k = 0; k < 3; ++k) {
    const size_t m = (k + 1) % 3, n = (k + 2) % 3;
    result.leaves.push_back(b.sub(b.mul(x[m], y[n]), b.mul(y[m], x[n])));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitNormalize(Emission& e, const Instruction& i) {
  auto v = operands(e, i, 1);
  if (!v) return v.takeError();
  Builder b{e};
  const Value& x = (*v)[0];
  llvm::Value* length = b.sqrt(b.dot(x, x));
  Value result{i.type, {}};
  for (llvm::Value* leaf : x.leaves) result.leaves.push_back(b.div(leaf, length));
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitFaceForward(Emission& e, const Instruction& i) {
  auto v = operands(e, i, 3);
  if (!v) return v.takeError();
  Builder b{e};
  llvm::Value* d = b.dot((*v)[2], (*v)[1]);
  llvm::Value* keep = e.ir.CreateFCmpOLT(d, floatLike(d, 0.0));
  Value result{i.type, {}};
  for (llvm::Value* leaf : (*v)[0].leaves)
    result.leaves.push_back(e.floatResult(b.choose(keep, leaf, e.ir.CreateFNeg(leaf))));
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitReflect(Emission& e, const Instruction& i) {
  auto v = operands(e, i, 2);
  if (!v) return v.takeError();
  Builder b{e};
  const Value &incident = (*v)[0], &normal = (*v)[1];
  llvm::Value* d = b.dot(normal, incident);
  llvm::Value* twice = e.ir.CreateFMul(floatLike(d, 2.0), d);
  Value result{i.type, {}};
  for (size_t k = 0; k < incident.leaves.size(); ++k)
    result.leaves.push_back(b.sub(incident.leaves[k], b.mul(twice, normal.leaves[k])));
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitRefract(Emission& e, const Instruction& i) {
  auto v = operands(e, i, 3);
  if (!v) return v.takeError();
  Builder b{e};
  const Value &incident = (*v)[0], &normal = (*v)[1];
  llvm::Value* eta = (*v)[2].leaves[0];
  if (eta->getType()->getScalarType() != normal.leaves[0]->getType()->getScalarType())
    return e.unsupportedAt(i, "eta of another type than the vectors");
  llvm::Value* d = b.dot(normal, incident);
  llvm::Value* one = floatLike(d, 1.0);
  llvm::Value* k = b.sub(one, b.mul(b.mul(eta, eta), e.ir.CreateFSub(one, e.ir.CreateFMul(d, d))));
  llvm::Value* total = e.ir.CreateFCmpOLT(k, floatLike(k, 0.0));
  llvm::Value* along = b.add(b.mul(eta, d), b.sqrt(k));
  Value result{i.type, {}};
  for (size_t c = 0; c < incident.leaves.size(); ++c) {
    llvm::Value* bent = b.sub(b.mul(eta, incident.leaves[c]), b.mul(along, normal.leaves[c]));
    result.leaves.push_back(b.choose(total, floatLike(bent, 0.0), bent));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

// The determinant of the matrix less a row and a column, by expansion along its first column.
llvm::Value* minor(Builder& b, const Value& m, size_t n, llvm::ArrayRef<size_t> columns,
                   llvm::ArrayRef<size_t> rows) {
  auto at = [&](size_t c, size_t r) { return m.leaves[c * n + r]; };
  if (columns.size() == 1) return at(columns[0], rows[0]);
  llvm::Value* sum = nullptr;
  for (size_t r = 0; r < rows.size(); ++r) {
    llvm::SmallVector<size_t, 4> rest(rows.begin(), rows.end());
    rest.erase(rest.begin() + static_cast<long>(r));
    llvm::Value* term = b.mul(at(columns[0], rows[r]), minor(b, m, n, columns.drop_front(), rest));
    sum = sum == nullptr ? term : r % 2 == 0 ? b.add(sum, term) : b.sub(sum, term);
  }
  return sum;
}

constexpr size_t kIndices[] = {0, 1, 2, 3};

Error emitDeterminant(Emission& e, const Instruction& i) {
  auto v = operands(e, i, 1);
  if (!v) return v.takeError();
  Builder b{e};
  const size_t n = (*v)[0].type->count;
  auto all = llvm::ArrayRef<size_t>(kIndices, n);
  e.setValue(i, Value{i.type, {minor(b, (*v)[0], n, all, all)}});
  return Error::success();
}

Error emitMatrixInverse(Emission& e, const Instruction& i) {
  auto v = operands(e, i, 1);
  if (!v) return v.takeError();
  Builder b{e};
  const Value& m = (*v)[0];
  const size_t n = m.type->count;
  auto all = llvm::ArrayRef<size_t>(kIndices, n);
  llvm::Value* determinant = minor(b, m, n, all, all);
  auto allBut = [&](size_t left_out) {
    llvm::SmallVector<size_t, 4> others;
    for (size_t k : all)
      if (k != left_out) others.push_back(k);
    return others;
  };
  Value result{i.type, {}};
  for (size_t c = 0; c < n; ++c)
    for (size_t r = 0; r < n; ++r) {
      // The adjugate is transposed.
      llvm::Value* cofactor = minor(b, m, n, allBut(r), allBut(c));
      if ((c + r) % 2 != 0) cofactor = e.ir.CreateFNeg(cofactor);
      result.leaves.push_back(b.div(cofactor, determinant));
    }
  e.setValue(i, std::move(result));
  return Error::success();
}

constexpr ExtendedRow kRows[] = {
    {GLSLstd450Determinant, emitDeterminant},
    {GLSLstd450MatrixInverse, emitMatrixInverse},
    {GLSLstd450Length, emitLength},
    {GLSLstd450Distance, emitDistance},
    {GLSLstd450Cross, emitCross},
    {GLSLstd450Normalize, emitNormalize},
    {GLSLstd450FaceForward, emitFaceForward},
    {GLSLstd450Reflect, emitReflect},
    {GLSLstd450Refract, emitRefract},
};

}  // namespace

llvm::ArrayRef<ExtendedRow> geometricInstructions() { return kRows; }

}  // namespace jit::spirv

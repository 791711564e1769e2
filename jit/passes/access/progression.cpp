// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/progression.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace jit::simt {

namespace {

using namespace llvm::PatternMatch;

constexpr int kMaxDepth = 16;

// Of 32-bit integers that are widened: with it the elements of a vector wrap once at most.
constexpr int64_t kMaxWidenedStep = 1 << 24;

// As the machine does: a step comes from the shader's constants.
int64_t wrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t wrappingMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// Elements on both sides of 2^32, counted from here, are not in one buffer, as all of one are
// within maxStorageBufferRange. What a physical address (an integer) leads to may be larger.
bool startsBuffer(const AddressProgression& address, const llvm::DataLayout& layout) {
  llvm::APInt offset(64, 0);
  const llvm::Value* object =
      address.base->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return !offset.isNegative() && match(address.first, m_Zero()) && address.step == 0 &&
         llvm::isa<llvm::LoadInst, llvm::Argument>(object);
}

}  // namespace

std::optional<Progression> Decomposer::integers(llvm::Value* v, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  if (llvm::Value* splat = llvm::getSplatValue(v)) return Progression{splat, 0};
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(v)) return constants(constant);
  llvm::Value *a = nullptr, *b = nullptr;
  if (match(v, m_Add(m_Value(a), m_Value(b))) || match(v, m_DisjointOr(m_Value(a), m_Value(b)))) {
    auto x = integers(a, depth + 1), y = x ? integers(b, depth + 1) : std::nullopt;
    if (!y) return std::nullopt;
    return Progression{ir_.CreateAdd(x->first, y->first), wrappingAdd(x->step, y->step)};
  }
  if (match(v, m_Sub(m_Value(a), m_Value(b)))) {
    auto x = integers(a, depth + 1), y = x ? integers(b, depth + 1) : std::nullopt;
    if (!y) return std::nullopt;
    return Progression{ir_.CreateSub(x->first, y->first),
                       wrappingAdd(x->step, wrappingMul(y->step, -1))};
  }
  const llvm::APInt* factor = nullptr;
  if (match(v, m_Mul(m_Value(a), m_APInt(factor))) && factor->getSignificantBits() <= 32) {
    auto x = integers(a, depth + 1);
    if (!x) return std::nullopt;
    return Progression{
        ir_.CreateMul(x->first, llvm::ConstantInt::get(x->first->getType(), *factor)),
        wrappingMul(x->step, factor->getSExtValue())};
  }
  if (match(v, m_Shl(m_Value(a), m_APInt(factor))) && factor->ult(31)) {
    auto x = integers(a, depth + 1);
    if (!x) return std::nullopt;
    return Progression{ir_.CreateShl(x->first, factor->getZExtValue()),
                       wrappingMul(x->step, int64_t{1} << factor->getZExtValue())};
  }
  if (match(v, m_Mul(m_Value(a), m_Value(b)))) {
    auto x = integers(a, depth + 1), y = x ? integers(b, depth + 1) : std::nullopt;
    if (!y || x->step != 0 || y->step != 0) return std::nullopt;
    return Progression{ir_.CreateMul(x->first, y->first), 0};
  }
  if (match(v, m_Trunc(m_Value(a)))) {
    auto x = integers(a, depth + 1);
    if (!x) return std::nullopt;
    return Progression{ir_.CreateTrunc(x->first, v->getType()->getScalarType()), x->step};
  }
  if (match(v, m_ZExtOrSExt(m_Value(a)))) return extended(v, a, depth);
  return std::nullopt;
}

std::optional<AddressProgression> Decomposer::addresses(llvm::Value* v, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  if (!v->getType()->isVectorTy()) return AddressProgression{v, ir_.getInt64(0), 0};
  if (llvm::Value* splat = llvm::getSplatValue(v))
    return AddressProgression{splat, ir_.getInt64(0), 0};
  llvm::Value* integer = nullptr;
  if (match(v, m_IntToPtr(m_Value(integer))) && integer->getType()->getScalarSizeInBits() == 64) {
    auto x = integers(integer, depth + 1);
    if (!x) return std::nullopt;
    return AddressProgression{ir_.CreateIntToPtr(x->first, ir_.getPtrTy()), ir_.getInt64(0),
                              x->step};
  }
  auto* gep = llvm::dyn_cast<llvm::GEPOperator>(v);
  if (gep == nullptr || gep->getNumIndices() != 1) return std::nullopt;
  auto base = addresses(gep->getPointerOperand(), depth + 1);
  if (!base) return std::nullopt;
  const llvm::DataLayout& layout = ir_.GetInsertBlock()->getModule()->getDataLayout();
  llvm::Value* index = gep->getOperand(1);
  Progression offset{index, 0};
  if (index->getType()->isVectorTy()) {
    auto* widening = llvm::dyn_cast<llvm::ZExtInst>(index);
    auto x = all_accessed_ && widening && startsBuffer(*base, layout)
                 ? extended(widening, widening->getOperand(0), depth + 1, /*may_wrap=*/false)
                 : integers(index, depth + 1);
    if (!x) return std::nullopt;
    offset = *x;
  }
  const auto size = static_cast<int64_t>(layout.getTypeAllocSize(gep->getSourceElementType()));
  llvm::Value* first = ir_.CreateSExtOrTrunc(offset.first, ir_.getInt64Ty());
  if (size != 1) first = ir_.CreateMul(first, ir_.getInt64(static_cast<uint64_t>(size)));
  return AddressProgression{base->base, ir_.CreateAdd(base->first, first),
                            wrappingAdd(base->step, wrappingMul(offset.step, size))};
}

std::optional<Progression> Decomposer::constants(llvm::Constant* constant) {
  // Of 8 to 64 bits. Other constant vectors of such have an element that is no number, or one only.
  auto* data = llvm::dyn_cast<llvm::ConstantDataVector>(constant);
  if (data == nullptr || !data->getElementType()->isIntegerTy() || data->getNumElements() < 2)
    return std::nullopt;
  const llvm::APInt step = data->getElementAsAPInt(1) - data->getElementAsAPInt(0);
  for (unsigned l = 2; l < data->getNumElements(); ++l)
    if (data->getElementAsAPInt(l) - data->getElementAsAPInt(l - 1) != step) return std::nullopt;
  return Progression{data->getElementAsConstant(0), step.getSExtValue()};
}

// Widening keeps a progression unless the narrow one wraps. An index that wraps around 2^32
// within a subgroup is one of a few below zero: then only the elements behind the wrap lie in
// a buffer, and counting from a negative start gives their addresses.
std::optional<Progression> Decomposer::extended(llvm::Value* v, llvm::Value* narrow, int depth,
                                                bool may_wrap) {
  const unsigned bits = narrow->getType()->getScalarSizeInBits();
  auto x = integers(narrow, depth + 1);
  if (!x) return std::nullopt;
  llvm::Type* wide = v->getType()->getScalarType();
  const bool is_signed = llvm::isa<llvm::SExtInst>(v);
  if (x->step == 0)
    return Progression{is_signed ? ir_.CreateSExt(x->first, wide) : ir_.CreateZExt(x->first, wide),
                       0};
  if (bits < 32 || x->step > kMaxWidenedStep || x->step < -kMaxWidenedStep) return std::nullopt;
  const bool non_negative =
      llvm::isa<llvm::ZExtInst>(v) && llvm::cast<llvm::ZExtInst>(v)->hasNonNeg();
  if (is_signed || non_negative) return Progression{ir_.CreateSExt(x->first, wide), x->step};
  if (x->step < 0) return std::nullopt;
  if (!may_wrap) return Progression{ir_.CreateZExt(x->first, wide), x->step};
  const unsigned count = llvm::cast<llvm::FixedVectorType>(v->getType())->getNumElements();
  const llvm::APInt last =
      llvm::APInt::getMaxValue(bits) - static_cast<uint64_t>(x->step) * (count - 1);
  llvm::Value* wraps =
      ir_.CreateICmpUGT(x->first, llvm::ConstantInt::get(x->first->getType(), last));
  return Progression{
      ir_.CreateSelect(wraps, ir_.CreateSExt(x->first, wide), ir_.CreateZExt(x->first, wide)),
      x->step};
}

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/lane_addresses.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

constexpr int kMostAddressDepth = 8;

int64_t product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
int64_t sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// Takes constants out of `v` * `factor`, a scalar or a vector, into `offset`. `in_objects`: those
// of 32 bits too, which are extended.
ScaledRoot rootOf(Value* v, int64_t factor, bool in_objects, int64_t& offset, int depth = 0) {
  ScaledRoot result{v, factor, false};
  Value* rest = nullptr;
  const llvm::APInt* constant = nullptr;
  if (depth > kMostAddressDepth) return result;
  if (match(v, m_AddLike(m_Value(rest), m_APInt(constant)))) {
    offset = sum(offset, product(constant->getSExtValue(), factor));
    return rootOf(rest, factor, in_objects, offset, depth + 1);
  }
  if (match(v, m_Shl(m_Value(rest), m_APInt(constant))) && constant->ult(32))
    return rootOf(rest, product(factor, int64_t{1} << constant->getZExtValue()), in_objects, offset,
                  depth + 1);
  if (match(v, m_Mul(m_Value(rest), m_APInt(constant))))
    return rootOf(rest, product(factor, constant->getSExtValue()), in_objects, offset, depth + 1);
  if (!match(v, m_ZExtOrSExt(m_Value(rest)))) return result;
  const bool is_signed = llvm::isa<llvm::SExtInst>(v);
  result = {rest, factor, is_signed};
  Value* narrow = nullptr;
  const bool adds = match(rest, m_AddLike(m_Value(narrow), m_APInt(constant)));
  if (!adds) return result;
  // Of what does not wrap around; and of what does not do so alone.
  const bool exact = match(rest, m_DisjointOr(m_Value(), m_Value())) ||
                     (is_signed ? match(rest, m_NSWAdd(m_Value(), m_Value()))
                                : match(rest, m_NUWAdd(m_Value(), m_Value())));
  const bool together = in_objects && rest->getType()->getScalarSizeInBits() == 32;
  if (!exact && !together) return result;
  const int64_t added = exact && !is_signed ? static_cast<int64_t>(constant->getZExtValue())
                                            : constant->getSExtValue();
  offset = sum(offset, product(added, factor));
  result.root = narrow;
  return result;
}

// What constants add in each lane, past lane 0: of addresses that are a constant apart these are
// equal, wherever the constant has been added.
void takeLanes(LaneAddresses& addresses, const llvm::ConstantDataVector& constants) {
  const uint64_t first = constants.getElementAsInteger(0);
  llvm::SmallVector<uint64_t, 64> past;
  for (unsigned l = 0; l < constants.getNumElements(); ++l)
    past.push_back(constants.getElementAsInteger(l) - first);
  addresses.lanes = llvm::cast<llvm::ConstantDataVector>(
      llvm::ConstantDataVector::get(constants.getContext(), past));
  addresses.offset = sum(addresses.offset, static_cast<int64_t>(first));
}

}  // namespace

const Value& objectOf(const Value& pointers) {
  const Value* v = &pointers;
  while (auto* address = llvm::dyn_cast<llvm::GEPOperator>(v)) v = address->getPointerOperand();
  return *v;
}

bool liesInObject(const Value& pointers) {
  const Value& object = objectOf(pointers);
  return !object.getType()->isVectorTy() &&
         llvm::isa<llvm::LoadInst, llvm::Argument, llvm::AllocaInst>(object);
}

LaneAddresses laneAddressesOf(Value* pointers, const llvm::DataLayout& layout, bool in_objects) {
  in_objects = in_objects && liesInObject(*pointers);
  LaneAddresses addresses;
  while (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointers)) {
    if (gep->getNumIndices() != 1 || !gep->getSourceElementType()->isSized()) break;
    Value* index = gep->getOperand(1);
    if (index->getType()->getScalarSizeInBits() != 64) break;
    const auto size = static_cast<int64_t>(layout.getTypeAllocSize(gep->getSourceElementType()));
    const llvm::APInt* constant = nullptr;
    if (match(index, m_APInt(constant))) {
      addresses.offset = sum(addresses.offset, product(constant->getSExtValue(), size));
      pointers = gep->getPointerOperand();
      continue;
    }
    auto* numbers = llvm::dyn_cast<llvm::ConstantDataVector>(index);
    if (numbers != nullptr && size == 1 && addresses.lanes == nullptr) {
      takeLanes(addresses, *numbers);
      pointers = gep->getPointerOperand();
      continue;
    }
    addresses.base = gep->getPointerOperand();
    // The same for all lanes, and constants of each lane, in bytes.
    llvm::Constant* lanes = nullptr;
    Value* rest = nullptr;
    if (size == 1 && addresses.lanes == nullptr &&
        match(index, m_AddLike(m_Value(rest), m_Constant(lanes))) &&
        llvm::isa<llvm::ConstantDataVector>(lanes) && llvm::getSplatValue(lanes) == nullptr) {
      takeLanes(addresses, *llvm::cast<llvm::ConstantDataVector>(lanes));
      index = rest;
    }
    Value* uniform = llvm::getSplatValue(index);
    addresses.uniform =
        rootOf(uniform != nullptr ? uniform : index, size, in_objects, addresses.offset);
    if (index->getType()->isVectorTy() && uniform == nullptr)
      addresses.index = addresses.uniform.root;
    return addresses;
  }
  addresses.base = pointers;
  return addresses;
}

llvm::Value* firstLaneOf(llvm::IRBuilderBase& ir, llvm::Value* pointers) {
  auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointers);
  if (gep == nullptr) return pointers->getType()->isVectorTy() ? nullptr : pointers;
  llvm::Value* base = firstLaneOf(ir, gep->getPointerOperand());
  llvm::Value* index = gep->getOperand(1);
  if (base == nullptr) return nullptr;
  if (index->getType()->isVectorTy()) {
    llvm::Value* rest = nullptr;
    llvm::Constant* lanes = nullptr;
    if (llvm::Value* splat = llvm::getSplatValue(index)) {
      index = splat;
    } else if (auto* numbers = llvm::dyn_cast<llvm::ConstantDataVector>(index)) {
      index = numbers->getElementAsConstant(0);
    } else if (match(index, m_AddLike(m_Value(rest), m_Constant(lanes))) &&
               llvm::getSplatValue(rest) != nullptr) {
      index = ir.CreateAdd(llvm::getSplatValue(rest), lanes->getAggregateElement(0u));
    } else {
      return nullptr;
    }
  }
  return ir.CreateGEP(gep->getSourceElementType(), base, index);
}

}  // namespace jit::simt

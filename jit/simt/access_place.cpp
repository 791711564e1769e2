// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/access_place.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace jit::simt {

using namespace llvm::PatternMatch;

Place placeOf(llvm::Value* pointers, const llvm::DataLayout& layout) {
  int64_t offset = 0;
  while (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointers)) {
    if (gep->getNumIndices() != 1 || !gep->getSourceElementType()->isSized()) break;
    llvm::Value* index = gep->getOperand(1);
    if (index->getType()->getScalarSizeInBits() != 64) break;
    const auto size = static_cast<int64_t>(layout.getTypeAllocSize(gep->getSourceElementType()));
    const llvm::APInt* constant = nullptr;
    if (match(index, m_APInt(constant))) {
      offset += constant->getSExtValue() * size;
      pointers = gep->getPointerOperand();
      continue;
    }
    llvm::Value *rest = nullptr, *narrow = nullptr;
    if (match(index, m_Add(m_Value(rest), m_APInt(constant))) ||
        match(index, m_DisjointOr(m_Value(rest), m_APInt(constant)))) {
      offset += constant->getSExtValue() * size;
      index = rest;
    }
    if (match(index, m_ZExt(m_Value(narrow)))) {
      index = narrow;
      if (match(narrow, m_DisjointOr(m_Value(rest), m_APInt(constant))) ||
          match(narrow, m_NUWAdd(m_Value(rest), m_APInt(constant)))) {
        offset += static_cast<int64_t>(constant->getZExtValue()) * size;
        index = rest;
      }
    }
    return {gep->getPointerOperand(), index, offset};
  }
  return {pointers, nullptr, offset};
}

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/aligned_lanes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include <optional>

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Constant;
using llvm::Instruction;
using llvm::Value;

constexpr int kMaxDepth = 8;

// uniform + offsets, lane by lane: the scalars whose sum is the uniform part, and the rest.
struct Lanes {
  llvm::SmallVector<Value*, 4> uniform;
  Constant* offsets;
};

std::optional<Lanes> decompose(Value* value, int depth = 0) {
  if (auto* constant = llvm::dyn_cast<Constant>(value)) return Lanes{{}, constant};
  if (Value* splat = llvm::getSplatValue(value)) {
    return Lanes{{splat}, Constant::getNullValue(value->getType())};
  }
  Value *a = nullptr, *b = nullptr;
  if (depth > kMaxDepth || !(match(value, m_Add(m_Value(a), m_Value(b))) ||
                             match(value, m_DisjointOr(m_Value(a), m_Value(b))))) {
    return std::nullopt;
  }
  std::optional<Lanes> x = decompose(a, depth + 1);
  std::optional<Lanes> y = x ? decompose(b, depth + 1) : std::nullopt;
  if (!y) return std::nullopt;
  x->uniform.append(y->uniform);
  x->offsets = llvm::ConstantExpr::getAdd(x->offsets, y->offsets);
  return x;
}

// How many low bits hold every offset; nothing when some element is not known.
std::optional<unsigned> offsetBits(const Constant& offsets) {
  unsigned bits = 0;
  auto* type = llvm::cast<llvm::FixedVectorType>(offsets.getType());
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    auto* element = llvm::dyn_cast_or_null<llvm::ConstantInt>(offsets.getAggregateElement(lane));
    if (!element) return std::nullopt;
    bits = std::max(bits, element->getValue().getActiveBits());
  }
  return bits;
}

// uniform + offsets, where the offsets are all in the low `bits` bits, which `uniform` has clear.
struct Aligned {
  Value* uniform;  // scalar, made before the instruction
  Constant* offsets;
};

// `fits`: whether that many bits will do.
std::optional<Aligned> aligned(Instruction& instruction,
                               llvm::function_ref<bool(unsigned bits)> fits) {
  std::optional<Lanes> lanes = decompose(instruction.getOperand(0));
  if (!lanes || lanes->uniform.empty()) return std::nullopt;
  std::optional<unsigned> bits = offsetBits(*lanes->offsets);
  if (!bits || !fits(*bits)) return std::nullopt;
  const llvm::DataLayout& layout = instruction.getDataLayout();
  for (Value* part : lanes->uniform) {
    if (llvm::computeKnownBits(part, layout).countMinTrailingZeros() < *bits) return std::nullopt;
  }
  llvm::IRBuilder<> builder(&instruction);
  Value* uniform = lanes->uniform.front();
  for (Value* part : llvm::drop_begin(lanes->uniform)) uniform = builder.CreateAdd(uniform, part);
  return Aligned{uniform, lanes->offsets};
}

// What a shift or mask makes of such a sum; null for anything else.
Value* shiftedOrMasked(Instruction& instruction) {
  const llvm::APInt* constant = nullptr;
  const bool shift = match(&instruction, m_LShr(m_Value(), m_APInt(constant)));
  if (!shift && !match(&instruction, m_And(m_Value(), m_LowBitMask(constant)))) return nullptr;
  // The offsets stay below what is shifted out, or within what is masked.
  const uint64_t kept = shift ? constant->getLimitedValue() : constant->getActiveBits();
  std::optional<Aligned> lanes = aligned(instruction, [&](unsigned bits) { return bits <= kept; });
  if (!lanes) return nullptr;
  llvm::IRBuilder<> builder(&instruction);
  auto* scalar_constant = llvm::ConstantInt::get(lanes->uniform->getType(), *constant);
  Value* uniform = shift ? builder.CreateLShr(lanes->uniform, scalar_constant)
                         : builder.CreateAnd(lanes->uniform, scalar_constant);
  auto* type = llvm::cast<llvm::FixedVectorType>(instruction.getType());
  Value* result = builder.CreateVectorSplat(type->getNumElements(), uniform);
  return shift ? result : builder.CreateAdd(result, lanes->offsets);
}

// A comparison that the offsets' bits cannot decide, as all lanes have the other bits alike: with a
// limit that has them clear for < and >=, set for > and <=.
Value* comparedAlike(llvm::ICmpInst& compare) {
  Value* limit = llvm::getSplatValue(compare.getOperand(1));
  if (!limit || !compare.isRelational()) return nullptr;
  const llvm::KnownBits known = llvm::computeKnownBits(limit, compare.getDataLayout());
  const auto predicate = compare.getPredicate();
  const bool from_limit = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isGE(predicate);
  const unsigned most = from_limit ? known.countMinTrailingZeros() : known.countMinTrailingOnes();
  std::optional<Aligned> lanes = aligned(compare, [&](unsigned bits) { return bits <= most; });
  if (!lanes) return nullptr;
  llvm::IRBuilder<> builder(&compare);
  auto* type = llvm::cast<llvm::FixedVectorType>(compare.getType());
  return builder.CreateVectorSplat(type->getNumElements(),
                                   builder.CreateICmp(predicate, lanes->uniform, limit));
}

bool simplify(Instruction& instruction) {
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  Value* result = compare ? comparedAlike(*compare) : shiftedOrMasked(instruction);
  if (!result) return false;
  instruction.replaceAllUsesWith(result);
  instruction.eraseFromParent();
  return true;
}

}  // namespace

bool simplifyAlignedLanes(llvm::Function& function) {
  bool changed = false;
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (instruction.getType()->isVectorTy()) changed |= simplify(instruction);
  }
  return changed;
}

}  // namespace jit::simt

// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/lane_groups.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <vector>

#include "jit/passes/access/extension.h"
#include "jit/passes/access/lane_element.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

constexpr unsigned kMostGroups = 8;
constexpr uint64_t kLeastGroupBytes = 16;
constexpr unsigned kMostNested = 16;  // of an expression inside of another
constexpr int64_t kMostGroupStep = 1 << 16;

// By how much a vector grows from lane to lane within each group of `width`, in the lanes of
// `mask`.
class Groups {
 public:
  Groups(unsigned width, const Value* mask, const llvm::DataLayout& layout)
      : width_(width), mask_(mask), layout_(layout) {}

  // Nothing where that is no number, the same one everywhere. What grows in a part that is extended
  // must not wrap around.
  std::optional<int64_t> stepOf(Value* v, Extended extended = Extended::No) {
    v = chosenBy(mask_, v);
    if (!v->getType()->isVectorTy() || llvm::getSplatValue(v) != nullptr) return 0;
    const std::pair key(v, extended);
    auto [known, is_new] = steps_.try_emplace(key, std::nullopt);
    if (!is_new) return known->second;
    std::optional<int64_t> step;
    if (++depth_ <= kMostNested) step = find(v, extended);
    --depth_;
    if (step && (*step > kMostGroupStep || *step < -kMostGroupStep)) step = std::nullopt;
    steps_[key] = step;
    return step;
  }

 private:
  std::optional<int64_t> find(Value* v, Extended extended) {
    if (auto* constants = llvm::dyn_cast<llvm::ConstantDataVector>(v))
      return ofConstants(*constants, extended);
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(v);
    if (instruction == nullptr) return std::nullopt;
    if (isExact(*v, extended))
      if (std::optional<int64_t> step = ofSum(v, extended)) return step;
    Value* narrow = nullptr;
    if (match(v, m_ZExt(m_Value(narrow)))) return stepOf(narrow, Extended::Unsigned);
    // Of an extended negative number the other extension makes a large one.
    if (match(v, m_SExt(m_Value(narrow))) && extended != Extended::Unsigned)
      return stepOf(narrow, Extended::Signed);
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(v)) return ofAddress(*address);
    // What is alike in all lanes of a group makes what is so, whatever it does.
    const bool is_alike =
        isOfElements(*instruction) &&
        llvm::all_of(instruction->operands(), [&](Value* operand) { return stepOf(operand) == 0; });
    return is_alike ? std::optional<int64_t>(0) : std::nullopt;
  }

  std::optional<int64_t> ofSum(Value* v, Extended extended) {
    Value *a = nullptr, *b = nullptr;
    const llvm::APInt* factor = nullptr;
    auto step = [&](Value* of) { return stepOf(of, extended); };
    if (match(v, m_AddLike(m_Value(a), m_Value(b)))) return sum(step(a), step(b), 1);
    if (match(v, m_Sub(m_Value(a), m_Value(b))) && extended == Extended::No)
      return sum(step(a), step(b), -1);
    if (match(v, m_Mul(m_Value(a), m_APInt(factor)))) {
      const std::optional<int64_t> number = factorOf(*factor, extended);
      return number ? sum(0, step(a), *number) : std::nullopt;
    }
    if (match(v, m_Shl(m_Value(a), m_APInt(factor))) && factor->ult(16))
      return sum(0, step(a), int64_t{1} << factor->getZExtValue());
    return std::nullopt;
  }

  static std::optional<int64_t> sum(std::optional<int64_t> a, std::optional<int64_t> b,
                                    int64_t factor) {
    if (!a || !b) return std::nullopt;
    return *a + *b * factor;
  }

  // Of constants, whatever they are from group to group.
  std::optional<int64_t> ofConstants(const llvm::ConstantDataVector& constants,
                                     Extended extended) const {
    if (!constants.getElementType()->isIntegerTy()) return std::nullopt;
    auto difference = [&](unsigned lane) {
      const llvm::APInt from = constants.getElementAsAPInt(lane - 1),
                        to = constants.getElementAsAPInt(lane);
      if (extended == Extended::Unsigned)
        return static_cast<int64_t>(to.getZExtValue() - from.getZExtValue());
      return extended == Extended::Signed ? to.getSExtValue() - from.getSExtValue()
                                          : (to - from).getSExtValue();
    };
    const int64_t step = difference(1);
    for (unsigned lane = 1; lane < constants.getNumElements(); ++lane)
      if (lane % width_ != 0 && difference(lane) != step) return std::nullopt;
    return step;
  }

  std::optional<int64_t> ofAddress(llvm::GetElementPtrInst& address) {
    Value* index = address.getOperand(1);
    if (address.getNumIndices() != 1 || index->getType()->getScalarSizeInBits() != 64)
      return std::nullopt;
    const auto size =
        static_cast<int64_t>(layout_.getTypeAllocSize(address.getSourceElementType()));
    if (size > kMostGroupStep) return std::nullopt;
    return sum(stepOf(address.getPointerOperand()), stepOf(index), size);
  }

  static bool isOfElements(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::CmpInst,
                     llvm::FreezeInst>(instruction) &&
           !llvm::isa<llvm::BitCastInst>(instruction);
  }

  const unsigned width_;
  const Value* const mask_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<std::pair<Value*, Extended>, std::optional<int64_t>> steps_;
  unsigned depth_ = 0;
};

}  // namespace

Value* loadLaneGroups(llvm::IRBuilderBase& ir, const MaskedAccess& access,
                      const llvm::TargetTransformInfo& machine) {
  llvm::FixedVectorType* type = access.type();
  const llvm::DataLayout& layout = ir.GetInsertBlock()->getDataLayout();
  const unsigned lanes = type->getNumElements();
  const uint64_t bytes = layout.getTypeStoreSize(type->getElementType());
  const bool are_all = match(access.mask, m_AllOnes());
  for (unsigned width = lanes / 2;
       width * kMostGroups >= lanes && width * bytes >= kLeastGroupBytes; width /= 2) {
    auto* group = llvm::FixedVectorType::get(type->getElementType(), width);
    if (!are_all && !hasMaskedLoad(machine, group, access.alignment)) continue;
    if (Groups(width, access.mask, layout).stepOf(access.pointers) != static_cast<int64_t>(bytes))
      continue;
    std::vector<Value*> loaded;
    for (unsigned first = 0; first < lanes; first += width) {
      Value* at = LaneElement(ir, first, access.mask).of(access.pointers);
      auto part = [&](Value* of) {
        return ir.CreateShuffleVector(of, llvm::createSequentialMask(first, width, 0));
      };
      if (are_all)
        loaded.push_back(ir.CreateAlignedLoad(group, at, access.alignment));
      else
        loaded.push_back(ir.CreateMaskedLoad(group, at, access.alignment, part(access.mask),
                                             part(access.values)));
    }
    return llvm::concatenateVectors(ir, loaded);
  }
  return nullptr;
}

}  // namespace jit::simt

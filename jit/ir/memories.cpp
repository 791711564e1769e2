// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/memories.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/ir/function_kind.h"
#include "jit/ir/matrix_ops.h"

namespace jit {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned kDispatchArgument = 0;
// Of pointers that are made from pointers: a set's is read in the dispatch, a buffer's in the set.
constexpr int kMostDepth = 4;

Memories memoriesBehind(const llvm::Value& pointer, int depth);

bool hasTheArguments(const llvm::Function& function) {
  const std::optional<FunctionKind> kind = kindOf(function);
  return kind == FunctionKind::Subgroup || kind == FunctionKind::SharedCode;
}

Memories behindArgument(const llvm::Argument& argument) {
  if (!hasTheArguments(*argument.getParent())) return kAnyMemory;
  switch (argument.getArgNo()) {
    case kDispatchArgument:
      return kDispatch;
    case coopmat::kSharedArgument:
      return kWorkgroup;
    case coopmat::kFrameArgument:
      return kFrame;
    default:
      return kAnyMemory;
  }
}

// Nothing else than descriptors and what leads to them has pointers that are not numbers and do not
// change. Where a load moved, LLVM may have dropped that it is one of these.
Memories behindLoad(const llvm::LoadInst& load, int depth) {
  if (!load.getType()->isPointerTy() || !hasTheArguments(*load.getFunction())) return kAnyMemory;
  if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return kDescribed;
  const Memories read = memoriesBehind(*load.getPointerOperand(), depth + 1);
  return (read & ~(kDispatch | kDescribed)) == 0 ? kDescribed : kAnyMemory;
}

Memories behindNumber(const llvm::IntToPtrInst& pointer, int depth) {
  // The word around something, of which jit/passes/access/small_gather.h reads a part.
  llvm::Value* part = nullptr;
  if (match(pointer.getOperand(0), m_And(m_PtrToInt(m_Value(part)), m_Constant())))
    return memoriesBehind(*part, depth + 1);
  return hasTheArguments(*pointer.getFunction()) ? kAddressed : kAnyMemory;
}

Memories behind(const llvm::Value& object, int depth) {
  if (llvm::isa<llvm::AllocaInst>(object)) return kLocalVariables;
  if (auto* data = llvm::dyn_cast<llvm::GlobalVariable>(&object))
    return data->isConstant() ? kConstants : kAnyMemory;
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(&object)) return behindArgument(*argument);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&object)) return behindLoad(*load, depth);
  // One of vectors, which LLVM takes for an object.
  if (auto* address = llvm::dyn_cast<llvm::GEPOperator>(&object))
    return memoriesBehind(*address->getPointerOperand(), depth + 1);
  if (auto* number = llvm::dyn_cast<llvm::IntToPtrInst>(&object))
    return behindNumber(*number, depth);
  return kAnyMemory;
}

Memories memoriesBehind(const llvm::Value& pointer, int depth) {
  if (depth > kMostDepth) return kAnyMemory;
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, 0);
  Memories memories = 0;
  for (const llvm::Value* object : objects) memories |= behind(*object, depth);
  return memories;
}

}  // namespace

Memories memoriesBehind(const llvm::Value& pointer) { return memoriesBehind(pointer, 0); }

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/verify_operations.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/ir/function_kind.h"
#include "jit/ir/kernel_facts.h"
#include "jit/ir/marks.h"
#include "jit/ir/matrix_ops.h"
#include "jit/ir/matrix_values.h"
#include "jit/ir/symbols.h"

namespace jit {
namespace {

using llvm::Instruction;
using llvm::Value;

class Rules {
 public:
  Rules(llvm::Module& module, const KernelFacts& facts) : module_(module), facts_(facts) {}

  std::string broken() {
    for (llvm::Function& function : module_) {
      if (function.isDeclaration()) continue;
      for (Instruction& instruction : llvm::instructions(function)) check(instruction);
      const coopmat::MatrixValues matrices(function);
      for (const auto& [value, made, taken] : matrices.conflicts())
        complain(function, *value,
                 "a matrix of " + text(made) + " elements, taken for one of " + text(taken));
    }
    return std::move(complaints_);
  }

 private:
  static std::string text(coopmat::MatrixSize size) {
    return std::to_string(size.rows) + "x" + std::to_string(size.columns);
  }

  void complain(const llvm::Function& function, const Value& value, const llvm::Twine& what) {
    llvm::raw_string_ostream stream(complaints_);
    stream << "in " << function.getName() << ": " << what << ":" << value << "\n";
  }
  void complain(const Instruction& instruction, const llvm::Twine& what) {
    complain(*instruction.getFunction(), instruction, what);
  }

  void check(Instruction& instruction) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) checkCall(*call);
    checkMarks(instruction);
  }

  static bool isKnown(uint64_t fact) { return fact != 0; }

  void checkCall(llvm::CallInst& call) {
    const llvm::Function* callee = call.getCalledFunction();
    const auto kind = callee == nullptr ? std::nullopt : kindOf(*callee);
    const bool is_mark =
        kind == FunctionKind::SharedCodeBegin || kind == FunctionKind::SharedCodeEnd;
    if (callee == nullptr) {
      if (!call.isInlineAsm()) complain(call, "a call of a pointer");
    } else if (coopmat::isMatrixOperation(*callee)) {
      checkOperation(call);
    } else if (kind == FunctionKind::Barrier) {
      checkBarrier(call);
    } else if (kind == FunctionKind::ByteDot) {
      checkByteDot(call);
    } else if (callee->isDeclaration() && !callee->isIntrinsic() && !is_mark &&
               !isRuntimeFunction(*callee)) {
      complain(call, "a call of what is no operation and no function that kernels may call");
    }
  }

  void checkOperation(llvm::CallInst& call) {
    if (std::string why = coopmat::malformedOperation(call); !why.empty()) {
      complain(call, why);
    } else if (kindOf(*call.getFunction()) == FunctionKind::Subgroup) {
      if (auto load = coopmat::matchLoad(&call)) checkFrame(*load);
      if (auto store = coopmat::matchStore(&call)) checkFrame(*store);
    }
  }

  void checkBarrier(const llvm::CallInst& call) {
    if (facts_.streams == 1 && isKnown(facts_.lanes))
      complain(call, "a barrier in a workgroup of one stream");
    const auto* memory =
        call.arg_size() == 1 ? llvm::dyn_cast<llvm::Argument>(call.getArgOperand(0)) : nullptr;
    if (memory == nullptr || memory->getArgNo() != coopmat::kSharedArgument)
      complain(call, "a barrier that does not get the Workgroup memory");
  }

  void checkByteDot(llvm::CallInst& call) {
    const bool is_complete =
        call.arg_size() == 4 && llvm::isa<llvm::ConstantInt>(call.getArgOperand(2)) &&
        llvm::isa<llvm::ConstantInt>(call.getArgOperand(3)) && call.getType()->isVectorTy() &&
        call.getType()->getScalarType()->isIntegerTy(32) &&
        call.getArgOperand(0)->getType() == call.getType() &&
        call.getArgOperand(1)->getType() == call.getType();
    if (!is_complete) complain(call, "a dot product of what is not four bytes for each lane");
  }

  void checkMarks(const Instruction& instruction) {
    if (instruction.hasMetadata(kBehindTest) && !instruction.mayReadOrWriteMemory())
      complain(instruction, "a mark of a tested access, which this is not");
    if (instruction.hasMetadata(kClearedWhenEntered) &&
        (!llvm::isa<llvm::AllocaInst>(instruction) || !instruction.getParent()->isEntryBlock()))
      complain(instruction, "a mark of a cleared variable, which this is not");
    if (instruction.hasMetadata(kPrinted) && !llvm::isa<llvm::StoreInst>(instruction))
      complain(instruction, "a mark of a printed matrix's store, which this is not");
  }

  // Of a matrix that an operation reads or writes there. Shaders' own accesses may have constant
  // indices past the end of an array, in code that is not reached.
  template <typename Access>
  void checkFrame(const Access& access) {
    const auto* stride = llvm::dyn_cast<llvm::ConstantInt>(access.stride_bytes);
    const llvm::DataLayout& layout = module_.getDataLayout();
    llvm::APInt offset(layout.getIndexTypeSizeInBits(access.base->getType()), 0);
    const auto* frame = llvm::dyn_cast<llvm::Argument>(
        access.base->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
    if (stride == nullptr || frame == nullptr || frame->getArgNo() != coopmat::kFrameArgument ||
        !isKnown(facts_.frame.bytes()))
      return;
    const bool by_rows = access.layout == coopmat::Layout::Row;
    const uint64_t lines = by_rows ? access.type.rows : access.type.columns;
    const uint64_t elements = by_rows ? access.type.columns : access.type.rows;
    const uint64_t end = offset.getZExtValue() + (lines - 1) * stride->getZExtValue() +
                         elements * coopmat::bytesOf(access.type.component);
    if (offset.isNegative() || end > facts_.frame.bytes())
      complain(*access.call,
               "a matrix outside of the frame of " + llvm::Twine(facts_.frame.bytes()) + " bytes");
  }

  llvm::Module& module_;
  const KernelFacts& facts_;
  std::string complaints_;
};

}  // namespace

std::string brokenRules(llvm::Module& module, const KernelFacts& facts) {
  return Rules(module, facts).broken();
}

}  // namespace jit

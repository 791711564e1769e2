// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/shared_code.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <vector>

#include "jit/ir/function_kind.h"
#include "jit/ir/marks.h"
#include "jit/passes/code/equal_functions.h"

namespace jit {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::Instruction;
using llvm::Value;

// Variables of code that moves are on the stack, where most become values. Threads have some MiB.
constexpr uint64_t kMostVariableBytes = 1 << 20;

constexpr FunctionKind kMarks[] = {FunctionKind::SharedCodeBegin, FunctionKind::SharedCodeEnd};

// The calls of a mark in `function`, in the order of the text.
llvm::SmallVector<llvm::CallInst*> marks(Function& function, FunctionKind kind) {
  llvm::SmallVector<llvm::CallInst*> calls;
  const Function* mark = findFunction(*function.getParent(), FunctionKey(kind));
  if (mark == nullptr) return calls;
  for (Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call != nullptr && call->getCalledFunction() == mark) calls.push_back(call);
  }
  return calls;
}

// A block that begins where the mark was.
BasicBlock* splitAt(llvm::CallInst* mark) {
  BasicBlock* after = llvm::SplitBlock(mark->getParent(), mark);
  mark->eraseFromParent();
  return after;
}

void eraseMarkFunctions(llvm::Module& module) {
  for (FunctionKind kind : kMarks) {
    Function* mark = findFunction(module, FunctionKey(kind));
    if (mark != nullptr && mark->use_empty()) mark->eraseFromParent();
  }
}

// The code from a block that begins with one mark to those that begin with the other.
class Region {
 public:
  Region(BasicBlock& begin, const llvm::SmallPtrSetImpl<BasicBlock*>& ends)
      : function_(*begin.getParent()), begin_(begin) {
    llvm::SmallVector<BasicBlock*> pending{&begin};
    while (!pending.empty()) {
      BasicBlock* block = pending.pop_back_val();
      if (!inside_.insert(block).second) continue;
      for (BasicBlock* next : llvm::successors(block)) {
        if (ends.contains(next))
          ends_.insert(next);
        else
          pending.push_back(next);
      }
    }
    // As they stand in the text, so that equal code has equal functions.
    for (BasicBlock& block : function_)
      if (inside_.contains(&block)) blocks_.push_back(&block);
  }

  bool canMove() {
    BasicBlock* before = begin_.getSinglePredecessor();
    if (ends_.size() != 1 || before == nullptr || inside_.contains(before)) return false;
    for (BasicBlock* block : blocks_) {
      if (block != &begin_ && llvm::any_of(llvm::predecessors(block), [&](BasicBlock* from) {
            return !inside_.contains(from);
          }))
        return false;
      for (Instruction& instruction : *block)
        if (!canMove(instruction)) return false;
    }
    return llvm::all_of(llvm::predecessors(end()),
                        [&](BasicBlock* from) { return inside_.contains(from); }) &&
           findInputs();
  }

  // Moves the code; canMove() was true.
  Function* move() {
    llvm::SmallVector<llvm::Type*> parameters;
    for (const llvm::Argument& argument : function_.args())
      parameters.push_back(argument.getType());
    for (const Value* input : inputs_) parameters.push_back(input->getType());
    llvm::LLVMContext& context = function_.getContext();
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
    auto* made = Function::Create(type, llvm::GlobalValue::InternalLinkage, "shared_code",
                                  function_.getParent());
    made->addFnAttrs(llvm::AttrBuilder(context, function_.getAttributes().getFnAttrs()));
    made->addFnAttr(llvm::Attribute::NoInline);
    setKey(*made, FunctionKey(FunctionKind::SharedCode));

    llvm::SmallVector<Value*> arguments;
    for (llvm::Argument& argument : function_.args()) {
      made->addParamAttrs(
          argument.getArgNo(),
          llvm::AttrBuilder(context, function_.getAttributes().getParamAttrs(argument.getArgNo())));
      arguments.push_back(&argument);
    }
    llvm::append_range(arguments, inputs_);
    llvm::IRBuilder<>(begin_.getSinglePredecessor()->getTerminator())
        .CreateCall(made, arguments)
        ->setDoesNotThrow();
    begin_.getSinglePredecessor()->getTerminator()->replaceSuccessorWith(&begin_, end());
    for (auto [parameter, argument] : llvm::zip_equal(made->args(), arguments))
      argument->replaceUsesWithIf(&parameter, [&](llvm::Use& use) {
        return inside_.contains(llvm::cast<Instruction>(use.getUser())->getParent());
      });

    auto* entry = BasicBlock::Create(context, "entry", made);
    auto* exit = BasicBlock::Create(context, "exit", made);
    llvm::IRBuilder<>(exit).CreateRetVoid();
    auto* jump = llvm::IRBuilder<>(entry).CreateBr(&begin_);
    for (llvm::AllocaInst* variable : variables_) variable->moveBefore(*entry, jump->getIterator());
    for (BasicBlock* block : blocks_) {
      block->getTerminator()->replaceSuccessorWith(end(), exit);
      made->splice(exit->getIterator(), &function_, block->getIterator());
    }
    return made;
  }

 private:
  BasicBlock* end() const { return *ends_.begin(); }

  // Whether it needs nothing of the function that it stands in.
  bool canMove(const Instruction& instruction) const {
    if (llvm::isa<llvm::ReturnInst, llvm::AllocaInst>(instruction) || instruction.getDebugLoc())
      return false;
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call != nullptr && call->getCalledFunction() != nullptr &&
        kindOf(*call->getCalledFunction()) == FunctionKind::Barrier)
      return false;
    return llvm::all_of(instruction.users(), [&](const llvm::User* user) {
      return inside_.contains(llvm::cast<Instruction>(user)->getParent());
    });
  }

  // Values from outside, in the order in which they are used. False if one is a vector, or if there
  // are too many variables.
  bool findInputs() {
    llvm::SetVector<llvm::AllocaInst*> variables;
    for (BasicBlock* block : blocks_) {
      for (Instruction& instruction : *block) {
        for (Value* operand : instruction.operands()) {
          auto* outside = llvm::dyn_cast<Instruction>(operand);
          if (outside == nullptr || inside_.contains(outside->getParent())) continue;
          auto* variable = llvm::dyn_cast<llvm::AllocaInst>(outside);
          const bool is_own =
              variable != nullptr && llvm::all_of(variable->users(), [&](llvm::User* user) {
                return inside_.contains(llvm::cast<Instruction>(user)->getParent());
              });
          if (outside->getType()->isVectorTy()) return false;
          is_own ? (void)variables.insert(variable) : (void)inputs_.insert(outside);
        }
      }
    }
    variables_ = variables.takeVector();
    uint64_t bytes = 0;
    for (const llvm::AllocaInst* variable : variables_)
      bytes += variable->getAllocationSize(function_.getDataLayout())->getFixedValue();
    return bytes <= kMostVariableBytes;
  }

  Function& function_;
  BasicBlock& begin_;
  llvm::SmallPtrSet<BasicBlock*, 32> inside_;
  llvm::SmallPtrSet<BasicBlock*, 2> ends_;
  std::vector<BasicBlock*> blocks_;
  llvm::SetVector<Value*> inputs_;
  llvm::SmallVector<llvm::AllocaInst*, 0> variables_;
};

llvm::SmallVector<llvm::CallInst*> callsOf(Function& function) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::User* user : function.users()) calls.push_back(llvm::cast<llvm::CallInst>(user));
  return calls;
}

}  // namespace

llvm::SmallVector<Function*> outlineSharedCode(Function& function) {
  const llvm::SmallVector<llvm::CallInst*> begin_marks =
      marks(function, FunctionKind::SharedCodeBegin);
  if (begin_marks.size() < 2) {
    keepSharedCodeInPlace(function);
    return {};
  }
  llvm::SmallVector<BasicBlock*> begins;
  llvm::SmallPtrSet<BasicBlock*, 8> ends;
  for (llvm::CallInst* mark : begin_marks) begins.push_back(splitAt(mark));
  for (llvm::CallInst* mark : marks(function, FunctionKind::SharedCodeEnd))
    ends.insert(splitAt(mark));
  eraseMarkFunctions(*function.getParent());

  llvm::SmallVector<Function*> made;
  for (BasicBlock* begin : begins) {
    Region region(*begin, ends);
    if (region.canMove()) made.push_back(region.move());
  }
  // Code that is there once goes back.
  llvm::SmallVector<Function*> shared;
  for (Function* kept : mergeEqualFunctions(made)) {
    if (!kept->hasOneUse()) {
      shared.push_back(kept);
      continue;
    }
    kept->removeFnAttr(llvm::Attribute::NoInline);
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*callsOf(*kept).front(), info);
    kept->eraseFromParent();
  }
  return shared;
}

llvm::SmallVector<Function*> specializeByConstants(llvm::ArrayRef<Function*> functions) {
  llvm::SmallVector<Function*> all;
  for (Function* function : functions) {
    // By what is passed, null where it is no constant.
    using Constants = std::vector<llvm::Constant*>;
    llvm::MapVector<Constants, llvm::SmallVector<llvm::CallInst*>, std::map<Constants, unsigned>>
        calls;
    for (llvm::CallInst* call : callsOf(*function)) {
      Constants constants;
      for (Value* argument : call->args())
        constants.push_back(llvm::dyn_cast<llvm::Constant>(argument));
      calls[constants].push_back(call);
    }
    if (calls.empty()) {
      function->eraseFromParent();
      continue;
    }
    llvm::SmallVector<Function*> variants{function};
    for (size_t variant = 1; variant < calls.size(); ++variant) {
      llvm::ValueToValueMapTy same;
      variants.push_back(llvm::CloneFunction(function, same));
    }
    for (auto [variant, set] : llvm::zip_equal(variants, calls)) {
      for (auto [parameter, constant] : llvm::zip_equal(variant->args(), set.first))
        if (constant != nullptr) parameter.replaceAllUsesWith(constant);
      for (llvm::CallInst* call : set.second) call->setCalledFunction(variant);
    }
    llvm::append_range(all, variants);
  }
  return all;
}

void keepSharedCodeInPlace(Function& function) {
  for (FunctionKind kind : kMarks)
    for (llvm::CallInst* mark : marks(function, kind)) mark->eraseFromParent();
  eraseMarkFunctions(*function.getParent());
}

}  // namespace jit

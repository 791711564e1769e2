// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/equal_functions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <tuple>
#include <vector>

namespace jit {
namespace {

using llvm::Function;
using llvm::Instruction;
using llvm::Value;

// Which functions are still taken for equal: those with the same number.
using Classes = llvm::DenseMap<const Function*, unsigned>;

// Compares two functions of the same type, with as many instructions, in the order of the text.
class Comparison {
 public:
  Comparison(const Function& a, const Function& b, const Classes& classes)
      : a_(a), b_(b), classes_(classes) {}

  bool areEqual() {
    if (a_.size() != b_.size()) return false;
    for (auto [a, b] : llvm::zip_equal(a_.args(), b_.args())) pairs_[&a] = &b;
    for (auto [a, b] : llvm::zip_equal(a_, b_)) {
      if (a.size() != b.size()) return false;
      pairs_[&a] = &b;
      for (auto [left, right] : llvm::zip_equal(a, b)) pairs_[&left] = &right;
    }
    return llvm::all_of(
        llvm::zip_equal(llvm::instructions(a_), llvm::instructions(b_)),
        [&](auto both) { return sameInstruction(std::get<0>(both), std::get<1>(both)); });
  }

 private:
  bool sameInstruction(const Instruction& a, const Instruction& b) const {
    if (!a.isSameOperationAs(&b) ||
        a.getRawSubclassOptionalData() != b.getRawSubclassOptionalData() || !sameMetadata(a, b))
      return false;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&a)) {
      auto* other = llvm::cast<llvm::PHINode>(&b);
      for (auto [left, right] : llvm::zip_equal(phi->blocks(), other->blocks()))
        if (pairs_.lookup(left) != right) return false;
    }
    return llvm::all_of(llvm::zip_equal(a.operands(), b.operands()),
                        [&](auto both) { return sameValue(std::get<0>(both), std::get<1>(both)); });
  }

  bool sameValue(const Value* a, const Value* b) const {
    if (auto pair = pairs_.find(a); pair != pairs_.end()) return pair->second == b;
    if (a == b) return true;
    if (auto *left = llvm::dyn_cast<Function>(a), *right = llvm::dyn_cast<Function>(b);
        left != nullptr && right != nullptr) {
      const auto left_class = classes_.find(left), right_class = classes_.find(right);
      return left_class != classes_.end() && right_class != classes_.end() &&
             left_class->second == right_class->second;
    }
    auto *left = llvm::dyn_cast<llvm::GlobalVariable>(a),
         *right = llvm::dyn_cast<llvm::GlobalVariable>(b);
    return left != nullptr && right != nullptr && sameContents(*left, *right);
  }

  // Constants of which nobody asks where they are.
  static bool sameContents(const llvm::GlobalVariable& a, const llvm::GlobalVariable& b) {
    const auto isData = [](const llvm::GlobalVariable& data) {
      return data.isConstant() && data.hasLocalLinkage() && data.hasInitializer();
    };
    return isData(a) && isData(b) && a.getInitializer() == b.getInitializer() &&
           a.getAlign() == b.getAlign();
  }

  // What is said of loops has a name of its own for each.
  static bool sameMetadata(const Instruction& a, const Instruction& b) {
    llvm::SmallVector<std::pair<unsigned, llvm::MDNode*>, 4> left, right;
    a.getAllMetadata(left);
    b.getAllMetadata(right);
    return left.size() == right.size() && llvm::all_of(llvm::zip_equal(left, right), [](auto both) {
             const auto& [of_a, of_b] = both;
             if (of_a.first != of_b.first) return false;
             if (of_a.first != llvm::LLVMContext::MD_loop) return of_a.second == of_b.second;
             return llvm::equal(llvm::drop_begin(of_a.second->operands()),
                                llvm::drop_begin(of_b.second->operands()));
           });
  }

  const Function &a_, &b_;
  const Classes& classes_;
  llvm::DenseMap<const Value*, const Value*> pairs_;
};

}  // namespace

llvm::SmallVector<Function*> mergeEqualFunctions(llvm::ArrayRef<Function*> functions) {
  // All that look alike are taken for equal, until two are found that are not; what calls them is
  // then compared anew.
  llvm::MapVector<std::tuple<llvm::FunctionType*, unsigned, void*>, llvm::SmallVector<Function*>>
      alike;
  for (Function* function : functions)
    alike[{function->getFunctionType(), function->getInstructionCount(),
           function->getAttributes().getRawPointer()}]
        .push_back(function);
  std::vector<llvm::SmallVector<Function*>> groups;
  Classes classes;
  for (auto& [key, group] : alike) {
    for (Function* function : group) classes[function] = groups.size();
    groups.push_back(std::move(group));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t index = 0; index < groups.size(); ++index) {
      Function* first = groups[index].front();
      llvm::SmallVector<Function*> unlike;
      llvm::erase_if(groups[index], [&](Function* function) {
        if (function == first || Comparison(*first, *function, classes).areEqual()) return false;
        unlike.push_back(function);
        return true;
      });
      if (unlike.empty()) continue;
      for (Function* function : unlike) classes[function] = groups.size();
      groups.push_back(std::move(unlike));
      changed = true;
    }
  }
  llvm::SmallPtrSet<Function*, 8> dropped;
  for (const auto& group : groups) {
    for (Function* function : llvm::drop_begin(group)) {
      function->replaceAllUsesWith(group.front());
      dropped.insert(function);
    }
  }
  llvm::SmallVector<Function*> kept;
  llvm::copy_if(functions, std::back_inserter(kept),
                [&](Function* function) { return !dropped.contains(function); });
  for (Function* function : dropped) function->dropAllReferences();
  for (Function* function : dropped) function->eraseFromParent();
  return kept;
}

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/function_kind.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace jit {
namespace {

constexpr llvm::StringLiteral kMetadata = "tessera.function";

constexpr llvm::StringLiteral kTexts[] = {
#define FUNCTION(name, text) text,
#define HELPER(name, text) text,
#include "jit/ir/function_kinds.def"
};

llvm::StringRef textOf(FunctionKind kind) { return kTexts[static_cast<size_t>(kind)]; }

}  // namespace

FunctionKey& FunctionKey::add(llvm::ArrayRef<uint64_t> numbers, const llvm::Twine& text) {
  for (uint64_t number : numbers) parts_.push_back({number, nullptr});
  if (const std::string said = text.str(); !said.empty()) texts_ += "." + said;
  return *this;
}

FunctionKey& FunctionKey::add(llvm::Type* type, const llvm::Twine& text) {
  parts_.push_back({0, type});
  return add(llvm::ArrayRef<uint64_t>(), text);
}

std::string FunctionKey::name() const { return ("tessera." + textOf(kind_) + texts_).str(); }

llvm::MDNode* FunctionKey::metadata(llvm::LLVMContext& context) const {
  llvm::SmallVector<llvm::Metadata*, 16> operands{llvm::MDString::get(context, textOf(kind_))};
  auto* i64 = llvm::Type::getInt64Ty(context);
  for (const Part& part : parts_) {
    llvm::Constant* constant = llvm::ConstantInt::get(i64, part.number);
    if (part.type != nullptr) constant = llvm::PoisonValue::get(part.type);
    operands.push_back(llvm::ConstantAsMetadata::get(constant));
  }
  return llvm::MDNode::get(context, operands);
}

llvm::Function* findFunction(llvm::Module& module, const FunctionKey& key) {
  const llvm::MDNode* metadata = key.metadata(module.getContext());
  const unsigned kind = module.getContext().getMDKindID(kMetadata);
  auto found = llvm::find_if(module, [&](const llvm::Function& function) {
    return function.getMetadata(kind) == metadata;
  });
  return found == module.end() ? nullptr : &*found;
}

llvm::Function* declareFunction(llvm::Module& module, const FunctionKey& key,
                                llvm::FunctionType* type) {
  llvm::Function* function = findFunction(module, key);
  if (function == nullptr) {
    function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, key.name(), module);
    setKey(*function, key);
  }
  return function;
}

void setKey(llvm::Function& function, const FunctionKey& key) {
  function.setMetadata(kMetadata, key.metadata(function.getContext()));
}

std::optional<FunctionKind> kindOf(const llvm::Function& function) {
  const llvm::MDNode* metadata = function.getMetadata(kMetadata);
  if (metadata == nullptr || metadata->getNumOperands() == 0) return std::nullopt;
  auto* text = llvm::dyn_cast_or_null<llvm::MDString>(metadata->getOperand(0));
  const auto* found = text == nullptr ? std::end(kTexts) : llvm::find(kTexts, text->getString());
  if (found == std::end(kTexts)) return std::nullopt;
  return static_cast<FunctionKind>(found - std::begin(kTexts));
}

bool isHelper(FunctionKind kind) {
  switch (kind) {
#define FUNCTION(name, text) case FunctionKind::name:
#define HELPER(name, text)
#include "jit/ir/function_kinds.def"
    return false;
    default:
      return true;
  }
}

}  // namespace jit

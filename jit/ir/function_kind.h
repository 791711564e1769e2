// SPDX-License-Identifier: Apache-2.0

// What a function of the module is, and what its code was made for: metadata of the function
// (!tessera.function), which passes and texts of the module keep. Names of functions are for
// people, and nothing reads them, but for symbols: the kernel, and what jit/ir/symbols.def has.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/Twine.h>

#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class Function;
class FunctionType;
class LLVMContext;
class MDNode;
class Module;
class Type;
}  // namespace llvm

namespace jit {

enum class FunctionKind : uint8_t {
#define FUNCTION(name, text) name,
#define HELPER(name, text) name,
#include "jit/ir/function_kinds.def"
};

// Which function of a kind: the facts that its code depends on, in an order that belongs to the
// kind. Equal keys are equal code. Where facts may be missing, a number before them says so.
class FunctionKey {
 public:
  explicit FunctionKey(FunctionKind kind) : kind_(kind) {}

  // Adds a fact, as numbers or a type. The function's name says it as `text`, after a dot; an empty
  // text says nothing there.
  FunctionKey& add(llvm::ArrayRef<uint64_t> numbers, const llvm::Twine& text);
  FunctionKey& add(llvm::Type* type, const llvm::Twine& text);
  // A number, said as it is.
  FunctionKey& add(uint64_t number) { return add(number, llvm::Twine(number)); }

  std::string name() const;  // "tessera.<kind>.<texts>"
  // !{!"<kind>", numbers as i64, types as poison values of them}
  llvm::MDNode* metadata(llvm::LLVMContext& context) const;

 private:
  struct Part {
    uint64_t number;
    llvm::Type* type;  // null: a number
  };

  FunctionKind kind_;
  llvm::SmallVector<Part, 16> parts_;
  std::string texts_;
};

// The function of this key; null where there is none.
llvm::Function* findFunction(llvm::Module& module, const FunctionKey& key);

// The same, declared where there is none.
llvm::Function* declareFunction(llvm::Module& module, const FunctionKey& key,
                                llvm::FunctionType* type);

// Makes the function the one of the key, of which there is none yet.
void setKey(llvm::Function& function, const FunctionKey& key);

// What a function is; none if nothing was said, as of the kernel.
std::optional<FunctionKind> kindOf(const llvm::Function& function);

// Whether functions of the kind are HELPER rows.
bool isHelper(FunctionKind kind);

}  // namespace jit

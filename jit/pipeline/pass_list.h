// SPDX-License-Identifier: Apache-2.0

// The rows of passes.def, for what runs them (passes.h).
#pragma once

#include "jit/pipeline/passes.h"

namespace jit {

// Which analyses are still right; all, where nothing has changed.
using PassOutcome = llvm::Expected<llvm::PreservedAnalyses>;

// A pass, which has a name, a text, and one of the two functions; or a stage, or a dump.
struct PassRow {
  llvm::StringLiteral stage = "";
  llvm::StringLiteral dump = "";
  llvm::StringLiteral name = "";
  llvm::StringLiteral text = "";  // what it is for, a sentence
  PassUnit unit = PassUnit::Functions;
  bool cleans_up = false;  // functions that have not changed since the last such pass need it not
  bool for_speed = false;  // debuggers had rather be without it
  PassOutcome (*on_module)(PassContext& pass) = nullptr;
  PassOutcome (*on_function)(PassContext& pass, llvm::Function& function) = nullptr;
};

llvm::ArrayRef<PassRow> passRows();

// Those with a body that are of the unit, in the module's order.
llvm::SmallVector<llvm::Function*> functionsOf(const PassContext& pass, PassUnit unit);

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

// Failures inside the compiler. They travel as llvm::Error / llvm::Expected and become a
// jit::CompileError in one place, jit/compiler.cpp.
#pragma once

#include <llvm/Support/Error.h>

#include <string>

#include "jit/base/kernel_request.h"

namespace jit {

// The one error class of the compiler.
class Failure : public llvm::ErrorInfo<Failure> {
 public:
  static char ID;
  Failure(CompileError::Kind kind, std::string message) : kind(kind), message(std::move(message)) {}
  void log(llvm::raw_ostream& os) const override;
  std::error_code convertToErrorCode() const override;

  CompileError::Kind kind;
  std::string message;  // what, where, why, remedy
};

llvm::Error malformed(std::string message);
llvm::Error unsupported(std::string message);
llvm::Error internal(std::string message);

}  // namespace jit

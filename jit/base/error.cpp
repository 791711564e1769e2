// SPDX-License-Identifier: Apache-2.0

#include "jit/base/error.h"

#include <llvm/Support/raw_ostream.h>

namespace jit {

char Failure::ID = 0;

void Failure::log(llvm::raw_ostream& os) const { os << message; }

std::error_code Failure::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error malformed(std::string message) {
  return llvm::make_error<Failure>(CompileError::Kind::Malformed, std::move(message));
}

llvm::Error unsupported(std::string message) {
  return llvm::make_error<Failure>(CompileError::Kind::Unsupported, std::move(message));
}

llvm::Error internal(std::string message) {
  return llvm::make_error<Failure>(CompileError::Kind::Internal, std::move(message));
}

}  // namespace jit

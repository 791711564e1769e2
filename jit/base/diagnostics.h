// SPDX-License-Identifier: Apache-2.0

// What LLVM reports of the work on a context, errors and remarks, kept instead of printed.
#pragma once

#include <llvm/Support/Error.h>

#include <vector>

#include "jit/base/remark.h"

namespace llvm {
class LLVMContext;
}

namespace jit {

// Makes errors that LLVM reports on `context` failures of takeDiagnostics() instead of the end of
// the process. Before anything else is done with the context.
void containDiagnostics(llvm::LLVMContext& context);

// The errors since then, as one. Kind of failure: Internal.
llvm::Error takeDiagnostics(const llvm::LLVMContext& context);

// Of a context that is contained. Remarks are counted; those from here on go to `remarks` too, in
// their order.
void listenToRemarks(llvm::LLVMContext& context, std::vector<Remark>& remarks);
RemarkCounts remarkCounts(const llvm::LLVMContext& context);

// Counts a remark that is going to be made. Returns whether anybody listens; in a context that is
// not contained nobody does.
bool countRemark(llvm::LLVMContext& context, RemarkKind kind);

// While one lives, remarks of its context are neither counted nor heard.
class RemarkSilence {
 public:
  explicit RemarkSilence(llvm::LLVMContext& context);
  ~RemarkSilence();
  RemarkSilence(const RemarkSilence&) = delete;
  RemarkSilence& operator=(const RemarkSilence&) = delete;

 private:
  llvm::LLVMContext& context_;
};

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/remarks.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>

#include "jit/base/diagnostics.h"

namespace jit {

void declined(llvm::StringRef pass, RemarkKind kind, const llvm::Instruction& where,
              llvm::function_ref<std::string()> reason) {
  if (!countRemark(where.getContext(), kind)) return;
  const std::string name = pass.str();
  const llvm::StringRef of = kRemarkRows[static_cast<size_t>(kind)].name;
  llvm::OptimizationRemarkMissed remark(name.c_str(), of, &where);
  remark << reason();
  where.getContext().diagnose(remark);
}

}  // namespace jit

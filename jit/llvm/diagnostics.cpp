// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/diagnostics.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>

#include "jit/error.h"
#include "jit/llvm/remarks.h"

namespace jit {
namespace {

// Of a remark of LLVM's register allocation on a loop what it has put into memory there; empty of
// others.
std::string spillsOf(const llvm::DiagnosticInfoOptimizationBase& info) {
  if (info.getPassName() != "regalloc" || info.getRemarkName() != "LoopSpillReloadCopies")
    return "";
  unsigned written = 0, read = 0;
  for (const auto& argument : info.getArgs()) {
    unsigned number = 0;
    if (llvm::StringRef(argument.Val).getAsInteger(10, number)) continue;
    const llvm::StringRef key = argument.Key;
    if (key == "NumSpills" || key == "NumFoldedSpills") written += number;
    if (key == "NumReloads" || key == "NumFoldedReloads") read += number;
  }
  if (written + read == 0) return "";
  return "the loop needs more registers than there are: it writes " + std::to_string(written) +
         " of them to memory and reads " + std::to_string(read) + " back";
}

class Collector final : public llvm::DiagnosticHandler {
 public:
  // Returning true keeps LLVM from printing, and from exiting when it is an error.
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info)) {
      if (remarks != nullptr) keep(*remark);
      return true;
    }
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(errors);
    if (!errors.empty()) stream << "; ";
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

  bool isMissedOptRemarkEnabled(llvm::StringRef) const override { return remarks != nullptr; }
  bool isAnyRemarkEnabled() const override { return remarks != nullptr; }

  std::string errors;
  std::vector<Remark>* remarks = nullptr;

 private:
  // The driver's own, and of LLVM's those on loops whose values register allocation puts into
  // memory.
  void keep(const llvm::DiagnosticInfoOptimizationBase& info) {
    std::string name = info.getRemarkName().str(), reason = info.getMsg();
    if (!isRemarkOfOurs(name)) {
      reason = spillsOf(info);
      if (reason.empty()) return;
      name = nameOf(RemarkKind::Spill);
    }
    Remark remark{.pass = info.getPassName().str(),
                  .name = std::move(name),
                  .reason = std::move(reason),
                  .file = {},
                  .line = 0,
                  .column = 0};
    if (info.isLocationAvailable()) {
      const llvm::DiagnosticLocation where = info.getLocation();
      remark.file = where.getRelativePath().str();
      remark.line = where.getLine();
      remark.column = where.getColumn();
    }
    remarks->push_back(std::move(remark));
  }
};

Collector& collectorOf(const llvm::LLVMContext& context) {
  return *static_cast<Collector*>(
      const_cast<llvm::DiagnosticHandler*>(context.getDiagHandlerPtr()));
}

}  // namespace

void containDiagnostics(llvm::LLVMContext& context) {
  context.setDiagnosticHandler(std::make_unique<Collector>());
}

llvm::Error takeDiagnostics(const llvm::LLVMContext& context) {
  const Collector& collector = collectorOf(context);
  if (collector.errors.empty()) return llvm::Error::success();
  return internal("code generation: " + collector.errors);
}

std::vector<Remark>* listenToRemarks(llvm::LLVMContext& context, std::vector<Remark>* remarks) {
  return std::exchange(collectorOf(context).remarks, remarks);
}

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

#include "jit/base/diagnostics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>

#include <optional>

#include "jit/base/error.h"

namespace jit {
namespace {

constexpr llvm::StringLiteral kRegisterAllocation = "regalloc";

// Of a remark of LLVM's register allocation on a loop what it has put into memory there; empty of
// others.
std::string spillsOf(const llvm::DiagnosticInfoOptimizationBase& info) {
  if (info.getRemarkName() != "LoopSpillReloadCopies") return "";
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

std::optional<RemarkKind> kindOf(llvm::StringRef name) {
  const auto* row = llvm::find_if(
      kRemarkRows, [&](const RemarkRow& each) { return name == llvm::StringRef(each.name); });
  if (row == std::end(kRemarkRows)) return std::nullopt;
  return static_cast<RemarkKind>(row - kRemarkRows);
}

class Collector final : public llvm::DiagnosticHandler {
 public:
  Collector() : DiagnosticHandler(this) {}  // by which it is known from LLVM's own

  // Returning true keeps LLVM from printing, and from exiting when it is an error.
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info)) {
      take(*remark);
      return true;
    }
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(errors);
    if (!errors.empty()) stream << "; ";
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

  // Of LLVM's passes only register allocation is asked.
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
    return !silent && pass == kRegisterAllocation;
  }
  bool isAnyRemarkEnabled() const override { return !silent; }

  std::string errors;
  RemarkCounts counts{};
  std::vector<Remark>* remarks = nullptr;
  bool silent = false;

 private:
  // The driver's own are counted before they are made (countRemark).
  void take(const llvm::DiagnosticInfoOptimizationBase& info) {
    if (std::optional<RemarkKind> kind = kindOf(info.getRemarkName())) {
      keep(info, *kind, info.getMsg());
    } else if (info.getPassName() == kRegisterAllocation && !silent) {
      const std::string spills = spillsOf(info);
      if (spills.empty()) return;
      ++counts[static_cast<size_t>(RemarkKind::Spill)];
      keep(info, RemarkKind::Spill, spills);
    }
  }

  void keep(const llvm::DiagnosticInfoOptimizationBase& info, RemarkKind kind, std::string reason) {
    if (remarks == nullptr || silent) return;
    Remark remark{.kind = kind,
                  .pass = info.getPassName().str(),
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

// Null for a context that is not contained.
Collector* collectorOf(const llvm::LLVMContext& context) {
  auto* handler = const_cast<llvm::DiagnosticHandler*>(context.getDiagHandlerPtr());
  if (handler == nullptr || handler->DiagnosticContext != handler) return nullptr;
  return static_cast<Collector*>(handler);
}

}  // namespace

void containDiagnostics(llvm::LLVMContext& context) {
  context.setDiagnosticHandler(std::make_unique<Collector>());
}

llvm::Error takeDiagnostics(const llvm::LLVMContext& context) {
  const Collector& collector = *collectorOf(context);
  if (collector.errors.empty()) return llvm::Error::success();
  return internal("code generation: " + collector.errors);
}

void listenToRemarks(llvm::LLVMContext& context, std::vector<Remark>& remarks) {
  collectorOf(context)->remarks = &remarks;
}

RemarkCounts remarkCounts(const llvm::LLVMContext& context) { return collectorOf(context)->counts; }

bool countRemark(llvm::LLVMContext& context, RemarkKind kind) {
  Collector* collector = collectorOf(context);
  if (collector == nullptr || collector->silent) return false;
  ++collector->counts[static_cast<size_t>(kind)];
  return collector->remarks != nullptr;
}

RemarkSilence::RemarkSilence(llvm::LLVMContext& context) : context_(context) {
  collectorOf(context)->silent = true;
}
RemarkSilence::~RemarkSilence() { collectorOf(context_)->silent = false; }

}  // namespace jit

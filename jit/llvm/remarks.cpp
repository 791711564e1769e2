// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/remarks.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>

#include "jit/llvm/diagnostics.h"

namespace jit {
namespace {

llvm::StringRef nameOf(RemarkKind kind) { return kRemarkRows[static_cast<size_t>(kind)].name; }

std::string placeOf(const Remark& remark) {
  if (remark.line == 0) return "";
  return remark.file + ":" + std::to_string(remark.line) + ":" + std::to_string(remark.column) +
         ": ";
}

// A scalar of YAML: in single quotes, which are doubled inside.
std::string quoted(llvm::StringRef text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\n' || c == '\r') c = ' ';
    result += c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

}  // namespace

void declined(llvm::StringRef pass, RemarkKind kind, const llvm::Instruction& where,
              llvm::function_ref<std::string()> reason) {
  if (!countRemark(where.getContext(), kind)) return;
  const std::string name = pass.str();
  llvm::OptimizationRemarkMissed remark(name.c_str(), nameOf(kind), &where);
  remark << reason();
  where.getContext().diagnose(remark);
}

std::string describeRemarks(std::span<const Remark> remarks) {
  std::vector<std::pair<std::string, size_t>> lines;  // with how often
  for (const Remark& remark : remarks) {
    std::string line = placeOf(remark) + nameOf(remark.kind).str() + ": " + remark.reason + " [" +
                       remark.pass + "]";
    auto found = llvm::find_if(lines, [&](const auto& each) { return each.first == line; });
    if (found == lines.end())
      lines.emplace_back(std::move(line), 1);
    else
      ++found->second;
  }
  std::string text;
  for (const auto& [line, count] : lines)
    text += line + (count > 1 ? " (" + std::to_string(count) + " times)" : "") + "\n";
  return text;
}

std::string remarksAsYaml(std::span<const Remark> remarks) {
  std::string text;
  for (const Remark& remark : remarks) {
    text += "--- !Missed\n";
    text += "Pass:            " + quoted(remark.pass) + "\n";
    text += "Name:            " + quoted(nameOf(remark.kind)) + "\n";
    if (remark.line != 0)
      text += "DebugLoc:        { File: " + quoted(remark.file) +
              ", Line: " + std::to_string(remark.line) +
              ", Column: " + std::to_string(remark.column) + " }\n";
    text += "Function:        main\n";
    text += "Args:\n  - String:          " + quoted(remark.reason) + "\n";
    text += "...\n";
  }
  return text;
}

}  // namespace jit

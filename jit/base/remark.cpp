// SPDX-License-Identifier: Apache-2.0

#include "jit/base/remark.h"

#include <unordered_map>
#include <vector>

namespace jit {
namespace {

std::string_view nameOf(RemarkKind kind) { return kRemarkRows[static_cast<size_t>(kind)].name; }

std::string locationOf(const Remark& remark) {
  if (remark.line == 0) return "";
  return remark.file + ":" + std::to_string(remark.line) + ":" + std::to_string(remark.column) +
         ": ";
}

// A scalar of YAML: in single quotes, which are doubled inside.
std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\n' || c == '\r') c = ' ';
    result += c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

}  // namespace

std::string describeRemarks(std::span<const Remark> remarks) {
  std::vector<std::pair<std::string, size_t>> lines;  // with how often
  std::unordered_map<std::string, size_t> index_of;   // in it
  for (const Remark& remark : remarks) {
    std::string line = locationOf(remark) + std::string(nameOf(remark.kind)) + ": " +
                       remark.reason + " [" + remark.pass + "]";
    const auto [known, is_new] = index_of.try_emplace(line, lines.size());
    if (is_new)
      lines.emplace_back(std::move(line), 1);
    else
      ++lines[known->second].second;
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

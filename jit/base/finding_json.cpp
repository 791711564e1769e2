// SPDX-License-Identifier: Apache-2.0

#include "jit/base/finding_json.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <iterator>

namespace jit {

namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

// Names come from modules and applications, in any encoding.
std::string utf8(const std::string& text) { return llvm::json::fixUTF8(text); }

template <typename Numbers>
Array arrayOf(const Numbers& numbers) {
  Array array;
  for (auto number : numbers) array.push_back(int64_t{number});
  return array;
}

Object objectOf(const rt::SourceFrame& frame) {
  return Object{{"file", utf8(frame.file)},
                {"line", int64_t{frame.line}},
                {"column", int64_t{frame.column}},
                {"function", utf8(frame.function)}};
}

Object objectOf(const rt::Actor& actor) {
  Object object{{"workgroup", arrayOf(actor.workgroup)}};
  if (actor.subgroup) object["subgroup"] = int64_t{*actor.subgroup};
  if (actor.invocation) object["localInvocationIndex"] = int64_t{*actor.invocation};
  return object;
}

std::string ruleOf(rt::FindingKind kind) {
  const rt::FindingRow& row = rt::rowOf(kind);
  return std::string(rt::nameOf(row.check)) + "/" + std::string(row.name);
}

// A relative path is a relative reference, an absolute one a URI of its own (RFC 3986).
std::string uriOf(const std::string& path) {
  std::string uri = llvm::StringRef(path).starts_with("/") ? "file://" : "";
  for (const char c : utf8(path)) {
    const bool is_plain = llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c);
    uri += is_plain ? std::string(1, c)
                    : "%" + llvm::toHex(llvm::StringRef(&c, 1), /*LowerCase=*/false);
  }
  return uri;
}

Object locationOf(const rt::SourceFrame& frame) {
  Object physical{
      {"artifactLocation", Object{{"uri", uriOf(frame.file.empty() ? "shader" : frame.file)}}}};
  if (frame.line != 0) {  // both count from 1
    Object region{{"startLine", int64_t{frame.line}}};
    if (frame.column != 0) region["startColumn"] = int64_t{frame.column};
    physical["region"] = std::move(region);
  }
  Object location{{"physicalLocation", std::move(physical)}};
  if (!frame.function.empty())
    location["logicalLocations"] =
        Array{Object{{"name", utf8(frame.function)}, {"kind", "function"}}};
  return location;
}

Object resultOf(const rt::Finding& finding) {
  Object result{{"ruleId", ruleOf(finding.kind)},
                {"ruleIndex", static_cast<int64_t>(finding.kind)},
                {"level", "error"},
                {"message", Object{{"text", utf8(rt::textOf(finding))}}}};
  const auto& frames = finding.site.frames;
  if (frames.empty()) return result;
  result["locations"] = Array{locationOf(frames[0])};
  Array stack;
  for (const rt::SourceFrame& frame : frames)
    stack.push_back(Object{{"location", locationOf(frame)}});
  result["stacks"] = Array{Object{{"frames", std::move(stack)}}};
  return result;
}

std::string textOf(const Value& value, bool is_pretty) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream(out, is_pretty ? 1 : 0).value(value);
  return text;
}

}  // namespace

std::string jsonOf(const rt::Finding& finding) {
  const rt::FindingRow& row = rt::rowOf(finding.kind);
  Array frames, details;
  for (const rt::SourceFrame& frame : finding.site.frames) frames.push_back(objectOf(frame));
  for (const std::string& detail : finding.details) details.push_back(utf8(detail));
  Object object{{"check", llvm::StringRef(rt::nameOf(row.check))},
                {"kind", llvm::StringRef(row.name)},
                {"id", llvm::StringRef(rt::idOf(finding))},
                {"what", utf8(finding.what)},
                {"shader", utf8(finding.site.shader)},
                {"instruction", utf8(finding.site.instruction)},
                {"word", int64_t{finding.site.word}},
                {"object", utf8(finding.site.object)},
                {"frames", std::move(frames)},
                {"details", std::move(details)}};
  if (finding.actor) object["by"] = objectOf(*finding.actor);
  if (finding.address != 0) object["address"] = "0x" + llvm::utohexstr(finding.address, true);
  return textOf(std::move(object), false);
}

std::string sarifOf(std::span<const rt::Finding> findings, const std::string& version) {
  Array rules, results;
  for (size_t kind = 0; kind < std::size(rt::kFindings); ++kind) {
    const rt::FindingRow& row = rt::kFindings[kind];
    rules.push_back(Object{{"id", ruleOf(static_cast<rt::FindingKind>(kind))},
                           {"shortDescription", Object{{"text", llvm::StringRef(row.help)}}},
                           {"properties", Object{{"messageId", llvm::StringRef(row.id)}}}});
  }
  for (const rt::Finding& finding : findings) results.push_back(resultOf(finding));
  Object driver{{"name", "Tessera"}, {"semanticVersion", version}, {"rules", std::move(rules)}};
  Object run{{"tool", Object{{"driver", std::move(driver)}}},
             {"columnKind", "utf16CodeUnits"},
             {"results", std::move(results)}};
  return textOf(Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"version", "2.1.0"},
                       {"runs", Array{std::move(run)}}},
                true) +
         "\n";
}

}  // namespace jit

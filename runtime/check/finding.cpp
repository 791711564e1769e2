// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/finding.h"

#include <charconv>

#include "runtime/printable.h"

namespace rt {

namespace {

// Fields of a site are lines, those of a frame are parted by tabs. Neither occurs in printable()
// text but for tabs, which become spaces.
std::string field(std::string_view text) {
  std::string clean = printable(text);
  for (char& c : clean)
    if (c == '\t') c = ' ';
  return clean;
}

std::string_view take(std::string_view& text, char end) {
  const size_t length = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return part;
}

uint32_t number(std::string_view text) {
  uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string placeOf(const SourceFrame& frame) {
  std::string text = frame.file.empty() ? "line" : frame.file;
  text += ":" + std::to_string(frame.line);
  if (frame.column != 0) text += ":" + std::to_string(frame.column);
  return text;
}

std::string tuple(const std::array<uint32_t, 3>& of) {
  return "(" + std::to_string(of[0]) + ", " + std::to_string(of[1]) + ", " + std::to_string(of[2]) +
         ")";
}

}  // namespace

std::string describeActor(const Actor& actor, const CheckSite& site) {
  std::string text = "workgroup " + tuple(actor.workgroup);
  if (actor.subgroup) text += ", subgroup " + std::to_string(*actor.subgroup);
  if (!actor.invocation) return text;
  const auto [columns, rows, planes] = site.workgroup_size;
  const uint32_t index = *actor.invocation;
  const std::array<uint32_t, 3> local{index % columns, index / columns % rows,
                                      index / columns / rows};
  std::array<uint32_t, 3> global = local;
  for (size_t i = 0; i < 3; ++i) global[i] += actor.workgroup[i] * site.workgroup_size[i];
  text += ", invocation " + tuple(local) + " of it, " + tuple(global) + " of all";
  if (actor.others != 0)
    text += "; " + std::to_string(actor.others) + " more of the subgroup do the same";
  return text;
}

std::string describeSite(const CheckSite& site) {
  std::string text = field(site.shader) + "\n" + field(site.instruction) + "\n" +
                     std::to_string(site.word) + "\n" + field(site.object) + "\n";
  for (uint32_t size : site.workgroup_size) text += std::to_string(size) + "\t";
  text += std::to_string(site.subgroup_size) + "\n";
  for (const SourceFrame& frame : site.frames)
    text += field(frame.file) + "\t" + std::to_string(frame.line) + "\t" +
            std::to_string(frame.column) + "\t" + field(frame.function) + "\n";
  return text;
}

CheckSite readSite(std::string_view text) {
  CheckSite site;
  site.shader = take(text, '\n');
  site.instruction = take(text, '\n');
  site.word = number(take(text, '\n'));
  site.object = take(text, '\n');
  std::string_view sizes = take(text, '\n');
  for (uint32_t& size : site.workgroup_size) size = std::max(number(take(sizes, '\t')), 1u);
  site.subgroup_size = std::max(number(sizes), 1u);
  while (!text.empty()) {
    std::string_view line = take(text, '\n');
    SourceFrame& frame = site.frames.emplace_back();
    frame.file = take(line, '\t');
    frame.line = number(take(line, '\t'));
    frame.column = number(take(line, '\t'));
    frame.function = line;
  }
  return site;
}

std::string placeOf(const CheckSite& site) {
  if (site.frames.empty() || site.frames[0].line == 0)
    return "word " + std::to_string(site.word) + " of the module";
  return placeOf(site.frames[0]);
}

std::string headOf(const Finding& finding) {
  const FindingRow& row = rowOf(finding.kind);
  return std::string(nameOf(row.check)) + ": " + std::string(row.name) + ": " + finding.what;
}

namespace {

void addPlace(const CheckSite& site, const std::optional<Actor>& actor, std::string& text) {
  text += "\n  at " + placeOf(site);
  auto in = [&](const SourceFrame& frame) {
    if (!frame.function.empty()) text += ", in " + frame.function;
  };
  if (!site.frames.empty()) in(site.frames[0]);
  text += ": " + site.instruction;
  for (size_t k = 1; k < site.frames.size(); ++k) {
    text += "\n  called at " + placeOf(site.frames[k]);
    in(site.frames[k]);
  }
  if (actor) text += "\n  by " + describeActor(*actor, site);
}

}  // namespace

std::string textOf(const Finding& finding) {
  const CheckSite& site = finding.site;
  std::string text = headOf(finding);
  if (hasPlace(finding)) addPlace(site, finding.actor, text);
  if (finding.other_site) {
    text += "\n  and";
    addPlace(*finding.other_site, finding.other_actor, text);
  }
  for (const std::string& detail : finding.details) text += "\n  " + detail;
  if (!site.shader.empty()) text += "\n  of the shader " + site.shader;
  return text;
}

}  // namespace rt

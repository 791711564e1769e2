// SPDX-License-Identifier: Apache-2.0

#include "tests/support/finding.h"

#include <algorithm>
#include <charconv>

namespace host {
namespace {

constexpr std::string_view kChecks[] = {"memory", "race", "uniform", "uninit",
                                        "float",  "api",  "assert"};

// The text up to ": ", which is removed from `rest`; empty where there is none.
std::string_view takeWord(std::string_view& rest) {
  const size_t end = rest.find(": ");
  if (end == std::string_view::npos) return {};
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end + 2);
  return word;
}

bool isKind(std::string_view word) {
  return !word.empty() &&
         std::ranges::all_of(word, [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); });
}

// Of "FILE:LINE" with anything behind it. FILE ends at the first colon that digits follow.
std::optional<Place> parsePlace(std::string_view text) {
  for (size_t colon = 0; (colon = text.find(':', colon)) != std::string_view::npos; ++colon) {
    Place place;
    const char* digits = text.data() + colon + 1;
    const char* end = text.data() + text.size();
    if (std::from_chars(digits, end, place.line).ec != std::errc()) continue;
    const std::string_view path = text.substr(0, colon);
    place.file = path.substr(path.rfind('/') + 1);  // npos + 1: no folder
    return place;
  }
  return std::nullopt;
}

}  // namespace

bool isCheck(std::string_view name) {
  return std::ranges::find(kChecks, name) != std::end(kChecks);
}

std::optional<Finding> parseFinding(std::string_view message) {
  std::string_view rest = message;
  Finding finding;
  finding.check = takeWord(rest);
  finding.kind = takeWord(rest);
  if (!isCheck(finding.check) || !isKind(finding.kind)) return std::nullopt;
  finding.text = message;
  constexpr std::string_view kAt = "  at ";
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!line.starts_with(kAt)) continue;
    if (std::optional<Place> place = parsePlace(line.substr(kAt.size())))
      finding.places.push_back(std::move(*place));
  }
  return finding;
}

}  // namespace host

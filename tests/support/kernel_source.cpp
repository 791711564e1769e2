// SPDX-License-Identifier: Apache-2.0

#include "tests/support/kernel_source.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/support/lexer.h"

namespace kernels {
namespace {

// One "each" line: keys, and the alternatives of their values.
struct Each {
  std::vector<std::string> keys;
  std::vector<std::vector<std::string>> alternatives;
};

std::vector<std::string> splitWords(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Each parseEach(const Directive& directive, const std::string& where) {
  const size_t equals = directive.text.find('=');
  if (equals == std::string::npos)
    throw FormatError(where + ": expected 'each KEY = VALUE | VALUE'");
  Each each;
  each.keys = splitWords(directive.text.substr(0, equals));
  each.keys.erase(each.keys.begin());  // "each"
  if (each.keys.empty()) throw FormatError(where + ": 'each' names no key");
  std::istringstream alternatives(directive.text.substr(equals + 1));
  for (std::string alternative; std::getline(alternatives, alternative, '|');) {
    each.alternatives.push_back(splitWords(alternative));
    if (each.alternatives.back().size() != each.keys.size()) {
      throw FormatError(where + ": each alternative needs " + std::to_string(each.keys.size()) +
                        " values, '" + alternative + "' has " +
                        std::to_string(each.alternatives.back().size()));
    }
  }
  if (each.alternatives.empty()) throw FormatError(where + ": 'each' has no values");
  return each;
}

// Replaces $(KEY). Keys that are no parameters are errors: a typing mistake would test nothing.
std::string substitute(const std::string& text,
                       const std::map<std::string, std::string>& parameters,
                       const std::string& where) {
  std::string result;
  size_t at = 0;
  for (size_t open; (open = text.find("$(", at)) != std::string::npos;) {
    const size_t close = text.find(')', open);
    if (close == std::string::npos) throw FormatError(where + ": '$(' without ')'");
    const std::string key = text.substr(open + 2, close - open - 2);
    const auto found = parameters.find(key);
    if (found == parameters.end()) {
      throw FormatError(where + ": $(" + key + ") is no key of an 'each' line");
    }
    result += text.substr(at, open - at) + found->second;
    at = close + 1;
  }
  return result + text.substr(at);
}

Language languageOf(const std::filesystem::path& path) {
  static const std::map<std::string, Language> kLanguages = {{".comp", Language::Glsl},
                                                             {".spvasm", Language::SpirvText},
                                                             {".spv", Language::Spirv},
                                                             {".kernel", Language::Directives}};
  const auto found = kLanguages.find(path.extension());
  if (found == kLanguages.end())
    throw std::runtime_error(path.string() +
                             ": kernel files end in .comp, .spvasm, .spv or .kernel");
  return found->second;
}

// What marks a directive.
std::string markerOf(Language language) {
  if (language == Language::Directives) return "";
  return language == Language::Glsl ? "//!" : ";!";
}

std::vector<Directive> directivesOf(const KernelSource& source) {
  const std::string marker = markerOf(source.language);
  std::vector<Directive> directives;
  std::istringstream lines(source.text);
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || line.compare(start, marker.size(), marker) != 0) continue;
    if (marker.empty() && line[start] == '#') continue;  // a comment
    std::string text = line.substr(start + marker.size());
    if (!text.empty() && text[0] == '+') {
      if (directives.empty()) {
        throw FormatError(source.path.string() + ":" + std::to_string(number) +
                          ": nothing to continue");
      }
      directives.back().text += " " + text.substr(1);
    } else if (text.find_first_not_of(" \t\r") != std::string::npos) {
      directives.push_back({text, number});
    }
  }
  return directives;
}

}  // namespace

std::string KernelSource::name(const std::filesystem::path& root) const {
  const std::string file = path.lexically_proximate(root).generic_string();
  return variant.empty() ? file : file + ":" + variant;
}

std::vector<KernelSource> readKernelSources(const std::filesystem::path& path,
                                            const std::vector<std::string>& more) {
  KernelSource base;
  base.path = path;
  base.language = languageOf(path);
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    throw std::runtime_error(path.string() + ": cannot be read");
  if (base.language != Language::Spirv) {
    std::stringstream whole;
    whole << file.rdbuf();
    base.text = whole.str();
  }
  base.directives = directivesOf(base);
  for (const std::string& text : more) base.directives.push_back({text, 0});

  auto isEach = [](const Directive& directive) {
    const std::vector<std::string> words = splitWords(directive.text);
    return !words.empty() && words[0] == "each";
  };
  auto where = [&](const Directive& directive) {
    return path.string() + ":" + std::to_string(directive.line);
  };
  std::vector<KernelSource> sources{base};
  for (const Directive& directive : base.directives) {
    if (!isEach(directive)) continue;
    const Each each = parseEach(directive, where(directive));
    std::vector<KernelSource> product;
    for (const KernelSource& source : sources) {
      for (const std::vector<std::string>& values : each.alternatives) {
        KernelSource variant = source;
        variant.variant += (variant.variant.empty() ? "" : "_") + values[0];
        for (size_t k = 0; k < each.keys.size(); ++k) variant.parameters[each.keys[k]] = values[k];
        product.push_back(std::move(variant));
      }
    }
    sources = std::move(product);
  }
  for (KernelSource& source : sources) {
    std::erase_if(source.directives, isEach);
    for (Directive& directive : source.directives) {
      directive.text = substitute(directive.text, source.parameters, where(directive));
    }
    source.text = substitute(source.text, source.parameters, path.string());
  }
  return sources;
}

std::vector<std::filesystem::path> findKernelFiles(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::filesystem::path extension = entry.path().extension();
    if (entry.is_regular_file() &&
        (extension == ".comp" || extension == ".spvasm" || extension == ".kernel")) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace kernels

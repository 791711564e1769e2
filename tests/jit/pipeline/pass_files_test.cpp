// SPDX-License-Identifier: Apache-2.0

// Tests of passes that are files of LLVM IR (tests/jit/passes): one test for each file.
//
//   ; passes: NAME[, NAME...]  what to run, in this order
//   ; isa: NAME                for which instruction set; the machine's highest unless said
//   ; tiles: NAME              what executes tile instructions; hardware unless said
//   ; expect: REGEX            a line of the result matches, after that of the last one
//   ; expect-not: REGEX        no line does
//   ; expect-count: N REGEX    N lines do
//   ; remark: REGEX            a remark does, as describeRemarks (jit/base/remark.h) has it
//   ; no-remarks: yes          there is none
//
// Lines of the result are without the comments and the metadata of the text.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>

#include "jit/base/remark.h"
#include "jit/pipeline/passes.h"

namespace jit {
namespace {

struct PassFile {
  std::string text;
  std::vector<std::string> passes;
  rt::Isa isa = rt::hostIsa();
  rt::Tiles tiles = rt::Tiles::Hardware;
  std::vector<std::string> expected;  // in order
  std::vector<std::string> refused;
  std::vector<std::pair<size_t, std::string>> counted;
  std::vector<std::string> remarks;
  bool no_remarks = false;
  std::string problem;  // in the file itself
};

PassFile readPassFile(const std::filesystem::path& path) {
  PassFile file;
  std::ifstream stream(path);
  const std::regex directive("; ([a-z-]+): +(.*)");
  for (std::string line; std::getline(stream, line);) {
    file.text += line + "\n";
    std::smatch match;
    if (!std::regex_match(line, match, directive)) continue;
    const std::string name = match[1], value = match[2];
    if (name == "passes") {
      std::istringstream names(value);
      for (std::string pass; std::getline(names >> std::ws, pass, ',');)
        file.passes.push_back(pass);
    } else if (name == "isa") {
      const std::optional<rt::Isa> isa = rt::parseIsa(value);
      if (isa)
        file.isa = *isa;
      else
        file.problem = "no instruction set is called " + value;
    } else if (name == "tiles") {
      const std::optional<rt::Tiles> tiles = rt::parseTiles(value);
      if (tiles)
        file.tiles = *tiles;
      else
        file.problem = "nothing that executes tile instructions is called " + value;
    } else if (name == "expect") {
      file.expected.push_back(value);
    } else if (name == "expect-not") {
      file.refused.push_back(value);
    } else if (name == "expect-count") {
      std::istringstream words(value);
      size_t count = 0;
      std::string pattern;
      if (words >> count && std::getline(words >> std::ws, pattern))
        file.counted.emplace_back(count, pattern);
      else
        file.problem = "expect-count wants a number and a pattern: " + value;
    } else if (name == "remark") {
      file.remarks.push_back(value);
    } else if (name == "no-remarks") {
      file.no_remarks = true;
    } else {
      file.problem = "what is " + name + "?";
    }
  }
  if (file.passes.empty()) file.problem = "it names no pass";
  if (file.expected.empty() && file.refused.empty() && file.counted.empty() &&
      file.remarks.empty() && !file.no_remarks)
    file.problem = "it expects nothing";
  return file;
}

std::vector<std::string> codeOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty() && line[0] != ';' && line[0] != '!') lines.push_back(line);
  return lines;
}

class PassFileTest : public testing::Test {
 public:
  explicit PassFileTest(std::filesystem::path path) : path_(std::move(path)) {}

  void TestBody() override {
    const PassFile file = readPassFile(path_);
    ASSERT_EQ(file.problem, "");
    if (file.isa > rt::hostIsa()) GTEST_SKIP() << "this machine lacks the instruction set";
    std::vector<Remark> remarks;
    llvm::Expected<std::string> result =
        runPassesOnText(file.text, file.passes, makeTarget(file.isa, file.tiles), &remarks);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    const std::string said = describeRemarks(remarks);
    for (const std::string& pattern : file.remarks)
      EXPECT_TRUE(std::regex_search(said, std::regex(pattern))) << pattern << " in\n" << said;
    if (file.no_remarks) {
      EXPECT_EQ(said, "");
    }
    const std::vector<std::string> lines = codeOf(*result);
    auto matches = [&](const std::string& pattern) {
      const std::regex regex(pattern);
      return std::ranges::count_if(
          lines, [&](const std::string& line) { return std::regex_search(line, regex); });
    };
    auto next = lines.begin();
    for (const std::string& pattern : file.expected) {
      const std::regex regex(pattern);
      next = std::find_if(next, lines.end(),
                          [&](const std::string& line) { return std::regex_search(line, regex); });
      ASSERT_NE(next, lines.end()) << "no line matches " << pattern << " (in this order):\n"
                                   << *result;
      ++next;
    }
    for (const std::string& pattern : file.refused)
      EXPECT_EQ(matches(pattern), 0) << pattern << " in\n" << *result;
    for (const auto& [count, pattern] : file.counted)
      EXPECT_EQ(matches(pattern), static_cast<ptrdiff_t>(count)) << pattern << " in\n" << *result;
  }

 private:
  const std::filesystem::path path_;
};

const bool kRegistered = [] {
  for (const auto& entry : std::filesystem::directory_iterator(TESSERA_PASS_FILES)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".ll") continue;
    testing::RegisterTest("PassFiles", path.stem().c_str(), nullptr, nullptr, path.c_str(), 1,
                          [path]() -> PassFileTest* { return new PassFileTest(path); });
  }
  return true;
}();

}  // namespace
}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

// Files that findings of TESSERA_CHECK go to, and what cannot be asked for.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/api/check_fixture.h"

namespace api_test {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string contentOf(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> linesOf(const fs::path& path) {
  std::istringstream text(contentOf(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

class ScopedFolder {
 public:
  ScopedFolder() {
    char path[] = "/tmp/tessera_check_XXXXXX";
    path_ = mkdtemp(path);
  }
  ~ScopedFolder() { fs::remove_all(path_); }
  std::string file(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

class CheckFilesTest : public CheckTest {
 protected:
  // With a device of its own, in which one place has a finding.
  void runProgram() {
    restart();
    const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
    const WordBuffer results = makeBuffer(6);
    name(results.buffer, "results");
    EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), 0), VK_SUCCESS);
    EXPECT_EQ(findings().size(), 1u);
  }

  const ScopedFolder folder;
};

TEST_F(CheckFilesTest, JsonGetsALineForEachFinding) {
  const std::string path = folder.file("findings.json");
  std::ofstream(path) << "what stood there before\n";
  const ScopedVariable variable("TESSERA_CHECK_JSON", path.c_str());
  runProgram();
  runProgram();
  const auto is_finding =
      AllOf(StartsWith("{"), EndsWith("}"), HasSubstr("\"kind\":\"buffer-bounds\""),
            HasSubstr("\"line\":5"), HasSubstr("buffer 'results' of 24 bytes"));
  EXPECT_THAT(linesOf(path), ElementsAre("what stood there before", is_finding, is_finding));
}

// All of the process's, also those of devices that are gone; not those of an earlier process.
TEST_F(CheckFilesTest, SarifHasTheFindingsOfTheProcess) {
  const std::string path = folder.file("findings.sarif");
  std::ofstream(path) << "what stood there before";
  const ScopedVariable variable("TESSERA_CHECK_SARIF", path.c_str());
  restart();
  const std::string none = contentOf(path);  // a log of no findings
  EXPECT_THAT(none, AllOf(StartsWith("{"), EndsWith("}\n"), HasSubstr("\"version\": \"2.1.0\"")));
  EXPECT_EQ(count(none, "\"ruleId\""), 0u);
  for (size_t program = 1; program < 3; ++program) {
    runProgram();
    const std::string text = contentOf(path);
    EXPECT_THAT(text, AllOf(StartsWith("{"), EndsWith("}\n")));
    EXPECT_EQ(count(text, "\"ruleId\": \"memory/buffer-bounds\""), program);
    // In the result's location and in its stack.
    EXPECT_EQ(count(text, "\"startLine\": 5"), 2 * program) << text;
  }
}

TEST_F(CheckFilesTest, TheLogFileHasWhatStderrHasNot) {
  const std::string path = folder.file("log");
  std::ofstream(path) << "what stood there before\n";
  const ScopedVariable variable("TESSERA_LOG_FILE", path.c_str());
  testing::internal::CaptureStderr();
  runProgram();
  EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("tessera: ")));
  EXPECT_THAT(contentOf(path), AllOf(StartsWith("what stood there before\ntessera: memory: buf"),
                                     HasSubstr("\n  at "), HasSubstr("buffer 'results'")));
}

TEST_F(CheckFilesTest, StderrHasThemOtherwise) {
  testing::internal::CaptureStderr();
  runProgram();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("tessera: memory: buffer-bounds: a store of 4 bytes"));
}

// Such as on a disk that becomes full: the program goes on.
TEST_F(CheckFilesTest, FilesThatGoAwayAreNoFailure) {
  const std::string path = folder.file("findings.sarif");
  const ScopedVariable variable("TESSERA_CHECK_SARIF", path.c_str());
  restart();
  const VkPipeline pipeline = pipelineOf(infoOf(kStoringShader));
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(dispatch(pipeline, setOf(makeBuffer(6).buffer), 0), VK_SUCCESS);
  EXPECT_EQ(findings().size(), 1u);
}

class CheckConfigTest : public InstanceTest {
 protected:
  void SetUp() override {}
  void TearDown() override {}

  // Variables and their values. No device is made, and one line says why.
  void expectRefusal(const std::vector<std::pair<const char*, std::string>>& variables,
                     const testing::Matcher<std::string>& why) {
    std::vector<std::unique_ptr<ScopedVariable>> set;
    for (const auto& [variable, value] : variables)
      set.push_back(std::make_unique<ScopedVariable>(variable, value.c_str()));
    InstanceTest::SetUp();
    messages();
    EXPECT_EQ(tryDevice(vk, physical_device), VK_ERROR_INITIALIZATION_FAILED);
    std::vector<std::string> own;
    for (const std::string& message : messages())
      if (message.find("TESSERA_") != std::string::npos) own.push_back(message);
    EXPECT_THAT(own, ElementsAre(AllOf(why, Not(HasSubstr("\n")))));
    InstanceTest::TearDown();
  }

  const ScopedFolder folder;
};

TEST_F(CheckConfigTest, NamesThatAreNone) {
  expectRefusal({{"TESSERA_CHECK", "memori"}}, HasSubstr("TESSERA_CHECK=memori is not understood"));
  expectRefusal({{"TESSERA_CHECK", "memory,,"}},
                HasSubstr("it takes memory, race, uniform, uninit, float, api, assert, or all"));
  expectRefusal({{"TESSERA_CHECK", "memory"}, {"TESSERA_CHECK_ACTION", "stop"}},
                HasSubstr("it takes report, skip, device-lost"));
  expectRefusal({{"TESSERA_CHECK", "memory"}, {"TESSERA_CHECK_LIMIT", "0"}},
                HasSubstr("it takes a number from 1"));
}

TEST_F(CheckConfigTest, AnActionWithoutTheCheck) {
  expectRefusal({{"TESSERA_CHECK_ACTION", "device-lost"}},
                HasSubstr("it takes TESSERA_CHECK=memory"));
}

TEST_F(CheckConfigTest, DecisionsOfUndefinedValues) {
  expectRefusal({{"TESSERA_CHECK", "uninit"}, {"TESSERA_CHECK_UNINIT", "load"}},
                HasSubstr("it takes branch, address, atomic, store"));
  expectRefusal({{"TESSERA_CHECK_UNINIT", "store"}}, HasSubstr("it takes TESSERA_CHECK=uninit"));
}

TEST_F(CheckConfigTest, FilesThatCannotBeWritten) {
  const std::string nowhere = folder.file("nowhere/file");
  for (const char* variable : {"TESSERA_CHECK_JSON", "TESSERA_CHECK_SARIF"}) {
    expectRefusal({{"TESSERA_CHECK", "memory"}, {variable, nowhere}},
                  HasSubstr(variable + ("=" + nowhere) + " cannot be written: No such file"));
    expectRefusal({{"TESSERA_CHECK", "memory"}, {variable, folder.file("")}},
                  HasSubstr("cannot be written: Is a directory"));
  }
  expectRefusal({{"TESSERA_COVERAGE", nowhere}},
                HasSubstr("TESSERA_COVERAGE=" + nowhere + " cannot be written: No such file"));
  expectRefusal({{"TESSERA_TRACE", nowhere}},
                HasSubstr("TESSERA_TRACE=" + nowhere + " cannot be written: No such file"));
  expectRefusal({{"TESSERA_LOG_FILE", nowhere}},
                HasSubstr("TESSERA_LOG_FILE=" + nowhere + " cannot be opened"));
}

}  // namespace
}  // namespace api_test

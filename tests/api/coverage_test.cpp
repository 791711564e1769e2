// SPDX-License-Identifier: Apache-2.0

// TESSERA_COVERAGE: the lines and branches of shaders that a process has reached.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/api/check_fixture.h"

namespace api_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Line 8 is reached by invocations from `first` on, line 10 by the others, line 14 by none.
constexpr const char* kBranchingShader = R"(#version 450
layout(local_size_x = 8) in;
layout(push_constant) uniform Push { uint first; };
layout(set = 0, binding = 0) buffer Results { uint words[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i >= first)
    words[i] = 7;
  else {
    words[i] = 9;
    words[i] += 1;
  }
  if (words[0] == 1234567)
    words[0] = 2;
})";

class CoverageTest : public CheckTest {
 protected:
  CoverageTest() {
    useCheck("");
    std::string pattern = std::filesystem::temp_directory_path() / "tessera_coverage_XXXXXX";
    folder_ = mkdtemp(pattern.data());
    file = folder_ / "coverage.info";
    variable_.emplace("TESSERA_COVERAGE", file.c_str());
  }
  ~CoverageTest() override { std::filesystem::remove_all(folder_); }

  std::string fileText() const {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  void runFrom(uint64_t first) {
    const VkPipeline pipeline = pipelineOf(infoOf(kBranchingShader));
    const WordBuffer results = makeBuffer(8);
    EXPECT_EQ(dispatch(pipeline, setOf(results.buffer), first), VK_SUCCESS);
    EXPECT_EQ(results.words[7], first <= 7 ? 7u : 10u);
  }

  std::filesystem::path file;

 private:
  std::filesystem::path folder_;
  std::optional<ScopedVariable> variable_;
};

TEST_F(CoverageTest, HasLinesAndBranchesOfAllPipelines) {
  runFrom(0);
  restart();
  EXPECT_THAT(fileText(),
              AllOf(HasSubstr("SF:test.comp\n"), HasSubstr("\nDA:8,1\n"), HasSubstr("\nDA:10,0\n"),
                    HasSubstr("\nDA:11,0\n"), HasSubstr("\nDA:14,0\n"),
                    HasSubstr("\nBRDA:7,0,0,1\nBRDA:7,0,1,0\n"),
                    HasSubstr("\nBRDA:13,0,0,0\nBRDA:13,0,1,1\n"), HasSubstr("\nend_of_record\n"),
                    HasSubstr("\nBRF:4\nBRH:2\n")));
  runFrom(3);  // of another device
  restart();
  EXPECT_THAT(fileText(),
              AllOf(HasSubstr("\nDA:8,1\n"), HasSubstr("\nDA:10,1\n"), HasSubstr("\nDA:11,1\n"),
                    HasSubstr("\nDA:14,0\n"), HasSubstr("\nBRDA:7,0,0,1\nBRDA:7,0,1,1\n"),
                    HasSubstr("\nBRF:4\nBRH:3\n")));
}

TEST_F(CoverageTest, WhatNeverRanIsNotReached) {
  pipelineOf(infoOf(kBranchingShader));
  restart();
  EXPECT_THAT(fileText(), AllOf(HasSubstr("\nDA:8,0\n"), HasSubstr("\nBRDA:7,0,0,-\n"),
                                HasSubstr("\nLH:0\n"), Not(HasSubstr(",1\n"))));
}

TEST_F(CoverageTest, ShadersWithoutLinesAreToldOnce) {
  VkComputePipelineCreateInfo info = infoOf(kBranchingShader);
  info.stage.module = makeModule(host::compileGlsl(kBranchingShader, "test.comp", {}));
  for (int k = 0; k < 2; ++k) {
    const VkPipeline pipeline = pipelineOf(info);
    EXPECT_EQ(dispatch(pipeline, setOf(makeBuffer(8).buffer), 0), VK_SUCCESS);
    EXPECT_EQ(wasTold("a shader has no lines for TESSERA_COVERAGE"), k == 0);
  }
}

}  // namespace
}  // namespace api_test

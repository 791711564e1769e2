// SPDX-License-Identifier: Apache-2.0

// The file of a timeline: texts of any bytes, several writers, limits, forks.
#include "runtime/trace/trace.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "runtime/clock.h"
#include "runtime/trace/json_text.h"

namespace rt {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string jsonOf(std::string_view text) {
  std::string json;
  appendJson(json, text);
  return json;
}

TEST(JsonTextTest, EscapesWhatJsonHasNot) {
  EXPECT_EQ(jsonOf("a \"b\" \\ c\n\x01\x7f"), "\"a \\\"b\\\" \\\\ c\\u000a\\u0001\\u007f\"");
}

TEST(JsonTextTest, KeepsCharactersAndReplacesOtherBytes) {
  EXPECT_EQ(jsonOf("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
            "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
  // A continuation alone, one too few, longer than needed, a surrogate, past the last character.
  for (std::string_view bytes : {"\x80", "\xc3", "\xe2\x82", "\xc0\x80", "\xe0\x80\x80",
                                 "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff"}) {
    std::string expected = "\"";
    for (size_t k = 0; k < bytes.size(); ++k) expected += "\xef\xbf\xbd";
    EXPECT_EQ(jsonOf(bytes), expected + "\"");
  }
}

class TraceTest : public testing::Test {
 protected:
  TraceTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "tessera_trace_XXXXXX";
    folder_ = mkdtemp(pattern.data());
    path_ = folder_ / "trace.json";
  }
  ~TraceTest() override { std::filesystem::remove_all(folder_); }

  std::string fileText() const {
    std::ifstream stream(path_);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  static long countOf(const std::string& text, std::string_view part) {
    long count = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
  }

  std::filesystem::path folder_;
  std::string path_;
};

constexpr uint64_t kMuch = 1 << 20;

TEST_F(TraceTest, TheFileIsWholeAfterEachAppend) {
  auto file = TraceFile::open(path_);
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(fileText(), "[\n]\n");
  EXPECT_EQ(file->append("{\"a\":1}", kMuch), TraceFile::Outcome::Added);
  EXPECT_EQ(fileText(), "[\n{\"a\":1}\n]\n");
  EXPECT_EQ(file->append("{\"b\":2}", kMuch), TraceFile::Outcome::Added);
  EXPECT_EQ(fileText(), "[\n{\"a\":1},\n{\"b\":2}\n]\n");
  EXPECT_EQ(file->append("{\"c\":3}", 25), TraceFile::Outcome::Full);
  EXPECT_EQ(fileText(), "[\n{\"a\":1},\n{\"b\":2}\n]\n");
}

TEST_F(TraceTest, WhoOpensItWhileItIsInUseAddsToIt) {
  auto first = TraceFile::open(path_);
  first->append("{\"a\":1}", kMuch);
  auto second = TraceFile::open(path_);
  ASSERT_NE(second, nullptr);
  second->append("{\"b\":2}", kMuch);
  first->append("{\"c\":3}", kMuch);
  EXPECT_EQ(fileText(), "[\n{\"a\":1},\n{\"b\":2},\n{\"c\":3}\n]\n");
  first.reset();
  second.reset();
  auto third = TraceFile::open(path_);
  EXPECT_EQ(fileText(), "[\n]\n");
}

TEST_F(TraceTest, WhatCannotBeWrittenIsNotOpened) {
  EXPECT_EQ(Trace::open(folder_ / "nowhere" / "file", kMuch), nullptr);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(Trace::open("/dev/full", kMuch), nullptr);
  EXPECT_EQ(errno, ENOSPC);
}

TEST_F(TraceTest, ThreadsWriteOneFile) {
  auto trace = Trace::open(path_, kMuch);
  ASSERT_EQ(Trace::open(path_, kMuch), trace);
  constexpr int kThreads = 4, kSpans = 500;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&] {
        for (int k = 0; k < kSpans; ++k)
          trace->span(TraceTrack::Worker, "test", "work", now(), now());
      });
  }
  trace->flush();
  const std::string text = fileText();
  EXPECT_EQ(countOf(text, "\"ph\":\"X\""), kThreads * kSpans);
  EXPECT_EQ(countOf(text, "\"thread_name\""), kThreads);
  EXPECT_TRUE(text.starts_with("[\n{") && text.ends_with("}\n]\n"));
  EXPECT_EQ(trace->takeProblem(), std::nullopt);
}

TEST_F(TraceTest, LanesAreUsedAgain) {
  auto trace = Trace::open(path_, kMuch);
  for (int k = 0; k < 3; ++k) Trace::Lane(*trace).span("test", "alone", now(), now());
  {
    Trace::Lane one(*trace), two(*trace);
    two.span("test", "beside", now(), now());
  }
  trace->flush();
  EXPECT_EQ(countOf(fileText(), "\"compiler 1\""), 1);
  EXPECT_EQ(countOf(fileText(), "\"compiler 2\""), 1);
  EXPECT_EQ(countOf(fileText(), "\"compiler 3\""), 0);
}

TEST_F(TraceTest, AFullFileIsSaidOnce) {
  auto trace = Trace::open(path_, 600);
  for (int k = 0; k < 20; ++k) {
    trace->instant(TraceTrack::Application, "test", "an event of some length");
    trace->flush();
  }
  EXPECT_LE(std::filesystem::file_size(path_), 600u);
  EXPECT_THAT(trace->takeProblem().value_or(""),
              HasSubstr("is full: its timeline ends at TESSERA_TRACE_SIZE, 600 bytes"));
  EXPECT_EQ(trace->takeProblem(), std::nullopt);
}

TEST_F(TraceTest, AForkedChildWritesNothingButToATraceOfItsOwn) {
  auto trace = Trace::open(path_, kMuch);
  trace->instant(TraceTrack::Application, "test", "of the parent");
  const pid_t child = fork();
  if (child == 0) {
    trace->instant(TraceTrack::Application, "test", "left behind");
    trace->flush();
    auto own = Trace::open(path_, kMuch);
    own->instant(TraceTrack::Application, "test", "of the child");
    own->flush();
    _exit(own == trace ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  trace->flush();
  const std::string text = fileText();
  EXPECT_EQ(countOf(text, "\"of the parent\""), 1);
  EXPECT_EQ(countOf(text, "\"of the child\""), 1);
  EXPECT_THAT(text, Not(HasSubstr("left behind")));
}

TEST_F(TraceTest, ArgumentsAreJson) {
  TraceArgs args;
  args.add("text", std::string_view("\"quoted\""));
  args.add("number", uint64_t{7});
  const uint32_t numbers[] = {1, 2, 3};
  args.add("numbers", std::span<const uint32_t>(numbers));
  const std::vector<std::string> texts = {"a", "b"};
  args.add("texts", std::span<const std::string>(texts));
  EXPECT_EQ(args.text(), R"("text":"\"quoted\"","number":7,"numbers":[1,2,3],"texts":["a","b"])");
}

}  // namespace
}  // namespace rt

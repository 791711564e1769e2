// SPDX-License-Identifier: Apache-2.0

#include "runtime/log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/printable.h"

namespace rt {
namespace {

TEST(Log, WritesUpToItsLevel) {
  Log log(LogLevel::Warning);
  testing::internal::CaptureStderr();
  log.error("first");
  log.warning("second\nline");
  log.info("third");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tessera: error: first\ntessera: warning: second\nline\n");
}

TEST(Log, OffWritesNothing) {
  Log log(LogLevel::Off);
  testing::internal::CaptureStderr();
  log.error("first");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Names that an application or a module gives may be part of messages.
TEST(Log, ControlBytesAreEscaped) {
  Log log(LogLevel::Error);
  std::string seen;
  log.setSink([&](LogLevel, std::string_view text) { seen = text; });
  testing::internal::CaptureStderr();
  log.error("a\x1b[2J\r\x7f\xc2\x9b\tb\nc \xc3\xa9");
  const std::string expected = "a\\x1b[2J\\x0d\\x7f\\xc2\\x9b\tb\nc \xc3\xa9";
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "tessera: error: " + expected + "\n");
  EXPECT_EQ(seen, expected);
}

TEST(Printable, IsOneLine) {
  EXPECT_EQ(printable("name\ntessera: error: more\x1b[0m\xc2"),
            "name\\ntessera: error: more\\x1b[0m\xc2");
  EXPECT_EQ(printable("\xc2\x80\xc2\xa0"), "\\xc2\\x80\xc2\xa0");
  EXPECT_EQ(printable(""), "");
  EXPECT_FALSE(hasControlBytes("two\nlines\tand a tab"));
}

TEST(Log, TheSinkGetsEverything) {
  Log log(LogLevel::Off);
  std::vector<std::string> seen;
  log.setSink([&](LogLevel level, std::string_view text) {
    seen.push_back(std::to_string(int(level)) + std::string(text));
  });
  log.error("a");
  log.info("b");
  log.setSink({});
  log.error("c");
  EXPECT_EQ(seen, (std::vector<std::string>{"1a", "3b"}));
}

TEST(Log, TheSinkMayLogAndReplaceItself) {
  Log log(LogLevel::Off);
  int calls = 0;
  log.setSink([&](LogLevel level, std::string_view) {
    ++calls;
    if (level == LogLevel::Error) log.warning("from inside");
    if (level == LogLevel::Info) log.setSink({});
  });
  log.error("a");
  EXPECT_EQ(calls, 2);
  log.info("b");
  log.error("c");
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace rt

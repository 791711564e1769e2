// SPDX-License-Identifier: Apache-2.0

#include "jit/base/json.h"

#include <gtest/gtest.h>

namespace jit {
namespace {

Json read(std::string_view text) {
  auto json = parseJson(text);
  EXPECT_TRUE(std::holds_alternative<Json>(json)) << text;
  return std::holds_alternative<Json>(json) ? std::get<Json>(std::move(json)) : Json{};
}

TEST(Json, Values) {
  const Json json =
      read(R"({"b": [1, -2, 2.5, 18446744073709551615, true, null], "a": "\u00e4\\"})");
  ASSERT_NE(json.members(), nullptr);
  EXPECT_EQ(json.members()->front().name, "a");
  EXPECT_EQ(*json.find("a")->text(), "\u00e4\\");
  EXPECT_EQ(json.find("c"), nullptr);
  const std::vector<Json>& all = *json.find("b")->elements();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0].number()->natural, 1u);
  EXPECT_EQ(all[1].number()->natural, std::nullopt);
  EXPECT_EQ(all[1].number()->real, -2);
  EXPECT_EQ(all[2].number()->natural, std::nullopt);
  EXPECT_EQ(all[3].number()->natural, UINT64_MAX);
  EXPECT_TRUE(*all[4].boolean());
  EXPECT_EQ(all[5].boolean(), nullptr);
  EXPECT_TRUE(all[5].isNull());
  EXPECT_EQ(all[5].find("a"), nullptr);
}

TEST(Json, WhatIsWrongIsSaidWithItsPlace) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "\"\xff\"", "1 2"})
    EXPECT_TRUE(std::holds_alternative<std::string>(parseJson(text))) << text;
  EXPECT_NE(std::get<std::string>(parseJson("{\n  \"a\": }")).find("2:"), std::string::npos);
}

// The parser recurses: what is too deep for the stack must not reach it.
TEST(Json, DepthIsLimited) {
  auto nested = [](int depth) {
    return std::string(static_cast<size_t>(depth), '[') +
           std::string(static_cast<size_t>(depth), ']');
  };
  read(nested(kMaxJsonDepth));
  EXPECT_TRUE(std::holds_alternative<std::string>(parseJson(nested(kMaxJsonDepth + 1))));
  EXPECT_TRUE(std::holds_alternative<std::string>(parseJson(std::string(1 << 24, '['))));
  read("[\"" + std::string(1000, '[') + "\\\"[\"]");
}

}  // namespace
}  // namespace jit

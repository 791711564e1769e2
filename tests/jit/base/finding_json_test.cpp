// SPDX-License-Identifier: Apache-2.0

// Findings as other programs read them, who read them with LLVM's JSON here.
#include "jit/base/finding_json.h"

#include <gmock/gmock.h>
#include <llvm/Support/JSON.h>

#include <algorithm>
#include <deque>
#include <type_traits>

namespace jit {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using testing::ElementsAre;

rt::Finding ordinaryFinding() {
  return {.kind = rt::FindingKind::Address,
          .what = "a store of 4 bytes at device address 0xabc0",
          .site = {.shader = "softmax.comp",
                   .instruction = "OpStore",
                   .word = 1234,
                   .object = "'Results' (set 0, binding 1)",
                   .workgroup_size = {8, 4, 2},
                   .subgroup_size = 32,
                   .frames = {{"softmax.comp", 17, 5, "put"}, {"softmax.comp", 40, 0, "main"}}},
          .actor = rt::Actor{.workgroup = {1, 2, 3}, .subgroup = 1, .invocation = 43, .others = 2},
          .details = {"buffer 'results' of 240 bytes, byte 0", "second"},
          .address = 0xabc0,
          .is_store = true};
}

// An object that lives as long as the test; a failure, and an empty one, if the text is none.
class FindingJsonTest : public testing::Test {
 protected:
  const Object& parsed(const std::string& text) {
    llvm::Expected<Value> value = llvm::json::parse(text);
    if (!value) {
      ADD_FAILURE() << llvm::toString(value.takeError()) << "\n" << text;
      values_.emplace_back(Object{});
    } else {
      values_.push_back(std::move(*value));
    }
    return *values_.back().getAsObject();
  }
  const Object& json(const rt::Finding& finding) {
    const std::string text = jsonOf(finding);
    EXPECT_EQ(std::ranges::count(text, '\n'), 0) << text;
    return parsed(text);
  }
  const Object& run(std::span<const rt::Finding> findings) {
    const Object& log = parsed(sarifOf(findings, "1.2.3"));
    EXPECT_EQ(string(log, "version"), "2.1.0");
    EXPECT_EQ(string(log, "$schema"), "https://json.schemastore.org/sarif-2.1.0.json");
    return object(array(log, "runs"), 0);
  }
  const Object& result(const rt::Finding& finding) {
    return object(array(run({&finding, 1}), "results"), 0);
  }
  // The URI of a result whose file this is.
  std::string uriOf(const std::string& file) {
    rt::Finding finding = ordinaryFinding();
    finding.site.frames = {{file, 1, 0, ""}};
    const Object& location = object(array(result(finding), "locations"), 0);
    return string(object(object(location, "physicalLocation"), "artifactLocation"), "uri");
  }

  // What must be there.
  static const Object& object(const Object& of, llvm::StringRef key) {
    static const Object kNone;
    const Object* found = of.getObject(key);
    EXPECT_NE(found, nullptr) << key.str();
    return found != nullptr ? *found : kNone;
  }
  static const Array& array(const Object& of, llvm::StringRef key) {
    static const Array kNone;
    const Array* found = of.getArray(key);
    EXPECT_NE(found, nullptr) << key.str();
    return found != nullptr ? *found : kNone;
  }
  static const Object& object(const Array& of, size_t index) {
    static const Object kNone;
    const Object* found = index < of.size() ? of[index].getAsObject() : nullptr;
    EXPECT_NE(found, nullptr) << index;
    return found != nullptr ? *found : kNone;
  }
  static std::string string(const Object& of, llvm::StringRef key) {
    const auto found = of.getString(key);
    EXPECT_TRUE(found) << key.str();
    return found ? found->str() : "";
  }
  static int64_t number(const Object& of, llvm::StringRef key) {
    const auto found = of.getInteger(key);
    EXPECT_TRUE(found) << key.str();
    return found.value_or(-1);
  }
  template <typename Element>
  static std::vector<Element> listOf(const Array& from) {
    std::vector<Element> list;
    for (const Value& value : from) {
      if constexpr (std::is_same_v<Element, std::string>)
        list.push_back(value.getAsString().value_or("(no text)").str());
      else
        list.push_back(value.getAsInteger().value_or(-1));
    }
    return list;
  }

 private:
  std::deque<Value> values_;
};

TEST_F(FindingJsonTest, AnObjectHasAllThatIsKnown) {
  const Object& finding = json(ordinaryFinding());
  EXPECT_EQ(string(finding, "check"), "memory");
  EXPECT_EQ(string(finding, "kind"), "address");
  EXPECT_EQ(string(finding, "id"), "VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819");
  EXPECT_EQ(string(finding, "what"), "a store of 4 bytes at device address 0xabc0");
  EXPECT_EQ(string(finding, "shader"), "softmax.comp");
  EXPECT_EQ(string(finding, "instruction"), "OpStore");
  EXPECT_EQ(number(finding, "word"), 1234);
  EXPECT_EQ(string(finding, "object"), "'Results' (set 0, binding 1)");
  EXPECT_EQ(string(finding, "address"), "0xabc0");
  EXPECT_THAT(listOf<std::string>(array(finding, "details")),
              ElementsAre("buffer 'results' of 240 bytes, byte 0", "second"));
  ASSERT_EQ(array(finding, "frames").size(), 2u);
  const Object& frame = object(array(finding, "frames"), 0);
  EXPECT_EQ(string(frame, "file"), "softmax.comp");
  EXPECT_EQ(number(frame, "line"), 17);
  EXPECT_EQ(number(frame, "column"), 5);
  EXPECT_EQ(string(frame, "function"), "put");
  const Object& by = object(finding, "by");
  EXPECT_THAT(listOf<int64_t>(array(by, "workgroup")), ElementsAre(1, 2, 3));
  EXPECT_EQ(number(by, "subgroup"), 1);
  EXPECT_EQ(number(by, "localInvocationIndex"), 43);
}

TEST_F(FindingJsonTest, WhatIsNotKnownIsLeftOut) {
  const Object& finding = json({.kind = rt::FindingKind::VariableBounds,
                                .what = {},
                                .site = {},
                                .actor = {},
                                .details = {}});
  EXPECT_EQ(finding.get("by"), nullptr);
  EXPECT_EQ(finding.get("address"), nullptr);
  EXPECT_TRUE(array(finding, "frames").empty());
  EXPECT_TRUE(array(finding, "details").empty());
}

TEST_F(FindingJsonTest, NumbersAreWhole) {
  rt::Finding finding = ordinaryFinding();
  finding.address = ~uint64_t{0};
  finding.site.word = ~0u;
  finding.site.frames = {{"", ~0u, ~0u, ""}};
  const Object& object = json(finding);
  EXPECT_EQ(string(object, "address"), "0xffffffffffffffff");
  EXPECT_EQ(number(object, "word"), 0xffffffff);
  EXPECT_EQ(number(FindingJsonTest::object(array(object, "frames"), 0), "line"), 0xffffffff);
}

TEST_F(FindingJsonTest, NamesOfAnyBytesAreText) {
  rt::Finding finding = ordinaryFinding();
  const std::string odd("\"\\\n\t\x01\xff\xc3\xa9\xed\xa0\x80/", 12);
  finding.what = finding.site.shader = finding.site.object = finding.site.instruction = odd;
  finding.site.frames = {{odd, 1, 0, odd}};
  finding.details = {odd};
  const std::string text = string(json(finding), "what");
  EXPECT_TRUE(llvm::json::isUTF8(text));
  EXPECT_TRUE(text.starts_with("\"\\\n\t\x01\xef\xbf\xbd\xc3\xa9")) << text;
  EXPECT_EQ(string(json(finding), "shader"), text);
  EXPECT_EQ(string(object(result(finding), "message"), "text").find("memory: address: \"\\"), 0u);
}

TEST_F(FindingJsonTest, ALogWithoutFindingsHasItsRules) {
  const Object& empty = run({});
  EXPECT_TRUE(array(empty, "results").empty());
  EXPECT_EQ(string(empty, "columnKind"), "utf16CodeUnits");
  const Object& driver = object(object(empty, "tool"), "driver");
  EXPECT_EQ(string(driver, "name"), "Tessera");
  EXPECT_EQ(string(driver, "semanticVersion"), "1.2.3");
  const Array& rules = array(driver, "rules");
  ASSERT_EQ(rules.size(), std::size(rt::kFindings));
  for (size_t k = 0; k < rules.size(); ++k) {
    const rt::FindingRow& row = rt::kFindings[k];
    EXPECT_EQ(string(object(rules, k), "id"),
              std::string(rt::nameOf(row.check)) + "/" + std::string(row.name));
    EXPECT_EQ(string(object(object(rules, k), "shortDescription"), "text"), row.help);
    EXPECT_EQ(string(object(object(rules, k), "properties"), "messageId"), row.id);
  }
}

TEST_F(FindingJsonTest, AResultHasItsRuleItsLocationAndItsStack) {
  rt::Finding finding = ordinaryFinding();
  const Object& made = result(finding);
  EXPECT_EQ(string(made, "ruleId"), "memory/address");
  EXPECT_EQ(number(made, "ruleIndex"), static_cast<int64_t>(finding.kind));
  EXPECT_EQ(string(made, "level"), "error");
  EXPECT_EQ(string(object(made, "message"), "text"), rt::textOf(finding));
  ASSERT_EQ(array(made, "locations").size(), 1u);
  const Object& location = object(array(made, "locations"), 0);
  const Object& physical = object(location, "physicalLocation");
  EXPECT_EQ(string(object(physical, "artifactLocation"), "uri"), "softmax.comp");
  EXPECT_EQ(number(object(physical, "region"), "startLine"), 17);
  EXPECT_EQ(number(object(physical, "region"), "startColumn"), 5);
  const Object& function = object(array(location, "logicalLocations"), 0);
  EXPECT_EQ(string(function, "name"), "put");
  EXPECT_EQ(string(function, "kind"), "function");
  ASSERT_EQ(array(made, "stacks").size(), 1u);
  const Array& frames = array(object(array(made, "stacks"), 0), "frames");
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(*object(frames, 0).getObject("location"), location);
  const Object& caller = object(object(frames, 1), "location");
  const Object& call = object(object(caller, "physicalLocation"), "region");
  EXPECT_EQ(number(call, "startLine"), 40);
  EXPECT_EQ(call.get("startColumn"), nullptr);  // which counts from 1
}

TEST_F(FindingJsonTest, ResultsKeepTheirOrder) {
  rt::Finding one = ordinaryFinding(), other = ordinaryFinding();
  other.kind = rt::FindingKind::Alignment;
  const rt::Finding findings[] = {one, other, one};
  const Array& results = array(run(findings), "results");
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(string(object(results, 0), "ruleId"), "memory/address");
  EXPECT_EQ(string(object(results, 1), "ruleId"), "memory/alignment");
}

TEST_F(FindingJsonTest, AModuleWithoutLinesGivesNoLocation) {
  rt::Finding finding = ordinaryFinding();
  finding.site.frames.clear();
  EXPECT_EQ(result(finding).get("locations"), nullptr);
  EXPECT_EQ(result(finding).get("stacks"), nullptr);
}

// Lines count from 1 in SARIF.
TEST_F(FindingJsonTest, AnUnknownLineIsNoRegion) {
  rt::Finding finding = ordinaryFinding();
  finding.site.frames = {{"a.comp", 0, 0, "main"}};
  const Object& location = object(array(result(finding), "locations"), 0);
  EXPECT_EQ(object(location, "physicalLocation").get("region"), nullptr);
}

TEST_F(FindingJsonTest, PathsAreUris) {
  EXPECT_EQ(uriOf("shaders/a-b_c.d~1.comp"), "shaders/a-b_c.d~1.comp");
  EXPECT_EQ(uriOf("/home/me/a.comp"), "file:///home/me/a.comp");
  EXPECT_EQ(uriOf("../a b#c?d%e.comp"), "../a%20b%23c%3Fd%25e.comp");
  EXPECT_EQ(uriOf("C:\\shaders\\a.comp"), "C%3A%5Cshaders%5Ca.comp");
  EXPECT_EQ(uriOf("a:b"), "a%3Ab");                     // no scheme
  EXPECT_EQ(uriOf("//host/a"), "file:////host/a");      // no host
  EXPECT_EQ(uriOf("\xc3\xa9\xff"), "%C3%A9%EF%BF%BD");  // UTF-8, and what is none
  EXPECT_EQ(uriOf("<stdin>[0]"), "%3Cstdin%3E%5B0%5D");
  EXPECT_EQ(uriOf(std::string("a\n\0b", 4)), "a%0A%00b");
  EXPECT_EQ(uriOf(""), "shader");
}

}  // namespace
}  // namespace jit

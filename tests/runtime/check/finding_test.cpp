// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/finding.h"

#include <gtest/gtest.h>

namespace rt {
namespace {

using namespace std::string_literals;

void expectEqual(const CheckSite& a, const CheckSite& b) {
  EXPECT_EQ(a.shader, b.shader);
  EXPECT_EQ(a.instruction, b.instruction);
  EXPECT_EQ(a.word, b.word);
  EXPECT_EQ(a.object, b.object);
  EXPECT_EQ(a.workgroup_size, b.workgroup_size);
  EXPECT_EQ(a.subgroup_size, b.subgroup_size);
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (size_t k = 0; k < a.frames.size(); ++k) {
    EXPECT_EQ(a.frames[k].file, b.frames[k].file) << k;
    EXPECT_EQ(a.frames[k].line, b.frames[k].line) << k;
    EXPECT_EQ(a.frames[k].column, b.frames[k].column) << k;
    EXPECT_EQ(a.frames[k].function, b.frames[k].function) << k;
  }
}

CheckSite ordinarySite() {
  return {.shader = "softmax.comp",
          .instruction = "OpStore",
          .word = 1234,
          .object = "'Results' (set 0, binding 1)",
          .workgroup_size = {8, 4, 2},
          .subgroup_size = 32,
          .frames = {{"softmax.comp", 17, 5, "put"}, {"softmax.comp", 40, 0, "main"}}};
}

TEST(CheckSite, ComesBackFromItsDescription) {
  const CheckSite site = ordinarySite();
  expectEqual(readSite(describeSite(site)), site);
}

TEST(CheckSite, FieldsMayBeEmpty) {
  expectEqual(readSite(describeSite({})), {});
  CheckSite site;
  site.word = ~0u;
  site.frames = {{}, {"", 3, 0, ""}, {"a file", 0, 0, ""}, {"", ~0u, ~0u, "f"}};
  expectEqual(readSite(describeSite(site)), site);
}

// Nothing in a name can be taken for the end of a field, or for the end of the string.
TEST(CheckSite, OddCharactersStayInTheirFields) {
  CheckSite site = ordinarySite();
  const std::string odd = "a\tb\nc\x1b[2J\r\0\x7f\xff\xc2\x9b \xc3\xa9"s;
  site.shader = site.object = site.instruction = odd;
  site.frames = {{odd, 1, 2, odd}, {odd, 3, 4, odd}};
  const std::string text = describeSite(site);
  EXPECT_EQ(text.find('\0'), std::string::npos);
  // What a terminal takes for commands is escaped, a tab becomes a space.
  const std::string clean = "a b\\nc\\x1b[2J\\x0d\\x00\\x7f\xff\\xc2\\x9b \xc3\xa9";
  site.shader = site.object = site.instruction = clean;
  site.frames = {{clean, 1, 2, clean}, {clean, 3, 4, clean}};
  expectEqual(readSite(text), site);
}

// It divides by sizes.
TEST(CheckSite, OfAnyTextCanBeUsed) {
  for (const char* text :
       {"", "\n", "a", "a\nb\nc\nd\n0\t0\t0\t0\n\t\t\t\n\n", "\t\t\n\t\n99999999999"}) {
    const CheckSite site = readSite(text);
    for (uint32_t size : site.workgroup_size) EXPECT_GE(size, 1u);
    EXPECT_GE(site.subgroup_size, 1u);
  }
}

Finding ordinaryFinding() {
  return {.kind = FindingKind::BufferBounds,
          .what = "a store of 4 bytes begins at byte 240 of 240",
          .site = ordinarySite(),
          .actor = Actor{.workgroup = {1, 2, 3}, .subgroup = 1, .invocation = 43, .others = 2},
          .details = {"buffer 'results' of 240 bytes, byte 0", "second"}};
}

TEST(Finding, ForPeople) {
  const Finding finding = ordinaryFinding();
  EXPECT_EQ(headOf(finding), "memory: buffer-bounds: a store of 4 bytes begins at byte 240 of 240");
  EXPECT_EQ(textOf(finding),
            "memory: buffer-bounds: a store of 4 bytes begins at byte 240 of 240\n"
            "  at softmax.comp:17:5, in put: OpStore\n"
            "  called at softmax.comp:40, in main\n"
            "  by workgroup (1, 2, 3), subgroup 1, invocation (3, 1, 1) of it, (11, 9, 7) of all; "
            "2 more of the subgroup do the same\n"
            "  buffer 'results' of 240 bytes, byte 0\n"
            "  second\n"
            "  of the shader softmax.comp");
}

TEST(Finding, WhatIsNotKnownIsLeftOut) {
  Finding finding = ordinaryFinding();
  finding.details.clear();
  finding.site.shader.clear();
  finding.site.frames.clear();
  finding.actor = Actor{.workgroup = {1, 2, 3}, .subgroup = {}, .invocation = {}};
  EXPECT_EQ(textOf(finding),
            headOf(finding) + "\n  at word 1234 of the module: OpStore\n  by workgroup (1, 2, 3)");
  finding.actor->subgroup = 4;
  EXPECT_EQ(textOf(finding), headOf(finding) +
                                 "\n  at word 1234 of the module: OpStore\n"
                                 "  by workgroup (1, 2, 3), subgroup 4");
  finding.actor.reset();
  finding.site.frames = {{"", 3, 0, ""}};
  EXPECT_EQ(textOf(finding), headOf(finding) + "\n  at line:3: OpStore");
}

TEST(Finding, KindsHaveNamesAndIdsOfTheirOwn) {
  for (const FindingRow& row : kFindings) {
    EXPECT_NE(row.id, "");
    EXPECT_TRUE(row.help.ends_with(".")) << row.name;
    for (const FindingRow& other : kFindings) {
      if (&row == &other) continue;
      EXPECT_NE(row.id, other.id);
      EXPECT_FALSE(row.check == other.check && row.name == other.name) << row.name;
    }
  }
}

TEST(Finding, OfTheApiHasNoPlace) {
  Finding finding{.kind = FindingKind::DestroyedInUse, .what = "vkDestroyFoo: foo 'a' is in use"};
  finding.details = {"used by submission 3"};
  EXPECT_FALSE(hasPlace(finding));
  EXPECT_EQ(textOf(finding),
            "api: destroyed-in-use: vkDestroyFoo: foo 'a' is in use\n  used by submission 3");
  EXPECT_EQ(idOf(finding), "api-destroyed-in-use");
  finding.id = "VUID-vkDestroyFoo-foo-00001";
  EXPECT_EQ(idOf(finding), "VUID-vkDestroyFoo-foo-00001");
}

}  // namespace
}  // namespace rt

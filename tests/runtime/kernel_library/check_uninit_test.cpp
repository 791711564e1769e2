// SPDX-License-Identifier: Apache-2.0

// Rows and columns of matrices' shadows, and reports of undefined values.
#include "runtime/kernel_library/check_uninit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "runtime/check/checker.h"

namespace rt {
namespace {

using testing::HasSubstr;

constexpr uint32_t kRows = 3, kColumns = 4, kComponent = 2;

std::vector<std::byte> shadowWith(uint32_t row, uint32_t column) {
  std::vector<std::byte> shadow(size_t{kRows} * kColumns * kComponent);
  shadow[(row * kColumns + column) * kComponent + 1] = std::byte{0x10};
  return shadow;
}

TEST(UndefinedLines, RowsAndColumns) {
  const std::vector<std::byte> shadow = shadowWith(2, 1);
  EXPECT_EQ(undefinedLines(shadow.data(), ShadowForm{kRows, kColumns, kComponent, false}.pack()),
            0b100u);
  EXPECT_EQ(undefinedLines(shadow.data(), ShadowForm{kRows, kColumns, kComponent, true}.pack()),
            0b010u);
}

// More than a number has bits: rows share them.
TEST(UndefinedLines, ManyRowsShareBits) {
  std::vector<std::byte> shadow(100);
  shadow[70] = std::byte{1};
  EXPECT_EQ(undefinedLines(shadow.data(), ShadowForm{100, 1, 1, false}.pack()), uint64_t{1} << 6);
}

TEST(UndefineLines, IsTheInverse) {
  std::vector<std::byte> shadow(size_t{kRows} * kColumns * kComponent);
  const uint64_t form = ShadowForm{kRows, kColumns, kComponent, false}.pack();
  undefineLines(shadow.data(), form, 0b010, 0b1000);
  for (uint32_t row = 0; row < kRows; ++row)
    for (uint32_t byte = 0; byte < kColumns * kComponent; ++byte)
      EXPECT_EQ(shadow[row * kColumns * kComponent + byte] != std::byte{0},
                row == 1 || byte / kComponent == 3)
          << row << " " << byte;
}

struct Reports {
  std::vector<Finding> findings;
  Checker checker;
  DispatchArgs args{};

  Reports() : checker(options(), [this](const Finding& finding) { findings.push_back(finding); }) {
    args.checker = &checker;
  }
  static Checker::Options options() {
    CheckSet checks;
    checks.add(Check::Uninit);
    return {.checks = checks};
  }
};

TEST(UninitFound, TellsTheLanesWhoseValueIsUndefined) {
  Reports reports;
  const std::string site = describeSite({.shader = "s", .instruction = "OpStore", .object = "'x'"});
  const CheckedWorkgroup workgroup{{1, 0, 0}, 0};
  const std::array<uint8_t, 4> live{0, 1, 1, 1}, within{0, 1, 0, 0};
  const std::array<uint32_t, 4> invocations{4, 5, 6, 7};
  const CheckedAccess access{.workgroup = &workgroup,
                             .live = live.data(),
                             .invocations = invocations.data(),
                             .within = within.data(),
                             .base = {},
                             .offset = {},
                             .size = {},
                             .bytes = 0,
                             .alignment = 1,
                             .lanes = 4,
                             .kind = AccessKind::Store,
                             .memory = AccessedMemory::Variable};
  const auto store = static_cast<uint32_t>(Decision::Store);
  uninitFound(&reports.args, site.c_str(), &access, store);
  uninitFound(&reports.args, site.c_str(), &access, store);
  ASSERT_EQ(reports.findings.size(), 1u);
  EXPECT_EQ(reports.findings[0].kind, FindingKind::UninitStore);
  EXPECT_EQ(reports.findings[0].actor->invocation, 6u);
  EXPECT_EQ(reports.findings[0].actor->others, 1u);
  EXPECT_THAT(reports.findings[0].what, HasSubstr("stored to 'x'"));
}

TEST(UninitFound, TogetherOnlyWhereItIsUndefined) {
  Reports reports;
  const std::string site = describeSite({.shader = "s", .instruction = "OpSwitch"});
  const auto branch = static_cast<uint32_t>(Decision::Branch);
  uninitFoundTogether(&reports.args, site.c_str(), 0, 0, 0, 2, branch, 0);
  EXPECT_TRUE(reports.findings.empty());
  uninitFoundTogether(&reports.args, site.c_str(), 0, 0, 0, 2, branch, 1);
  ASSERT_EQ(reports.findings.size(), 1u);
  EXPECT_EQ(reports.findings[0].kind, FindingKind::UninitBranch);
  EXPECT_EQ(reports.findings[0].actor->subgroup, 2u);
}

TEST(UninitMatrix, NamesRowsAndColumns) {
  Reports reports;
  const std::string site = describeSite({.shader = "s", .instruction = "OpStore", .object = "'x'"});
  uninitMatrix(&reports.args, site.c_str(), 0, 0, 0, 0, 0, 0);
  EXPECT_TRUE(reports.findings.empty());
  uninitMatrix(&reports.args, site.c_str(), 0, 0, 0, 0, 0b11101, 1);
  ASSERT_EQ(reports.findings.size(), 1u);
  EXPECT_EQ(reports.findings[0].details.front(),
            "undefined elements are in rows 0, 2 to 4, columns 0");
}

}  // namespace
}  // namespace rt

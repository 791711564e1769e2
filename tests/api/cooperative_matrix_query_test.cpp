// SPDX-License-Identifier: Apache-2.0

// vkGetPhysicalDeviceCooperativeMatrixProperties2EXT, sentence by sentence.
// Source: Vulkan Specification, vkGetPhysicalDeviceCooperativeMatrixProperties2EXT,
// VkPhysicalDeviceCooperativeMatrixInfo2EXT, VkCooperativeMatrixProperties2EXT.
#include <algorithm>
#include <bit>
#include <tuple>

#include "tests/api/cooperative_matrix_fixture.h"

namespace api_test {
namespace {

constexpr VkCooperativeMatrixFlagsEXT kSaturating =
    VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT;

auto members(const Properties2& row) {
  return std::tuple(row.MGranularity, row.NGranularity, row.KGranularity, row.AType, row.BType,
                    row.CType, row.ResultType);
}

bool areTheSame(const std::vector<Properties2>& a, const std::vector<Properties2>& b) {
  return std::ranges::equal(a, b, {}, members, members);
}

class CooperativeMatrixQueryTest : public CooperativeMatrixTest {
 protected:
  // "at least one property must be returned for each of the following combinations", and "At least
  // one entry in the list must have power of two values".
  void expectMandatory(const Info2& info) {
    SCOPED_TRACE((info.scope == VK_SCOPE_WORKGROUP_KHR
                      ? "workgroups of " + std::to_string(info.invocations) + " in subgroups of "
                      : "subgroups of ") +
                 std::to_string(info.subgroupSize));
    const std::vector<Properties2> rows = rowsFor(info);
    const std::pair<VkComponentTypeKHR, VkComponentTypeKHR> types[] = {
        {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR},
        {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR},
        {VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_UINT32_KHR},
        {VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR},
        {VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR}};
    for (const auto& [a, c] : types)
      EXPECT_TRUE(std::ranges::any_of(rows,
                                      [&](const Properties2& row) {
                                        return row.AType == a && row.BType == a && row.CType == c &&
                                               row.ResultType == c;
                                      }))
          << glslType(a) << " into " << glslType(c);
    EXPECT_TRUE(std::ranges::any_of(rows, [](const Properties2& row) {
      return std::has_single_bit(row.MGranularity) && std::has_single_bit(row.NGranularity) &&
             std::has_single_bit(row.KGranularity);
    }));
  }

  // Workgroups of every power of two from `least` to the most that may hold matrices.
  std::vector<uint32_t> workgroups(uint32_t least) {
    std::vector<uint32_t> counts;
    const uint32_t most = limits().cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
    for (uint32_t count = least; count <= most; count *= 2) counts.push_back(count);
    return counts;
  }

  // All that may be asked with these flags: for any subgroup size, and for each.
  std::vector<Info2> questions(VkCooperativeMatrixFlagsEXT flags) {
    std::vector<Info2> all{ofSubgroups(0, flags)};
    for (uint32_t size : subgroupSizes()) all.push_back(ofSubgroups(size, flags));
    for (uint32_t count : workgroups(subgroupSize())) all.push_back(ofWorkgroups(count, 0, flags));
    for (uint32_t size : subgroupSizes())
      for (uint32_t count : workgroups(size)) all.push_back(ofWorkgroups(count, size, flags));
    return all;
  }
};

// All subgroup sizes, not only those that must be: 0 and the device's own.
TEST_F(CooperativeMatrixQueryTest, MandatoryRows) {
  const std::vector<Info2> all = questions(0);
  ASSERT_GT(all.size(), 2 * subgroupSizes().size());
  for (const Info2& info : all) expectMandatory(info);
}

class CooperativeMatrixSubgroupTest : public CooperativeMatrixQueryTest,
                                      public testing::WithParamInterface<const char*> {
  const ScopedVariable size_{"TESSERA_SUBGROUP_SIZE", GetParam()};
};

// With other sizes of the device's own, from which workgroups must be.
TEST_P(CooperativeMatrixSubgroupTest, MandatoryRowsBeginAtTheSizeOfSubgroups) {
  const uint32_t size = subgroupSize();
  ASSERT_EQ(std::to_string(size), GetParam());
  EXPECT_EQ(workgroups(size).front(), size);
  for (const Info2& info : questions(0)) expectMandatory(info);
}

INSTANTIATE_TEST_SUITE_P(Sizes, CooperativeMatrixSubgroupTest, testing::Values("8", "16", "64"),
                         [](const auto& info) { return std::string(info.param); });

// "If subgroupSize is equal to 0, then the properties returned will be valid for use with shaders
// that execute with a varying subgroup size": so for each that is chosen for them.
TEST_F(CooperativeMatrixQueryTest, RowsForAnySizeOfSubgroupsAreForEach) {
  auto contains = [](const std::vector<Properties2>& rows, const Properties2& wanted) {
    return std::ranges::find(rows, members(wanted), members) != rows.end();
  };
  for (VkCooperativeMatrixFlagsEXT flags : {VkCooperativeMatrixFlagsEXT{0}, kSaturating}) {
    for (uint32_t size : subgroupSizes()) {
      SCOPED_TRACE("subgroups of " + std::to_string(size));
      const std::vector<Properties2> own = rowsFor(ofSubgroups(size, flags));
      for (const Properties2& row : rowsFor(ofSubgroups(0, flags))) EXPECT_TRUE(contains(own, row));
      for (uint32_t count : workgroups(size)) {
        const std::vector<Properties2> held = rowsFor(ofWorkgroups(count, size, flags));
        for (const Properties2& row : rowsFor(ofWorkgroups(count, 0, flags)))
          EXPECT_TRUE(contains(held, row)) << "workgroups of " << count;
      }
    }
  }
}

// What saturates and what does not are two lists, each of multiplications that the other query has
// as such too.
TEST_F(CooperativeMatrixQueryTest, FlagsSayWhetherRowsSaturate) {
  const std::vector<Flexible> listed = flexibleRows();
  for (VkCooperativeMatrixFlagsEXT flags : {VkCooperativeMatrixFlagsEXT{0}, kSaturating}) {
    for (const Info2& info : questions(flags)) {
      const std::vector<Properties2> rows = rowsFor(info);
      EXPECT_FALSE(rows.empty());
      for (const Properties2& found : rows) {
        const Flexible row = flexibleOf(found, info);
        EXPECT_TRUE(std::ranges::any_of(
            listed,
            [&](const Flexible& other) {
              return row.AType == other.AType && row.BType == other.BType &&
                     row.CType == other.CType && row.ResultType == other.ResultType &&
                     row.MGranularity % other.MGranularity == 0 &&
                     row.NGranularity % other.NGranularity == 0 &&
                     row.KGranularity % other.KGranularity == 0 &&
                     other.saturatingAccumulation == row.saturatingAccumulation &&
                     other.scope == row.scope;
            }))
            << glslType(row.AType) << " into " << glslType(row.ResultType);
      }
    }
  }
  EXPECT_FALSE(areTheSame(rowsFor(ofSubgroups(0)), rowsFor(ofSubgroups(0, kSaturating))));
}

// For those who have not enabled flexible dimensions a granularity is a size: the first is one that
// is worth taking.
TEST_F(CooperativeMatrixQueryTest, FirstRowIsThatWhichClientsTake) {
  const auto rows = rowsFor(ofSubgroups(32));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(members(rows[0]),
            std::tuple(16u, 16u, 16u, VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR,
                       VK_COMPONENT_TYPE_FLOAT32_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR));
}

// "at most pPropertyCount structures will be written, and VK_INCOMPLETE will be returned", and with
// enough room "the variable is overwritten with the number of structures actually written".
TEST_F(CooperativeMatrixQueryTest, RowsComeAsFarAsThereIsRoom) {
  for (const Info2& info : {ofSubgroups(0), ofSubgroups(0, kSaturating), ofWorkgroups(128, 32)}) {
    const std::vector<Properties2> all = rowsFor(info);
    ASSERT_GT(all.size(), 2u);
    const auto available = static_cast<uint32_t>(all.size());
    for (uint32_t room : {0u, 1u, 2u, available - 1, available, available + 2}) {
      SCOPED_TRACE(std::to_string(room) + " of " + std::to_string(available));
      const Properties2 blank{.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_2_EXT,
                              .MGranularity = ~0u};
      std::vector<Properties2> some(room + 1, blank);
      uint32_t count = room;
      EXPECT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixProperties2EXT(physical_device, &info,
                                                                      &count, some.data()),
                room < available ? VK_INCOMPLETE : VK_SUCCESS);
      const uint32_t written = std::min(room, available);
      EXPECT_EQ(count, written);
      EXPECT_TRUE(std::equal(some.begin(), some.begin() + written, all.begin(),
                             [](const Properties2& a, const Properties2& b) {
                               return members(a) == members(b) && a.sType == b.sType &&
                                      a.pNext == b.pNext;
                             }));
      for (size_t k = written; k < some.size(); ++k) EXPECT_EQ(members(some[k]), members(blank));
    }
  }
}

// With the granularities as sizes, for subgroups of the fewest and of the most invocations; for
// workgroups of them, the first rows of two types.
TEST_F(CooperativeMatrixQueryTest, EveryRowCompiles) {
  const VkDescriptorSetLayout sets[] = {makeSetLayout()};
  const VkPipelineLayout layout = makePipelineLayout(sets, 0);
  auto compile = [&](const Properties2& row, const Info2& info) {
    if (!hasGlslMatrices(row.AType)) return;
    SCOPED_TRACE(std::string(glslType(row.AType)) + " into " + glslType(row.ResultType) +
                 ", subgroups of " + std::to_string(info.subgroupSize) + ", workgroups of " +
                 std::to_string(info.invocations));
    makeSizedPipeline(
        layout,
        multiplication(flexibleOf(row, info), row.MGranularity, row.NGranularity, row.KGranularity),
        info.subgroupSize);
  };
  const std::vector<uint32_t> sizes = subgroupSizes();
  for (uint32_t size : {sizes.front(), sizes.back()}) {
    for (VkCooperativeMatrixFlagsEXT flags : {VkCooperativeMatrixFlagsEXT{0}, kSaturating})
      for (const Properties2& row : rowsFor(ofSubgroups(size, flags)))
        compile(row, ofSubgroups(size, flags));
    for (uint32_t count : workgroups(size)) {
      const Info2 info = ofWorkgroups(count, size);
      const std::vector<Properties2> rows = rowsFor(info);
      for (VkComponentTypeKHR type : {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_SINT8_KHR}) {
        const auto row = std::ranges::find(rows, type, &Properties2::AType);
        ASSERT_NE(row, rows.end());
        compile(*row, info);
      }
    }
  }
}

// "invocations is ignored unless scope is VK_SCOPE_WORKGROUP_KHR."
TEST_F(CooperativeMatrixQueryTest, InvocationsAreIgnoredForSubgroups) {
  MISUSE_FROM_HERE();
  std::vector<uint32_t> sizes = subgroupSizes();
  sizes.push_back(0);
  for (uint32_t size : sizes) {
    for (VkCooperativeMatrixFlagsEXT flags : {VkCooperativeMatrixFlagsEXT{0}, kSaturating}) {
      const std::vector<Properties2> expected = rowsFor(ofSubgroups(size, flags));
      for (uint32_t invocations : {1u, 7u, 32u, 1024u, ~0u}) {
        Info2 info = ofSubgroups(size, flags);
        info.invocations = invocations;
        EXPECT_TRUE(areTheSame(rowsFor(info), expected)) << invocations;
      }
    }
  }
}

// Invocations that cannot hold matrices have none.
TEST_F(CooperativeMatrixQueryTest, NoRowsForOtherInvocations) {
  MISUSE_FROM_HERE();
  const uint32_t largest = limits().cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
  Info2 of_device = ofSubgroups(0);
  of_device.scope = VK_SCOPE_DEVICE_KHR;
  EXPECT_TRUE(rowsFor(of_device).empty());
  EXPECT_TRUE(rowsFor(ofSubgroups(24)).empty());
  EXPECT_TRUE(rowsFor(ofSubgroups(subgroupSizes().front() / 2)).empty());
  EXPECT_TRUE(rowsFor(ofSubgroups(2 * subgroupSizes().back())).empty());
  EXPECT_TRUE(rowsFor(ofWorkgroups(0, 0)).empty());
  EXPECT_TRUE(rowsFor(ofWorkgroups(96, 32)).empty());
  EXPECT_TRUE(rowsFor(ofWorkgroups(96, 0)).empty());
  EXPECT_TRUE(rowsFor(ofWorkgroups(16, 32)).empty());
  EXPECT_TRUE(rowsFor(ofWorkgroups(2 * largest, 0)).empty());
  EXPECT_TRUE(rowsFor(ofWorkgroups(2 * largest, 32)).empty());
}

}  // namespace
}  // namespace api_test

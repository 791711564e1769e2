// SPDX-License-Identifier: Apache-2.0

// VK_NV_cooperative_matrix2, VK_EXT_cooperative_matrix_maintenance1,
// VK_NV_cooperative_matrix_decode_vector: what they say of the device, and that what is listed
// compiles. The query of maintenance1 has tests of its own (cooperative_matrix_query_test.cpp).
#include <algorithm>
#include <bit>

#include "tests/api/cooperative_matrix_fixture.h"

namespace api_test {
namespace {

// The device was made with all that the queries reported.
TEST_F(CooperativeMatrixTest, AllFeaturesAreThere) {
  EXPECT_TRUE(matrix2_.cooperativeMatrixWorkgroupScope);
  EXPECT_TRUE(matrix2_.cooperativeMatrixFlexibleDimensions);
  EXPECT_TRUE(matrix2_.cooperativeMatrixReductions);
  EXPECT_TRUE(matrix2_.cooperativeMatrixConversions);
  EXPECT_TRUE(matrix2_.cooperativeMatrixPerElementOperations);
  EXPECT_TRUE(matrix2_.cooperativeMatrixTensorAddressing);
  EXPECT_TRUE(matrix2_.cooperativeMatrixBlockLoads);
  EXPECT_TRUE(maintenance1_.cooperativeMatrixProperties2);
  EXPECT_TRUE(maintenance1_.cooperativeMatrixReductions);
  EXPECT_TRUE(maintenance1_.cooperativeMatrixConversions);
  EXPECT_TRUE(maintenance1_.cooperativeMatrixPerElementOperations);
  EXPECT_TRUE(maintenance1_.cooperativeMatrixGetCoordinate);
  EXPECT_TRUE(decode_vector_.cooperativeMatrixDecodeVector);
}

// Vulkan Specification, "Required Limits".
TEST_F(CooperativeMatrixTest, LimitsAreThoseRequired) {
  VkPhysicalDeviceProperties properties;
  vk.vkGetPhysicalDeviceProperties(physical_device, &properties);
  const auto found = limits();
  EXPECT_GE(found.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize, 2 * subgroupSize());
  EXPECT_GE(found.cooperativeMatrixFlexibleDimensionsMaxDimension, 256u);
  EXPECT_LE(found.cooperativeMatrixWorkgroupScopeReservedSharedMemory,
            properties.limits.maxComputeSharedMemorySize / 2);
}

TEST_F(CooperativeMatrixTest, FlexibleRowsMayComeInPart) {
  const std::vector<Flexible> all = flexibleRows();
  ASSERT_GT(all.size(), 2u);
  std::vector<Flexible> some(2, all.back());
  uint32_t two = 2;
  EXPECT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
                physical_device, &two, some.data()),
            VK_INCOMPLETE);
  EXPECT_EQ(two, 2u);
  EXPECT_EQ(some[1].CType, all[1].CType);
}

// What ggml asks for before it uses workgroup scope.
TEST_F(CooperativeMatrixTest, FlexibleRowsHaveWhatClientsAskFor) {
  const auto largest = limits().cooperativeMatrixFlexibleDimensionsMaxDimension;
  EXPECT_GE(largest, 512u);
  const std::vector<Flexible> rows = flexibleRows();
  auto has = [&](uint32_t invocations, uint32_t m, uint32_t n, uint32_t k, VkComponentTypeKHR a,
                 VkComponentTypeKHR c) {
    return std::ranges::any_of(rows, [&](const Flexible& row) {
      return row.scope == VK_SCOPE_WORKGROUP_KHR && row.workgroupInvocations == invocations &&
             row.MGranularity <= m && row.NGranularity <= n && row.KGranularity <= k &&
             row.AType == a && row.BType == a && row.CType == c && row.ResultType == c &&
             !row.saturatingAccumulation;
    });
  };
  const std::pair<VkComponentTypeKHR, VkComponentTypeKHR> types[] = {
      {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR},
      {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR},
      {VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR}};
  for (const auto& [a, c] : types) {
    EXPECT_TRUE(has(128, 32, 16, 16, a, c)) << a << " into " << c;
    EXPECT_TRUE(has(256, 32, 32, 16, a, c)) << a << " into " << c;
  }
  for (const Flexible& row : rows) {
    for (uint32_t granularity : {row.MGranularity, row.NGranularity, row.KGranularity})
      EXPECT_TRUE(std::has_single_bit(granularity)) << granularity;
    EXPECT_EQ(row.workgroupInvocations == 0, row.scope == VK_SCOPE_SUBGROUP_KHR);
  }
}

// Of each row the smallest sizes, and others.
TEST_F(CooperativeMatrixTest, EveryFlexibleRowCompiles) {
  const VkDescriptorSetLayout sets[] = {makeSetLayout()};
  const VkPipelineLayout layout = makePipelineLayout(sets, 0);
  for (const Flexible& row : flexibleRows()) {
    if (!hasGlslMatrices(row.AType)) continue;
    SCOPED_TRACE(std::string(glslType(row.AType)) + " into " + glslType(row.ResultType) +
                 " in workgroups of " + std::to_string(row.workgroupInvocations));
    const uint32_t m = row.MGranularity, n = row.NGranularity, k = row.KGranularity;
    makePipeline(layout, multiplication(row, m, n, k));
    makePipeline(layout, multiplication(row, 3 * m, 2 * n, 2 * k));
  }
}

// VUID-VkPipelineShaderStageCreateInfo-module-08987 is broken, but all subgroups are full.
TEST_F(CooperativeMatrixTest, NarrowWorkgroupsAreWarnedOfOnce) {
  MISUSE_FROM_HERE();
  const std::string shader =
      "#version 450\n"
      "#extension GL_KHR_cooperative_matrix : require\n"
      "#extension GL_KHR_memory_scope_semantics : require\n"
      "layout(local_size_x = 16, local_size_y = 8) in;\n"
      "layout(binding = 0) buffer Data { float data[]; };\n"
      "void main() {\n"
      "  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;\n"
      "  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);\n"
      "  coopMatStore(m + m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);\n"
      "}\n";
  const VkDescriptorSetLayout sets[] = {makeSetLayout()};
  const VkPipelineLayout layout = makePipelineLayout(sets, 0);
  makePipeline(layout, shader);
  makePipeline(layout, shader);
  size_t warnings = 0;
  for (const std::string& message : messages())
    if (message.find("module-08987") != std::string::npos) {
      ++warnings;
      EXPECT_NE(message.find("16 x 8 x 1"), std::string::npos) << message;
    }
  EXPECT_EQ(warnings, 1u);
}

}  // namespace
}  // namespace api_test

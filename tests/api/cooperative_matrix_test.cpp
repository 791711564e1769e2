// VK_NV_cooperative_matrix2, VK_EXT_cooperative_matrix_maintenance1,
// VK_NV_cooperative_matrix_decode_vector: what they say of the device, and that what is listed
// compiles.
#include <algorithm>
#include <bit>
#include <tuple>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

using Flexible = VkCooperativeMatrixFlexibleDimensionsPropertiesNV;
using Properties2 = VkCooperativeMatrixProperties2EXT;

class CooperativeMatrixTest : public PipelineTest {
 protected:
  void SetUp() override {
    device_extensions = {VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME,
                         VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME,
                         VK_EXT_COOPERATIVE_MATRIX_MAINTENANCE_1_EXTENSION_NAME,
                         VK_NV_COOPERATIVE_MATRIX_DECODE_VECTOR_EXTENSION_NAME,
                         VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME,
                         VK_EXT_SHADER_FLOAT8_EXTENSION_NAME};
    device_features = &matrix2_;
    PipelineTest::SetUp();
  }

  std::vector<Flexible> flexibleRows() {
    uint32_t count = 0;
    EXPECT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
                  physical_device, &count, nullptr),
              VK_SUCCESS);
    // One more than there are, which is left alone.
    const Flexible blank{
        .sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV,
        .workgroupInvocations = ~0u};
    std::vector<Flexible> rows(count + 1, blank);
    uint32_t room = count + 1;
    EXPECT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
                  physical_device, &room, rows.data()),
              VK_SUCCESS);
    EXPECT_EQ(room, count);
    EXPECT_EQ(rows.back().workgroupInvocations, ~0u);
    rows.pop_back();
    return rows;
  }

  std::vector<Properties2> rowsFor(VkScopeKHR scope, uint32_t invocations, uint32_t subgroup_size,
                                   VkCooperativeMatrixFlagsEXT flags = 0) {
    const VkPhysicalDeviceCooperativeMatrixInfo2EXT info{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_INFO_2_EXT,
        .scope = scope,
        .invocations = invocations,
        .subgroupSize = subgroup_size,
        .flags = flags};
    uint32_t count = 0;
    EXPECT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixProperties2EXT(physical_device, &info, &count,
                                                                    nullptr),
              VK_SUCCESS);
    std::vector<Properties2> rows(count,
                                  {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_2_EXT});
    EXPECT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixProperties2EXT(physical_device, &info, &count,
                                                                    rows.data()),
              VK_SUCCESS);
    EXPECT_EQ(count, rows.size());
    return rows;
  }

  VkPhysicalDeviceCooperativeMatrix2PropertiesNV limits() {
    VkPhysicalDeviceCooperativeMatrix2PropertiesNV result{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV};
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &result};
    vk.vkGetPhysicalDeviceProperties2(physical_device, &properties);
    shared_bytes = properties.properties.limits.maxComputeSharedMemorySize;
    return result;
  }

  VkPhysicalDeviceShaderFloat8FeaturesEXT float8_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR, .pNext = &float8_};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
      .pNext = &bfloat16_};
  VkPhysicalDeviceCooperativeMatrixDecodeVectorFeaturesNV decode_vector_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_DECODE_VECTOR_FEATURES_NV,
      .pNext = &matrix_};
  VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT maintenance1_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_MAINTENANCE_1_FEATURES_EXT,
      .pNext = &decode_vector_};
  VkPhysicalDeviceCooperativeMatrix2FeaturesNV matrix2_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV,
      .pNext = &maintenance1_};
  uint32_t shared_bytes = 0;  // of the device, after limits()
};

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
  const auto found = limits();
  VkPhysicalDeviceSubgroupProperties subgroup{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &subgroup};
  vk.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  EXPECT_GE(found.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize, 2 * subgroup.subgroupSize);
  EXPECT_GE(found.cooperativeMatrixFlexibleDimensionsMaxDimension, 256u);
  EXPECT_LE(found.cooperativeMatrixWorkgroupScopeReservedSharedMemory, shared_bytes / 2);
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

// vkGetPhysicalDeviceCooperativeMatrixProperties2EXT, "at least one property must be returned for".
TEST_F(CooperativeMatrixTest, MandatoryRowsOfMaintenance1) {
  auto holdsMandatory = [](const std::vector<Properties2>& rows) {
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
          << a << " into " << c;
    EXPECT_TRUE(std::ranges::any_of(rows, [](const Properties2& row) {
      return std::has_single_bit(row.MGranularity) && std::has_single_bit(row.NGranularity) &&
             std::has_single_bit(row.KGranularity);
    }));
  };
  VkPhysicalDeviceVulkan13Properties v13{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
  VkPhysicalDeviceSubgroupProperties subgroup{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, .pNext = &v13};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &subgroup};
  vk.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  // All sizes, not only those that must be.
  for (uint32_t size = v13.minSubgroupSize; size <= v13.maxSubgroupSize; size *= 2) {
    SCOPED_TRACE("subgroups of " + std::to_string(size));
    holdsMandatory(rowsFor(VK_SCOPE_SUBGROUP_KHR, 0, size));
  }
  holdsMandatory(rowsFor(VK_SCOPE_SUBGROUP_KHR, 0, 0));
  const uint32_t largest = limits().cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
  for (uint32_t count = subgroup.subgroupSize; count <= largest; count *= 2) {
    SCOPED_TRACE("workgroups of " + std::to_string(count));
    holdsMandatory(rowsFor(VK_SCOPE_WORKGROUP_KHR, count, 0));
    holdsMandatory(rowsFor(VK_SCOPE_WORKGROUP_KHR, count, subgroup.subgroupSize));
  }
  // A workgroup has at least one subgroup.
  EXPECT_FALSE(rowsFor(VK_SCOPE_WORKGROUP_KHR, v13.minSubgroupSize, v13.minSubgroupSize).empty());
}

TEST_F(CooperativeMatrixTest, SaturatingRowsAreAskedFor) {
  const auto plain = rowsFor(VK_SCOPE_SUBGROUP_KHR, 0, 0);
  const auto saturating =
      rowsFor(VK_SCOPE_SUBGROUP_KHR, 0, 0, VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT);
  EXPECT_FALSE(saturating.empty());
  const std::vector<Flexible> listed = flexibleRows();
  auto isMultiple = [&](const Properties2& row, VkBool32 saturates) {
    return std::ranges::any_of(listed, [&](const Flexible& other) {
      return row.AType == other.AType && row.BType == other.BType && row.CType == other.CType &&
             row.ResultType == other.ResultType && row.MGranularity % other.MGranularity == 0 &&
             row.NGranularity % other.NGranularity == 0 &&
             row.KGranularity % other.KGranularity == 0 &&
             other.saturatingAccumulation == saturates && other.scope == VK_SCOPE_SUBGROUP_KHR;
    });
  };
  for (const Properties2& row : plain) EXPECT_TRUE(isMultiple(row, VK_FALSE));
  for (const Properties2& row : saturating) EXPECT_TRUE(isMultiple(row, VK_TRUE));
}

// For those who have not enabled flexible dimensions a granularity is a size: the first is one that
// is worth taking.
TEST_F(CooperativeMatrixTest, FirstRowOfMaintenance1IsThatWhichClientsTake) {
  const auto rows = rowsFor(VK_SCOPE_SUBGROUP_KHR, 0, 32);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0].MGranularity, 16u);
  EXPECT_EQ(rows[0].NGranularity, 16u);
  EXPECT_EQ(rows[0].KGranularity, 16u);
  EXPECT_EQ(rows[0].AType, VK_COMPONENT_TYPE_FLOAT16_KHR);
  EXPECT_EQ(rows[0].ResultType, VK_COMPONENT_TYPE_FLOAT32_KHR);
}

TEST_F(CooperativeMatrixTest, Maintenance1RowsMayComeInPart) {
  const VkPhysicalDeviceCooperativeMatrixInfo2EXT info{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_INFO_2_EXT,
      .scope = VK_SCOPE_SUBGROUP_KHR};
  Properties2 row{.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_2_EXT};
  uint32_t one = 1;
  EXPECT_EQ(
      vk.vkGetPhysicalDeviceCooperativeMatrixProperties2EXT(physical_device, &info, &one, &row),
      VK_INCOMPLETE);
  EXPECT_EQ(one, 1u);
  EXPECT_EQ(row.AType, VK_COMPONENT_TYPE_FLOAT16_KHR);
}

// Invocations that cannot hold matrices have none.
TEST_F(CooperativeMatrixTest, NoRowsForOtherInvocations) {
  MISUSE_FROM_HERE();
  const uint32_t largest = limits().cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
  EXPECT_TRUE(rowsFor(VK_SCOPE_DEVICE_KHR, 0, 0).empty());
  EXPECT_TRUE(rowsFor(VK_SCOPE_SUBGROUP_KHR, 0, 24).empty());
  EXPECT_TRUE(rowsFor(VK_SCOPE_SUBGROUP_KHR, 0, 128).empty());
  EXPECT_TRUE(rowsFor(VK_SCOPE_WORKGROUP_KHR, 0, 0).empty());
  EXPECT_TRUE(rowsFor(VK_SCOPE_WORKGROUP_KHR, 96, 32).empty());
  EXPECT_TRUE(rowsFor(VK_SCOPE_WORKGROUP_KHR, 16, 32).empty());
  EXPECT_TRUE(rowsFor(VK_SCOPE_WORKGROUP_KHR, 2 * largest, 32).empty());
}

const char* glslType(VkComponentTypeKHR type) {
  switch (type) {
    case VK_COMPONENT_TYPE_FLOAT16_KHR:
      return "float16_t";
    case VK_COMPONENT_TYPE_BFLOAT16_KHR:
      return "bfloat16_t";
    case VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT:
      return "floate4m3_t";
    case VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT:
      return "floate5m2_t";
    case VK_COMPONENT_TYPE_FLOAT32_KHR:
      return "float";
    case VK_COMPONENT_TYPE_SINT8_KHR:
      return "int8_t";
    case VK_COMPONENT_TYPE_UINT8_KHR:
      return "uint8_t";
    case VK_COMPONENT_TYPE_SINT16_KHR:
      return "int16_t";
    case VK_COMPONENT_TYPE_UINT16_KHR:
      return "uint16_t";
    case VK_COMPONENT_TYPE_SINT32_KHR:
      return "int";
    case VK_COMPONENT_TYPE_UINT32_KHR:
      return "uint";
    default:
      return "a type that has no name here";
  }
}

// One multiply-add of A, B and C in one buffer, with the result stored over C.
std::string multiplication(const Flexible& row, uint32_t m, uint32_t n, uint32_t k) {
  const std::string scope =
      row.scope == VK_SCOPE_WORKGROUP_KHR ? "gl_ScopeWorkgroup" : "gl_ScopeSubgroup";
  auto matrix = [&](VkComponentTypeKHR type, uint32_t rows, uint32_t columns, const char* use) {
    return "coopmat<" + std::string(glslType(type)) + ", " + scope + ", " + std::to_string(rows) +
           ", " + std::to_string(columns) + ", gl_MatrixUse" + use + "> ";
  };
  auto buffer = [](const char* name, VkComponentTypeKHR type) {
    return std::string("layout(set = 0, binding = 0) buffer B_") + name + " { " + glslType(type) +
           " " + name + "[]; };\n";
  };
  return R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = )" +
         std::to_string(std::max(row.workgroupInvocations, 64u)) + ") in;\n" +
         buffer("in_a", row.AType) + buffer("in_b", row.BType) + buffer("in_c", row.CType) +
         "void main() {\n" + matrix(row.AType, m, k, "A") + "a;\n" + matrix(row.BType, k, n, "B") +
         "b;\n" + matrix(row.CType, m, n, "Accumulator") +
         "c;\n"
         "coopMatLoad(a, in_a, 0, " +
         std::to_string(k) +
         ", gl_CooperativeMatrixLayoutRowMajor);\n"
         "coopMatLoad(b, in_b, 0, " +
         std::to_string(n) +
         ", gl_CooperativeMatrixLayoutRowMajor);\n"
         "coopMatLoad(c, in_c, 0, " +
         std::to_string(n) +
         ", gl_CooperativeMatrixLayoutRowMajor);\n"
         "c = coopMatMulAdd(a, b, c" +
         (row.saturatingAccumulation ? ", gl_MatrixOperandsSaturatingAccumulation" : "") +
         ");\n"
         "coopMatStore(c, in_c, 0, " +
         std::to_string(n) + ", gl_CooperativeMatrixLayoutRowMajor);\n}\n";
}

// Of each row the smallest sizes, and others.
TEST_F(CooperativeMatrixTest, EveryFlexibleRowCompiles) {
  const VkDescriptorSetLayout sets[] = {makeSetLayout()};
  const VkPipelineLayout layout = makePipelineLayout(sets, 0);
  for (const Flexible& row : flexibleRows()) {
    SCOPED_TRACE(std::string(glslType(row.AType)) + " into " + glslType(row.ResultType) +
                 " in workgroups of " + std::to_string(row.workgroupInvocations));
    const uint32_t m = row.MGranularity, n = row.NGranularity, k = row.KGranularity;
    makePipeline(layout, multiplication(row, m, n, k));
    makePipeline(layout, multiplication(row, 3 * m, 2 * n, 2 * k));
  }
}

}  // namespace
}  // namespace api_test

// SPDX-License-Identifier: Apache-2.0

#include "tests/api/cooperative_matrix_fixture.h"

#include "tests/support/shader_compiler.h"

namespace api_test {

void CooperativeMatrixTest::SetUp() {
  device_extensions = {VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME,
                       VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME,
                       VK_EXT_COOPERATIVE_MATRIX_MAINTENANCE_1_EXTENSION_NAME,
                       VK_NV_COOPERATIVE_MATRIX_DECODE_VECTOR_EXTENSION_NAME,
                       VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME,
                       VK_EXT_SHADER_FLOAT8_EXTENSION_NAME};
  device_features = &matrix2_;
  PipelineTest::SetUp();
}

std::vector<Flexible> CooperativeMatrixTest::flexibleRows() {
  uint32_t count = 0;
  EXPECT_EQ(vk.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(physical_device,
                                                                                  &count, nullptr),
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

std::vector<Properties2> CooperativeMatrixTest::rowsFor(const Info2& info) {
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

VkPhysicalDeviceCooperativeMatrix2PropertiesNV CooperativeMatrixTest::limits() {
  return propertiesOf<VkPhysicalDeviceCooperativeMatrix2PropertiesNV>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV);
}

uint32_t CooperativeMatrixTest::subgroupSize() {
  return propertiesOf<VkPhysicalDeviceSubgroupProperties>(
             VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
      .subgroupSize;
}

std::vector<uint32_t> CooperativeMatrixTest::subgroupSizes() {
  const auto v13 = propertiesOf<VkPhysicalDeviceVulkan13Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES);
  std::vector<uint32_t> sizes;
  for (uint32_t size = v13.minSubgroupSize; size <= v13.maxSubgroupSize; size *= 2)
    sizes.push_back(size);
  return sizes;
}

void CooperativeMatrixTest::makeSizedPipeline(VkPipelineLayout layout, const std::string& glsl,
                                              uint32_t subgroup_size) {
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(tryPipeline(layout, makeModule(host::compileGlsl(glsl, "test.comp", {})), "main",
                        &pipeline, subgroup_size),
            VK_SUCCESS);
  for (const std::string& message : messages()) ADD_FAILURE() << message;
  vk.vkDestroyPipeline(device, pipeline, nullptr);
}

Info2 ofSubgroups(uint32_t subgroup_size, VkCooperativeMatrixFlagsEXT flags) {
  return {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_INFO_2_EXT,
          .scope = VK_SCOPE_SUBGROUP_KHR,
          .subgroupSize = subgroup_size,
          .flags = flags};
}

Info2 ofWorkgroups(uint32_t invocations, uint32_t subgroup_size,
                   VkCooperativeMatrixFlagsEXT flags) {
  return {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_INFO_2_EXT,
          .scope = VK_SCOPE_WORKGROUP_KHR,
          .invocations = invocations,
          .subgroupSize = subgroup_size,
          .flags = flags};
}

Flexible flexibleOf(const Properties2& row, const Info2& asked) {
  return {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV,
          .MGranularity = row.MGranularity,
          .NGranularity = row.NGranularity,
          .KGranularity = row.KGranularity,
          .AType = row.AType,
          .BType = row.BType,
          .CType = row.CType,
          .ResultType = row.ResultType,
          .saturatingAccumulation =
              (asked.flags & VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT) != 0,
          .scope = asked.scope,
          .workgroupInvocations = asked.invocations};
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

bool hasGlslMatrices(VkComponentTypeKHR type) {
  return type != VK_COMPONENT_TYPE_FLOAT64_KHR && type != VK_COMPONENT_TYPE_SINT64_KHR &&
         type != VK_COMPONENT_TYPE_UINT64_KHR;
}

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
         std::to_string(row.workgroupInvocations != 0 ? row.workgroupInvocations : 64) + ") in;\n" +
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

}  // namespace api_test

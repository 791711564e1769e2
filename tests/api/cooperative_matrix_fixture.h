// SPDX-License-Identifier: Apache-2.0

// For tests of the extensions of cooperative matrices: a device with all of them, their queries,
// and shaders that multiply.
#pragma once

#include <string>
#include <vector>

#include "tests/support/vulkan_fixture.h"

namespace api_test {

using Flexible = VkCooperativeMatrixFlexibleDimensionsPropertiesNV;
using Properties2 = VkCooperativeMatrixProperties2EXT;
using Info2 = VkPhysicalDeviceCooperativeMatrixInfo2EXT;

class CooperativeMatrixTest : public PipelineTest {
 protected:
  void SetUp() override;

  // All that vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV lists.
  std::vector<Flexible> flexibleRows();
  // All that vkGetPhysicalDeviceCooperativeMatrixProperties2EXT answers.
  std::vector<Properties2> rowsFor(const Info2& info);
  VkPhysicalDeviceCooperativeMatrix2PropertiesNV limits();
  uint32_t subgroupSize();                // the device's own
  std::vector<uint32_t> subgroupSizes();  // that pipelines may ask for

  // A pipeline for subgroups of this size; 0: of any. Fails the test unless it is made.
  void makeSizedPipeline(VkPipelineLayout layout, const std::string& glsl, uint32_t subgroup_size);

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
};

// The question for matrices of subgroups, and that for those of workgroups; a subgroup_size of 0 is
// any.
Info2 ofSubgroups(uint32_t subgroup_size, VkCooperativeMatrixFlagsEXT flags = 0);
Info2 ofWorkgroups(uint32_t invocations, uint32_t subgroup_size,
                   VkCooperativeMatrixFlagsEXT flags = 0);

// What a row of the answer is in the other query's words; its granularities are sizes too.
Flexible flexibleOf(const Properties2& row, const Info2& asked);

// "float16_t".
const char* glslType(VkComponentTypeKHR type);
// GLSL has none of 64 bits; tests/kernels and tests/matrix have them in SPIR-V.
bool hasGlslMatrices(VkComponentTypeKHR type);
// A shader with one multiply-add of the row's types, of A, B and C in the storage buffer at binding
// 0, with the result stored over C: in the workgroups that the row names, or else of 64
// invocations.
std::string multiplication(const Flexible& row, uint32_t m, uint32_t n, uint32_t k);

}  // namespace api_test

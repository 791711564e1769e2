// SPDX-License-Identifier: Apache-2.0

// Whether a device has the cooperative matrices that a kernel file asks for.
// Source: Vulkan Specification, "Cooperative Matrices" and VUID-RuntimeSpirv-
// OpTypeCooperativeMatrixKHR-10163, OpCooperativeMatrixMulAddKHR-10060,
// cooperativeMatrixFlexibleDimensions-10165 to 10167, cooperativeMatrixProperties2-13382 and 13383.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/kernel_file.h"

namespace kernels {

// A row of any of the device's tables.
struct MatrixRow {
  explicit MatrixRow(const VkCooperativeMatrixPropertiesKHR& row);
  explicit MatrixRow(const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& row);
  // One that the device lists for this question. multiples: whether shaders may have multiples of
  // its granularities, as with cooperativeMatrixFlexibleDimensions; else these are the sizes.
  MatrixRow(const VkCooperativeMatrixProperties2EXT& row,
            const VkPhysicalDeviceCooperativeMatrixInfo2EXT& asked, bool multiples);

  VkScopeKHR scope;
  uint32_t invocations;  // of the workgroup; 0 in another scope
  uint32_t m, n, k;      // sizes, or what they are multiples of
  bool multiples;
  VkComponentTypeKHR a, b, c, result;
  bool saturating;
};

// Everything that a device lists for some kernels.
struct MatrixOffer {
  bool has(const MatrixRequirement& wanted) const;
  bool has(const MatrixTypeRequirement& wanted) const;

  std::vector<MatrixRow> rows;
  uint32_t max_dimension = 0;  // the largest multiple
};

// "16x16x32 s8*s8+s32->s32 saturating of workgroups of 128".
std::string describe(const MatrixRequirement& wanted);
// "16x48 f32 as Accumulator of subgroups".
std::string describe(const MatrixTypeRequirement& wanted);

}  // namespace kernels

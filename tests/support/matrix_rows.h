// SPDX-License-Identifier: Apache-2.0

// Rows of vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR and
// vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV in the kernel files' own
// terms.
#pragma once

#include <vulkan/vulkan_core.h>

#include <string>

#include "tests/support/element_type.h"

namespace kernels {

VkComponentTypeKHR componentType(ElementType type);

// "16x16x16 f16*f16+f32->f32 subgroup", with " saturating" behind it if it is.
std::string describe(const VkCooperativeMatrixPropertiesKHR& row);
// "multiples of 16x16x16 f16*f16+f32->f32 workgroup of 128".
std::string describe(const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& row);

}  // namespace kernels

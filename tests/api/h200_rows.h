// SPDX-License-Identifier: Apache-2.0

// Cooperative matrices of an NVIDIA H200 under driver 580.159.04, as a program has read them from
// the device: written down apart from the driver's own table.
#pragma once

#include <ostream>
#include <vector>

#include "icd/vulkan.h"

namespace api_test {

inline constexpr auto kF16 = VK_COMPONENT_TYPE_FLOAT16_KHR;
inline constexpr auto kF32 = VK_COMPONENT_TYPE_FLOAT32_KHR;
inline constexpr auto kBF16 = VK_COMPONENT_TYPE_BFLOAT16_KHR;
inline constexpr auto kU8 = VK_COMPONENT_TYPE_UINT8_KHR;
inline constexpr auto kS8 = VK_COMPONENT_TYPE_SINT8_KHR;
inline constexpr auto kU32 = VK_COMPONENT_TYPE_UINT32_KHR;
inline constexpr auto kS32 = VK_COMPONENT_TYPE_SINT32_KHR;
inline constexpr auto kSubgroup = VK_SCOPE_SUBGROUP_KHR;
inline constexpr auto kWorkgroup = VK_SCOPE_WORKGROUP_KHR;

// Sizes or granularities of M, N and K; types of A, B, C and the result; scope; invocations of the
// workgroup. Nothing saturates.
struct Row {
  uint32_t m, n, k;
  VkComponentTypeKHR a, b, c, result;
  VkScopeKHR scope;
  uint32_t invocations = 0;

  bool operator==(const Row&) const = default;
};

inline const std::vector<Row> kFixed = {
    // clang-format off
    {16, 16, 16, kF16, kF16, kF16, kF16, kSubgroup},
    {16, 8, 16, kF16, kF16, kF16, kF16, kSubgroup},
    {16, 8, 8, kF16, kF16, kF16, kF16, kSubgroup},
    {16, 16, 16, kF16, kF16, kF32, kF32, kSubgroup},
    {16, 8, 16, kF16, kF16, kF32, kF32, kSubgroup},
    {16, 8, 8, kF16, kF16, kF32, kF32, kSubgroup},
    {16, 16, 32, kU8, kU8, kU32, kU32, kSubgroup},
    {16, 16, 32, kS8, kS8, kS32, kS32, kSubgroup},
    {16, 8, 32, kU8, kU8, kU32, kU32, kSubgroup},
    {16, 8, 32, kS8, kS8, kS32, kS32, kSubgroup},
    {16, 16, 16, kBF16, kBF16, kF32, kF32, kSubgroup},
    // clang-format on
};

// VK_NV_cooperative_matrix: the same without bfloat16.
inline const std::vector<Row> kNv(kFixed.begin(), kFixed.end() - 1);

inline const std::vector<Row> kFlexible = {
    // clang-format off
    {16, 16, 16, kF16, kF16, kF16, kF16, kSubgroup, 0},
    {16, 16, 16, kF16, kF16, kF32, kF32, kSubgroup, 0},
    {16, 16, 32, kU8, kU8, kU32, kU32, kSubgroup, 0},
    {16, 16, 32, kS8, kS8, kS32, kS32, kSubgroup, 0},
    {16, 16, 16, kBF16, kBF16, kF32, kF32, kSubgroup, 0},
    {16, 16, 16, kF16, kF16, kF16, kF16, kWorkgroup, 32},
    {16, 16, 16, kF16, kF16, kF32, kF32, kWorkgroup, 32},
    {16, 16, 32, kU8, kU8, kU32, kU32, kWorkgroup, 32},
    {16, 16, 32, kS8, kS8, kS32, kS32, kWorkgroup, 32},
    {16, 16, 16, kBF16, kBF16, kF32, kF32, kWorkgroup, 32},
    {16, 16, 16, kF16, kF16, kF16, kF16, kWorkgroup, 64},
    {16, 16, 16, kF16, kF16, kF32, kF32, kWorkgroup, 64},
    {16, 16, 32, kU8, kU8, kU32, kU32, kWorkgroup, 64},
    {16, 16, 32, kS8, kS8, kS32, kS32, kWorkgroup, 64},
    {16, 16, 16, kBF16, kBF16, kF32, kF32, kWorkgroup, 64},
    {32, 16, 16, kF16, kF16, kF16, kF16, kWorkgroup, 128},
    {32, 16, 16, kF16, kF16, kF32, kF32, kWorkgroup, 128},
    {32, 16, 32, kU8, kU8, kU32, kU32, kWorkgroup, 128},
    {32, 16, 32, kS8, kS8, kS32, kS32, kWorkgroup, 128},
    {32, 16, 16, kBF16, kBF16, kF32, kF32, kWorkgroup, 128},
    {32, 32, 16, kF16, kF16, kF16, kF16, kWorkgroup, 256},
    {32, 32, 16, kF16, kF16, kF32, kF32, kWorkgroup, 256},
    {32, 32, 32, kU8, kU8, kU32, kU32, kWorkgroup, 256},
    {32, 32, 32, kS8, kS8, kS32, kS32, kWorkgroup, 256},
    {32, 32, 16, kBF16, kBF16, kF32, kF32, kWorkgroup, 256},
    // clang-format on
};

inline std::ostream& operator<<(std::ostream& out, const Row& row) {
  return out << row.m << "x" << row.n << "x" << row.k << " types " << row.a << " " << row.b << " "
             << row.c << " " << row.result << " scope " << row.scope << " of " << row.invocations;
}

}  // namespace api_test

// SPDX-License-Identifier: Apache-2.0

// Products of matrices each of whose elements is packed as the sum of two bf16, an upper and a
// lower one, with infinities and NaNs. Called by generated code (jit/ukernel/packed_gemm.h) for the
// rare K block that has some: there instructions that multiply upper and lower parts for themselves
// would make a NaN of infinity times the zero that is the lower part of many a number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rt {

// The form of the panels: `rows` rows of A, `a_stride` bytes apart; columns of B in micro-panels of
// 16, `together` of which, or those that are left at the end, share `groups` K groups, pairs of k,
// one after the other. Lower parts lie as far behind the upper ones as the planes say.
struct PlaneProduct {
  uint64_t rows, micro_panels, together, groups;
  uint64_t a_stride, a_plane, b_plane;
  uint64_t rounded;  // after so many K groups sums are rounded to binary16; 0: never
};

// to = c + A * B, binary32 in rows so many bytes apart, through the first `groups` K groups, with k
// in ascending order and one rounding to nearest even for each, as FMAs would: products are exact,
// as those of f16 are. Sums that are rounded are so to nearest even. `c` may be the same as `to`,
// or null for zeros. An element is its upper part where that is not finite.
void multiplyPlanes(const PlaneProduct* product, const std::byte* a, const std::byte* b,
                    uint64_t groups, const std::byte* c, uint64_t c_stride, std::byte* to,
                    uint64_t to_stride);

}  // namespace rt

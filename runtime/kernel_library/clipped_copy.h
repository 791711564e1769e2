// SPDX-License-Identifier: Apache-2.0

// Copies of tiles that stick out of the memory that a shader may access: the edges of matrices.
// Called by generated code, which copies whole tiles itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rt {

// Copies `lines` lines of `length` components of `bytes` bytes, which are `stride` bytes apart, to
// lines without gaps. Components that do not lie wholly below `limit` bytes from `source` are 0.
void gatherClipped(const std::byte* source, uint64_t stride, uint64_t limit, std::byte* target,
                   uint64_t lines, uint64_t length, uint64_t bytes);

// Copies rows that are `source_stride` bytes apart to rows, or to columns, that are `stride` bytes
// apart. Components that do not lie wholly below `limit` bytes from `target` are dropped.
void scatterClipped(const std::byte* source, uint64_t source_stride, std::byte* target,
                    uint64_t stride, uint64_t limit, uint64_t rows, uint64_t columns,
                    uint64_t bytes, uint64_t to_columns);

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

// Whether tiles of an operand are rows of one matrix, which a product may read where they lie.
// Called by generated code before it packs them (jit/ukernel/packed_gemm_rows.cpp).
#pragma once

#include <cstdint>

#include "runtime/kernel_library/tile_prefetch.h"

namespace rt {

// `descriptors` are those of an operand, `capacity` for each of `tiles` tiles, of which the first
// `steps` are the K block's; each tile has `lines` rows of `line_bytes` bytes. 1 if all are one
// piece, tile below tile and step beside step, in bounds, if its rows begin at cache lines, which
// instructions that read a row of 64 bytes want, and if they have a multiple of `together` bytes;
// else 0. Then they count among the panels that the thread's cache was asked for.
uint64_t areRows(const TileDescriptor* descriptors, uint64_t tiles, uint64_t capacity,
                 uint64_t steps, uint64_t lines, uint64_t line_bytes, uint64_t together);

}  // namespace rt

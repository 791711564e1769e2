// SPDX-License-Identifier: Apache-2.0

// AMX's tile instructions as functions, for machines that lack them. Generated code calls them in
// place of the instructions (jit/passes/machine/tile_unit.h), of which they have the results to the
// bit. Each thread has tiles of its own, which are as after LDTILECFG of eight tiles of 16 rows of
// 64 bytes; what is in them before they are written is not defined.
// Source: Intel SDM volume 2, "TDPBF16PS", "TDPBSSD" and so on; for AMX-FP8 and AMX-TF32 Intel's
// Instruction Set Extensions Programming Reference.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rt {

// Tiles are called by their numbers, 0 to 7. Those of a product are three.

// TILEZERO.
void tileZero(uint64_t tile);

// TILELOADD and TILESTORED: row r is the 64 bytes at `memory` + r * `stride`.
void tileLoad(uint64_t tile, const std::byte* memory, uint64_t stride);
void tileStore(uint64_t tile, std::byte* memory, uint64_t stride);

// TDPBSSD, TDPBSUD, TDPBUSD and TDPBUUD: adds to the 32-bit sums of `c`, modulo 2^32, the products
// of the bytes of `a`, of which four in a row are four steps of K, and of `b`, of which four in a
// row are a column's at the same steps. The first letter says of `a` whether its bytes are signed,
// the second of `b`.
void tileDotSS(uint64_t c, uint64_t a, uint64_t b);
void tileDotSU(uint64_t c, uint64_t a, uint64_t b);
void tileDotUS(uint64_t c, uint64_t a, uint64_t b);
void tileDotUU(uint64_t c, uint64_t a, uint64_t b);

// The others add products of floats to binary32. They round to nearest even, take subnormal
// binary32 for zero and make zeros of subnormal results, whatever MXCSR says, and leave it as it
// is. Subnormal numbers of 8 and 16 bits count, except those of bfloat16.

// TDPBF16PS and TDPFP16PS: even and odd steps of K are summed for themselves, by FMAs from zero on;
// then the two sums are added, and the result to `c`.
void tileDotBf16(uint64_t c, uint64_t a, uint64_t b);
void tileDotF16(uint64_t c, uint64_t a, uint64_t b);

// TDPBF8PS, TDPBHF8PS, TDPHBF8PS and TDPHF8PS: B is E5M2, H is E4M3; the first is of `a`. Of four
// steps of K the first two and the last two are added for themselves, to sums of their own; the
// rest is as above.
void tileDotBB(uint64_t c, uint64_t a, uint64_t b);
void tileDotBH(uint64_t c, uint64_t a, uint64_t b);
void tileDotHB(uint64_t c, uint64_t a, uint64_t b);
void tileDotHH(uint64_t c, uint64_t a, uint64_t b);

// TMMULTF32PS: a step of K is a binary32 number without its lowest 13 bits; one sum, by FMAs from
// zero on, is added to `c`.
void tileDotTf32(uint64_t c, uint64_t a, uint64_t b);

}  // namespace rt

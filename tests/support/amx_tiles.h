// SPDX-License-Identifier: Apache-2.0

// The processor's own tile instructions, to hold their emulation against.
#pragma once

#include "runtime/cpu_features.h"
#include "runtime/kernel_library/tile_products.h"
#include "runtime/tile_permission.h"

namespace rt {

using AmxProduct = void (*)(Tile& c, const Tile& a, const Tile& b);

// Whether the processor has those below.
inline bool amxInProcessor() {
  const CpuFeatures& host = hostCpuFeatures();
  return host.amx_tile && host.amx_int8 && host.amx_bf16;
}

// Whether this process may execute them. Asks the system for its permission.
inline bool amxIsHere() { return amxInProcessor() && tilePermission().granted(); }

// Whether this thread's tiles are not in their initial state: configured, or any of them not zero.
// XINUSE (Intel SDM volume 1, 13.6), by XGETBV of 1. Wants amxIsHere().
inline bool tilesAreInUse() {
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  return (low >> 17 & 3) != 0;
}

// Palette 1, eight tiles of 16 rows of 64 bytes.
struct alignas(64) AmxConfiguration {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(AmxConfiguration) == 64);

#define TESSERA_AMX_PRODUCT(name, instruction)                                           \
  [[gnu::target("amx-tile,amx-int8,amx-bf16")]] inline void name(Tile& c, const Tile& a, \
                                                                 const Tile& b) {        \
    const AmxConfiguration configuration;                                                \
    const int64_t stride = 64;                                                           \
    asm volatile("ldtilecfg %0" : : "m"(configuration));                                 \
    asm volatile("tileloadd (%0,%1,1), %%tmm0" : : "r"(&c), "r"(stride) : "memory");     \
    asm volatile("tileloadd (%0,%1,1), %%tmm1" : : "r"(&a), "r"(stride) : "memory");     \
    asm volatile("tileloadd (%0,%1,1), %%tmm2" : : "r"(&b), "r"(stride) : "memory");     \
    asm volatile(instruction " %tmm2, %tmm1, %tmm0");                                    \
    asm volatile("tilestored %%tmm0, (%0,%1,1)" : : "r"(&c), "r"(stride) : "memory");    \
    asm volatile("tilerelease");                                                         \
  }
TESSERA_AMX_PRODUCT(amxDotSS, "tdpbssd")
TESSERA_AMX_PRODUCT(amxDotSU, "tdpbsud")
TESSERA_AMX_PRODUCT(amxDotUS, "tdpbusd")
TESSERA_AMX_PRODUCT(amxDotUU, "tdpbuud")
TESSERA_AMX_PRODUCT(amxDotBf16, "tdpbf16ps")
#undef TESSERA_AMX_PRODUCT

}  // namespace rt

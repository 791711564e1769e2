// SPDX-License-Identifier: Apache-2.0

#include "bench/tiles.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace bench {
namespace {

TileUnits findTileUnits() {
  TileUnits units;
#if defined(__x86_64__) && defined(__linux__)
  // CPUID leaf 7, EDX: AMX-BF16, AMX-TILE and AMX-INT8 (Intel SDM, volume 2). Linux grants the
  // permission only where it saves the state (Documentation/arch/x86/xstate.rst).
  constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24, kInt8 = 1u << 25;
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  unsigned eax, ebx, ecx, edx;
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(edx & kTile)) return units;
  if (syscall(SYS_arch_prctl, kRequestPermission, kTileData) != 0) return units;
  units.bf16 = edx & kBf16;
  units.int8 = edx & kInt8;
#endif
  return units;
}

}  // namespace

TileUnits tileUnits() {
  static const TileUnits units = findTileUnits();
  return units;
}

TileUse tileUse() {
  const TileUnits units = tileUnits();
  if (!units.bf16 || !units.int8) return TileUse::None;
  if (isaCeiling().empty() || isaCeiling() == "amx") return TileUse::Used;
  return isaCeiling() == "avx512" ? TileUse::Withheld : TileUse::None;
}

}  // namespace bench

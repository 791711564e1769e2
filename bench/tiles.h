// SPDX-License-Identifier: Apache-2.0

// Tile registers (AMX): whether the machine has them, and whether the driver may use them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace bench {

enum class TileUse : uint8_t {
  None,      // the machine has none, or TESSERA_ISA names less than AVX-512
  Withheld,  // it has them, and TESSERA_ISA is avx512
  Used,
};

struct TileUnits {
  bool bf16 = false, int8 = false;  // dot products into f32 and s32
};

// What the processor has and the system lets this process use. Asks for the permission
// (arch_prctl ARCH_REQ_XCOMP_PERM), once.
TileUnits tileUnits();

// The driver's ceiling: TESSERA_ISA, empty if it is not set.
inline std::string_view isaCeiling() {
  const char* ceiling = std::getenv("TESSERA_ISA");
  return ceiling == nullptr ? "" : ceiling;
}

TileUse tileUse();

}  // namespace bench

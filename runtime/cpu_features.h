// SPDX-License-Identifier: Apache-2.0

// Instruction sets: what the machine has (CPUID and XCR0), and how much of it a device uses.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rt {

// Each includes the ones before it. TESSERA_ISA names one as a ceiling.
enum class Isa : uint8_t {
  Reference,  // the architecture's baseline, no microkernel but the reference
  Avx2,       // AVX2, FMA, F16C
  Avx512,     // AVX-512 F, BW, DQ, VL, CD; VNNI, BF16, FP16 where present
  Amx,        // AMX tiles, which the system has to permit: see tile_permission.h
};

// What executes tile instructions, which AMX has. TESSERA_TILES names one.
enum class Tiles : uint8_t {
  Hardware,      // the processor, where it has them
  Emulated,      // functions of the runtime (kernel_library/tile_unit.h), those that there are in
                 // processors: AMX-TILE, AMX-INT8, AMX-BF16
  EmulatedNext,  // and AMX-FP16, AMX-FP8, AMX-TF32
};

struct CpuFeatures {
#define CPU_FEATURE(field, llvm_name) bool field = false;
#include "runtime/cpu_features.def"
};

// Read once from CPUID and XCR0 (a feature whose registers the system does not save is absent).
const CpuFeatures& hostCpuFeatures();

// The features that a device at this ceiling uses: the host's, less those above the ceiling.
CpuFeatures featuresAt(Isa ceiling);

// The highest ceiling that the host reaches.
Isa hostIsa();

std::string_view isaName(Isa isa);                   // "reference", "avx2", "avx512", "amx"
std::optional<Isa> parseIsa(std::string_view name);  // nothing for any other word
// "hardware", "emulated", "emulated-next"; nothing for any other word.
std::optional<Tiles> parseTiles(std::string_view name);

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

// The machine that code is made for: a ceiling, and what of the host lies under it.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/cpu_features.h"

namespace jit {

inline constexpr uint32_t kMostVectorBytes = 64;  // AVX-512's

// How many vector registers a machine has whose widest are so long.
constexpr uint32_t vectorRegisters(uint32_t vector_bytes) {
  return vector_bytes == kMostVectorBytes ? 32 : 16;
}

struct Target {
  rt::Isa isa;
  rt::CpuFeatures features;  // code generation may use these and no others
  std::string cpu;           // LLVM's names; features as "+a,-b"
  std::string feature_string;
  std::string tune_cpu;            // whose costs and latencies to assume: the host's
  uint32_t vector_bytes;           // of the widest vector register: 16, 32 or 64
  uint64_t first_level_bytes = 0;  // of a core's first-level data cache; 0: not known
  // Only microkernels whose results have the same bits on every instruction set: products added
  // to f32 in ascending order, one rounding each, subnormal numbers kept.
  bool exact = false;
  // Tile instructions are calls of functions of the runtime (runtime/kernel_library/tile_unit.h),
  // whose features (`features.amx_*`) code generation does not hear of.
  bool emulates_tiles = false;
  // Kernels end early when they are told to: see passes/code/interruptible_loops.h.
  bool interruptible = false;
  // What the shapes of lanes say (analysis/lane_shape.h) is computed for each lane too, and
  // compared.
  bool checks_shapes = false;
};

// The target for a ceiling on this host. The CPU is always the architecture's baseline, and the
// features come on top. Emulated tiles are there at every ceiling; those of the hardware, where
// they are, have to be permitted (runtime/tile_permission.h) before code runs.
Target makeTarget(rt::Isa isa, rt::Tiles tiles = rt::Tiles::Hardware);

// The same without tiles of the hardware, for code that may not use them.
Target withoutHardwareTiles(Target target);

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

// Loops of the instructions that multiply matrices, and of nothing else: what they reach is what
// the machine can.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/cpu_features.h"

namespace rt {

enum class PeakKind : uint8_t {
  F32,       // fused multiply-add; also the ceiling of f16 inputs where f16 has no arithmetic
  F32Of256,  // the same in registers of 256 bits
  F64,
  Bf16,  // dot product of pairs into f32
  Int8,  // dot product of quads into s32
};

struct PeakLoop {
  using Function = void (*)(uint64_t iterations);  // of kUnrolled instructions each
  static constexpr uint64_t kUnrolled = 24;

  // The same loop with dependent additions among its instructions, one a cycle.
  struct Clock {
    uint64_t additions = 0;  // an iteration
    Function run = nullptr;
  };

  PeakKind kind;
  Isa isa;  // that has it
  const char* instruction;
  double operations;  // of one instruction; a multiply and an add are two
  // Whether the processor has it. Who runs one of tiles has asked the system (tile_permission.h).
  bool (*available)();
  uint64_t iterations;  // of about half a millisecond
  Function run;
  // Additions that take somewhat longer than the instructions at the rates that these may have: the
  // loop runs at the clock that the processor has under such a load. Ascending; the rest is empty.
  Clock clocks[3];
};

// Several of a kind: which is the fastest depends on the processor. None on other architectures.
std::span<const PeakLoop> peakLoops();

}  // namespace rt

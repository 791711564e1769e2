// SPDX-License-Identifier: Apache-2.0

// How fast a core of this machine can multiply and add at most, measured by loops that prove
// themselves: instructions per cycle, at the clock that dependent additions among them show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/peak_loops.h"

namespace bench {

using rt::PeakKind;

struct Peak {
  std::string instruction;
  double operations_per_second = 0;  // a multiply and an add are two; of one core
  double gigahertz = 0;              // of the dependent additions, under this load
  double per_cycle = 0;              // instructions
  // Within 3 % of a sixteenth (tiles), a half, one or two (or above two) instructions a cycle: no
  // loop can be faster.
  bool proven() const;
  std::string describe() const;  // "vfmadd231ps zmm 118.2 Gop/s, 1.00 a cycle at 3.69 GHz"
};

// Of the fastest instruction that the machine has for this kind, of tiles only where the driver may
// use them (bench/tiles.h); f32 FMA stands in for bf16 where there is none or that is slower, and
// vpmaddwd for int8. Takes about `seconds`. Without any (no
// FMA, another architecture) the instruction is empty and the rate 0.
Peak measurePeak(PeakKind kind, double seconds);

// The same of a core while all of them run it: what a program that uses them all can reach. Cores
// that share their units (hardware threads) or their power are slower then.
Peak measurePeakOfBusyCores(PeakKind kind, double seconds);

// Operations a second of each of these processors (the system's numbers) while all of them run that
// loop, a thread bound to each: of the median piece, not of the best. Throws std::runtime_error
// where a thread cannot be bound; zeros where there is no loop.
std::vector<double> measureRatesOn(const std::vector<int>& processors, PeakKind kind,
                                   double seconds);

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0

// Measures a kernel: all its spellings and peers by turns.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/suite/contestant.h"

namespace bench {

// C++, ISPC and OpenCL, in the order of the table.
inline constexpr const char* kPeerNames[] = {"C++", "ISPC", "PoCL"};

struct SpellingFigures {
  std::string name;
  bool other_width = false;    // held to a lower target than other spellings
  std::string missing, wrong;  // why it was not timed
  double seconds = 0;
  std::map<std::string, double> speedup;  // peer's time / this one's, by the peer's name
  double share = 0;                       // the same of the faster one of C++ and ISPC
  double of_best = 0;                     // time of the kernel's fastest spelling / this one's
  double noise = 0;                       // of share
  double compile_seconds = 0;
};

struct KernelFigures {
  std::string name, group;
  std::vector<SpellingFigures> spellings;
  std::map<std::string, double> peer_seconds;
  std::vector<std::string> notes;   // peers that are not there
  std::vector<std::string> errors;  // peers whose results are wrong, or that failed

  // The fastest spelling; null when none was timed.
  const SpellingFigures* best() const;
  bool right() const;
};

struct Languages {
  IspcCompiler* ispc = nullptr;
  OpenClProcess* opencl = nullptr;
};

// turns: 0 only checks.
KernelFigures measureKernel(const std::string& group, const KernelRow& row,
                            const host::Device& device, const Languages& languages, int turns);

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0

// What a random program about memory has to do with: its workgroups, the types of its matrices, and
// where they may lie.
#pragma once

#include <vector>

#include "tests/matrix/facts.h"
#include "tests/matrix/overlap_program.h"
#include "tests/matrix/random.h"

namespace matrices::overlaps {

inline uint32_t roundUp(uint32_t bytes, uint32_t unit) { return (bytes + unit - 1) / unit * unit; }

inline uint32_t bytesOf(ElementType type) { return kernels::elementInfo(type).bytes(); }

inline uint32_t bytesOf(const MatrixType& type) { return type.size() * bytesOf(type.component); }

class Setting {
 protected:
  // Chooses, the same for the same facts and seed.
  Setting(const Facts& facts, uint64_t seed);

  bool hasWorkgroupScope() const;

  const Facts& facts_;
  Random random_;
  Program program_;
  Multiplication row_{};
  std::vector<MatrixType> types_;
  std::vector<Path> paths_;

 private:
  void chooseInvocations();
  void offer(const Multiplication& row);
  void chooseTypes();
  void chooseMemory();

  std::vector<Multiplication> offered_;
};

}  // namespace matrices::overlaps

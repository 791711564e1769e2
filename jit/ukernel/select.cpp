// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "jit/ukernel/ukernel.h"

namespace jit::ukernel {
namespace {

bool isZen(const Target& target) { return target.tune_cpu.starts_with("znver"); }

// Whether the first-level cache holds four micro-panels of a K block, 32 KiB, with the rows of A
// that pass by. Not measured on Zen 5, whose cache is as large; Zen 4 has 32 KiB.
bool holdsFourMicroPanels(const Target& target) {
  return target.first_level_bytes >= (48 << 10) && !isZen(target);
}

}  // namespace

std::span<const Row> rows() {
  static constexpr Row kRows[] = {
#define UKERNEL(name, arithmetic, vector_bytes, registers, micro_panels, runs, preferred) \
  {#name,                                                                                 \
   &arithmetic,                                                                           \
   vector_bytes,                                                                          \
   registers,                                                                             \
   micro_panels,                                                                          \
   [](const Target& target) {                                                             \
     [[maybe_unused]] const rt::CpuFeatures& has = target.features;                       \
     return bool{runs};                                                                   \
   },                                                                                     \
   []([[maybe_unused]] const Target& target) { return bool{preferred}; }},
#include "jit/ukernel/ukernels.def"
  };
  return kRows;
}

const Row* select(const MulAdd& op, const Target& target) {
  auto row = std::ranges::find_if(rows(), [&](const Row& row) {
    return row.runs(target) && row.preferred(target) && row.arithmetic->accepts(op);
  });
  return row == rows().end() ? nullptr : &*row;
}

uint32_t lanes(const Row& row, const MulAdd& op) {
  return row.vector_bytes / coopmat::bytesOf(row.arithmetic->accumulator(op));
}

bool roundsEachStep(const Row& row, const MulAdd& op) {
  Component accumulator = row.arithmetic->accumulator(op);
  return coopmat::bytesOf(op.result) != coopmat::bytesOf(accumulator) || op.saturating;
}

}  // namespace jit::ukernel

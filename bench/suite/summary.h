// SPDX-License-Identifier: Apache-2.0

// The tables of suite_bench, and its record.
#pragma once

#include <span>

#include "bench/json.h"
#include "bench/suite/measure.h"

namespace bench {

inline constexpr double kMedianTarget = 0.9, kLeastTarget = 0.5;  // of the faster of C++ and ISPC
inline constexpr double kSpellingTarget = 0.9, kWidthTarget = 0.75;  // of the best spelling

void printHeader();
// A line for each spelling.
void printKernel(const KernelFigures& figures);
// Medians and the least of all kernels, and the spellings that are behind the best of their kernel.
void printSummary(std::span<const KernelFigures> kernels);
// As rows of a record that bench/report reads.
void addRows(Json& json, std::span<const KernelFigures> kernels);

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0

// Comparing what a kernel left in its buffers with what its file expects.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tests/support/finding.h"
#include "tests/support/kernel_file.h"

namespace kernels {

// Evaluates the initial data of buffer `index` into `memory`, which holds kUnwritten bytes.
// `scope` sees the buffers before it. Throws std::runtime_error.
void fillBuffer(const Kernel& kernel, size_t index, Scope& scope, std::span<std::byte> memory);

// Whether an element with these bits is `expected`, within the tolerance.
bool accepts(const Tolerance& tolerance, ElementType type, uint64_t got_bits,
             const Value& expected);

// One message for each expectation that does not hold; empty when all do. `scope` has `before`
// and `after`.
std::vector<std::string> checkKernel(const Kernel& kernel, Scope& scope);

// The same for what the kernel printed.
std::vector<std::string> checkPrints(const Kernel& kernel, const std::vector<std::string>& prints);

// The same for what the driver's checks found.
struct FindingFailures {
  std::vector<std::string> failures;
  uint32_t unexpected = 0;  // findings that no line of the file is for, or that are one too many
};
FindingFailures checkFindings(const Kernel& kernel, const std::vector<host::Finding>& findings);

// The messages of one product; see matmul_model.cpp for the tolerance.
std::vector<std::string> checkMatmul(const Kernel& kernel, const MatmulExpectation& expectation,
                                     const Scope& scope);

}  // namespace kernels

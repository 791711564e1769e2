// SPDX-License-Identifier: Apache-2.0

// Findings of checks for other programs: JSON, and SARIF 2.1.0 (OASIS, "Static Analysis Results
// Interchange Format"). Here for the JSON that LLVM has inside, so that no other library is needed.
#pragma once

#include <span>
#include <string>

#include "runtime/check/finding.h"

namespace jit {

// An object in one line, without a newline.
std::string jsonOf(const rt::Finding& finding);

// A log of one run.
std::string sarifOf(std::span<const rt::Finding> findings, const std::string& version);

}  // namespace jit

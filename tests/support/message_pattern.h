// SPDX-License-Identifier: Apache-2.0

// The regular expressions of kernel files: extended POSIX, found anywhere in a message.
#pragma once

#include <string>

namespace kernels {

// Empty, or why `pattern` is no regular expression.
std::string findPatternError(const std::string& pattern);

// False for what is no regular expression.
bool matchesPattern(const std::string& message, const std::string& pattern);

}  // namespace kernels

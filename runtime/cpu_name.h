// SPDX-License-Identifier: Apache-2.0

// What the processor calls itself.
#pragma once

#include <string>

namespace rt {

// As its maker has it; "an unknown processor" where it says nothing.
std::string hostCpuName();

}  // namespace rt

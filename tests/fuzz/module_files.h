// SPDX-License-Identifier: Apache-2.0

// The modules that the tests start from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fuzz {

using Words = std::vector<uint32_t>;

// The modules of a folder of tests/fuzz, with their names, in the names' order.
std::vector<std::pair<std::string, Words>> modulesIn(const std::string& folder);

// Writes a module to the working folder.
void writeModule(const std::string& file, const Words& words);

}  // namespace fuzz

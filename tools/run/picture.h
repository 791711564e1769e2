// SPDX-License-Identifier: Apache-2.0

// Numbers as a picture.
#pragma once

#include <filesystem>
#include <string>

#include "tools/run/output.h"

namespace run {

// A PNG file with a square for each number. Where some are negative, colours go from blue over
// white for 0 to red, evenly on both sides; else from black to white. NaN is magenta, infinity
// yellow, negative infinity cyan. An array that is no matrix is drawn in rows that make it about a
// square. The size and what the ends of the scale stand for. Throws std::runtime_error.
std::string savePicture(const Array& array, const std::filesystem::path& path);

}  // namespace run

// SPDX-License-Identifier: Apache-2.0

// Arrays of numbers in files: NumPy's .npy (format versions 1 to 3, little-endian, C order), and
// raw bytes. Types that NumPy lacks (bf16, e4m3, e5m2) are unsigned integers of their size there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tests/support/element_type.h"

namespace kernels {

// The elements of a file whose name ends in .npy, which must have this type, and of any other file
// its bytes. Throws std::runtime_error, with the file and what would be right.
std::vector<std::byte> readArray(const std::filesystem::path& path, ElementType type);

// `shape`: lengths, the slowest first; their product is that of the elements in `memory`. Throws
// std::runtime_error.
void writeNpy(const std::filesystem::path& path, ElementType type, std::span<const uint64_t> shape,
              std::span<const std::byte> memory);
void writeBytes(const std::filesystem::path& path, std::span<const std::byte> memory);

}  // namespace kernels

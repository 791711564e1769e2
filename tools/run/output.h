// SPDX-License-Identifier: Apache-2.0

// Buffers as files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/element_type.h"

namespace run {

// Numbers in rows of the same length; one row where nothing else is known.
struct Array {
  kernels::ElementType type = kernels::ElementType::F64;
  uint64_t rows = 0, columns = 0;
  bool is_matrix = false;         // that rows and columns were asked for
  std::vector<std::byte> memory;  // of rows times columns elements

  double at(uint64_t row, uint64_t column) const;
};

// Throws UsageError where a buffer of `count` elements has too few for the shape.
void checkShape(const std::string& buffer, uint64_t count,
                const std::optional<std::pair<uint64_t, uint64_t>>& shape);

// The first elements of a buffer in this shape, which it has, or all of it.
Array arrayOf(kernels::ElementType type, std::span<const std::byte> memory,
              const std::optional<std::pair<uint64_t, uint64_t>>& shape);

// What `a` has more than `b`, which is as large, as f64.
Array difference(const Array& a, const Array& b);

// Throws UsageError where a file of this name cannot be made, by how it ends.
void checkOutput(const std::filesystem::path& path);

// What was written, in a few words. Throws std::runtime_error.
std::string save(const Array& array, const std::filesystem::path& path);

}  // namespace run

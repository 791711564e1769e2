// SPDX-License-Identifier: Apache-2.0

#include "tools/run/output.h"

#include <algorithm>
#include <array>
#include <map>

#include "tests/support/array_file.h"
#include "tools/run/options.h"
#include "tools/run/picture.h"

namespace run {
namespace {

using kernels::ElementType;

std::string format(const Array& array, uint64_t element) {
  return kernels::format(kernels::loadElement(array.type, array.memory, element));
}

std::string saveNpy(const Array& array, const std::filesystem::path& path) {
  const std::array<uint64_t, 2> shape = {array.rows, array.columns};
  kernels::writeNpy(path, array.type,
                    array.is_matrix ? std::span(shape) : std::span(shape).subspan(1), array.memory);
  return std::to_string(array.rows * array.columns) + " elements";
}

std::string saveBytes(const Array& array, const std::filesystem::path& path) {
  kernels::writeBytes(path, array.memory);
  return std::to_string(array.memory.size()) + " bytes";
}

std::string saveTable(const Array& array, const std::filesystem::path& path) {
  size_t width = 0;
  for (uint64_t e = 0; e < array.rows * array.columns; ++e)
    width = std::max(width, format(array, e).size());
  std::string text;
  for (uint64_t row = 0; row < array.rows; ++row) {
    for (uint64_t column = 0; column < array.columns; ++column) {
      const std::string number = format(array, row * array.columns + column);
      text += std::string(width - number.size() + (column == 0 ? 0 : 1), ' ') + number;
    }
    text += '\n';
  }
  kernels::writeBytes(path, std::as_bytes(std::span(text)));
  return std::to_string(array.rows) + " rows of " + std::to_string(array.columns);
}

using Saver = std::string (*)(const Array&, const std::filesystem::path&);
const std::map<std::string, Saver>& savers() {
  static const std::map<std::string, Saver> kSavers = {
      {".npy", &saveNpy}, {".bin", &saveBytes}, {".txt", &saveTable}, {".png", &savePicture}};
  return kSavers;
}

}  // namespace

double Array::at(uint64_t row, uint64_t column) const {
  return kernels::loadElement(type, memory, row * columns + column).asReal();
}

void checkShape(const std::string& buffer, uint64_t count,
                const std::optional<std::pair<uint64_t, uint64_t>>& shape) {
  if (!shape) return;
  const auto [rows, columns] = *shape;
  if (rows > count || columns > count / rows)
    throw UsageError("buffer '" + buffer + "' has " + std::to_string(count) +
                     " elements, fewer than " + std::to_string(rows) + " rows of " +
                     std::to_string(columns));
}

Array arrayOf(ElementType type, std::span<const std::byte> memory,
              const std::optional<std::pair<uint64_t, uint64_t>>& shape) {
  const uint64_t each = kernels::elementInfo(type).bytes();
  Array array{.type = type,
              .rows = 1,
              .columns = memory.size() / each,
              .is_matrix = shape.has_value(),
              .memory = {}};
  if (shape) std::tie(array.rows, array.columns) = *shape;
  const auto taken = memory.first(array.rows * array.columns * each);
  array.memory.assign(taken.begin(), taken.end());
  return array;
}

Array difference(const Array& a, const Array& b) {
  Array result = a;
  result.type = ElementType::F64;
  result.memory.resize(a.rows * a.columns * sizeof(double));
  for (uint64_t row = 0; row < a.rows; ++row)
    for (uint64_t column = 0; column < a.columns; ++column)
      kernels::storeElement(result.type, result.memory, row * a.columns + column,
                            kernels::Value::of(a.at(row, column) - b.at(row, column)));
  return result;
}

void checkOutput(const std::filesystem::path& path) {
  if (!savers().contains(path.extension()))
    throw UsageError("--save: " + path.string() + " ends in none of .npy, .bin, .txt and .png");
}

std::string save(const Array& array, const std::filesystem::path& path) {
  return savers().at(path.extension())(array, path);
}

}  // namespace run

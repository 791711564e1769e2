// SPDX-License-Identifier: Apache-2.0

#include "tools/run/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <zlib.h>

#include "tests/support/array_file.h"

namespace run {
namespace {

using Colour = std::array<unsigned char, 3>;
constexpr Colour kNan = {255, 0, 255}, kInfinity = {255, 220, 0}, kNegativeInfinity = {0, 220, 255};
constexpr Colour kNothing = {128, 128, 128};  // behind the last number
// Small pictures are enlarged to about so many pixels.
constexpr uint64_t kLeastSide = 256, kMostSide = 16384;

// A PNG file (W3C, Portable Network Graphics, third edition): chunks of a length, a name, data, and
// a check sum of name and data; numbers begin with the highest byte.
class PngFile {
 public:
  PngFile(uint32_t width, uint32_t height, const std::vector<unsigned char>& pixels) {
    constexpr unsigned char kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    bytes_.assign(std::begin(kSignature), std::end(kSignature));
    std::vector<unsigned char> header;
    append(header, width);
    append(header, height);
    header.insert(header.end(), {8, 2, 0, 0, 0});  // bits of a channel, RGB
    add("IHDR", header);
    // Each row begins with its filter: none.
    std::vector<unsigned char> rows;
    for (size_t y = 0, row = size_t{width} * 3; y < height; ++y) {
      rows.push_back(0);
      const auto first = pixels.begin() + static_cast<ptrdiff_t>(y * row);
      rows.insert(rows.end(), first, first + static_cast<ptrdiff_t>(row));
    }
    uLongf length = compressBound(rows.size());
    std::vector<unsigned char> compressed(length);
    if (compress2(compressed.data(), &length, rows.data(), rows.size(), Z_BEST_COMPRESSION) != Z_OK)
      throw std::runtime_error("no memory for the picture");
    compressed.resize(length);
    add("IDAT", compressed);
    add("IEND", {});
  }

  std::span<const unsigned char> bytes() const { return bytes_; }

 private:
  static void append(std::vector<unsigned char>& to, uint32_t number) {
    for (const int shift : {24, 16, 8, 0})
      to.push_back(static_cast<unsigned char>(number >> shift));
  }

  void add(std::string_view name, const std::vector<unsigned char>& data) {
    append(bytes_, static_cast<uint32_t>(data.size()));
    const size_t checked = bytes_.size();
    bytes_.insert(bytes_.end(), name.begin(), name.end());
    bytes_.insert(bytes_.end(), data.begin(), data.end());
    append(bytes_, static_cast<uint32_t>(crc32(0, bytes_.data() + checked,
                                               static_cast<uInt>(bytes_.size() - checked))));
  }

  std::vector<unsigned char> bytes_;
};

struct Scale {
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  bool isSigned() const { return least < 0; }
  double reach() const { return std::max(-least, greatest); }
};

Colour colourOf(double value, const Scale& scale) {
  if (std::isnan(value)) return kNan;
  if (std::isinf(value)) return value > 0 ? kInfinity : kNegativeInfinity;
  auto byte = [](double part) { return static_cast<unsigned char>(std::lround(255 * part)); };
  if (!scale.isSigned()) {
    const double range = scale.greatest - scale.least;
    const unsigned char grey = byte(range > 0 ? (value - scale.least) / range : 0);
    return {grey, grey, grey};
  }
  const double part = value / scale.reach();
  const unsigned char paler = byte(1 - std::fabs(part));
  return part > 0 ? Colour{255, paler, paler} : Colour{paler, paler, 255};
}

}  // namespace

std::string savePicture(const Array& array, const std::filesystem::path& path) {
  const uint64_t count = array.rows * array.columns;
  const uint64_t columns =
      array.is_matrix ? array.columns
                      : static_cast<uint64_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  const uint64_t rows = (count + columns - 1) / columns;
  if (std::max(rows, columns) > kMostSide)
    throw std::runtime_error(path.string() + ": " + std::to_string(rows) + " rows of " +
                             std::to_string(columns) + " are too many for a picture; at most " +
                             std::to_string(kMostSide) + " of each are drawn");
  auto valueOf = [&](uint64_t e) { return array.at(e / array.columns, e % array.columns); };
  Scale scale;
  for (uint64_t e = 0; e < count; ++e) {
    const double value = valueOf(e);
    if (!std::isfinite(value)) continue;
    scale.least = std::min(scale.least, value);
    scale.greatest = std::max(scale.greatest, value);
  }
  const uint64_t enlarged = std::max<uint64_t>(1, kLeastSide / std::max(rows, columns));
  const uint64_t width = columns * enlarged, height = rows * enlarged;
  std::vector<unsigned char> pixels(width * height * 3);
  for (uint64_t y = 0; y < height; ++y)
    for (uint64_t x = 0; x < width; ++x) {
      const uint64_t e = y / enlarged * columns + x / enlarged;
      const Colour colour = e < count ? colourOf(valueOf(e), scale) : kNothing;
      std::copy(colour.begin(), colour.end(),
                pixels.begin() + static_cast<ptrdiff_t>((y * width + x) * 3));
    }
  const PngFile file(static_cast<uint32_t>(width), static_cast<uint32_t>(height), pixels);
  kernels::writeBytes(path, std::as_bytes(file.bytes()));
  const std::string size = std::to_string(rows) + " rows of " + std::to_string(columns);
  if (scale.least > scale.greatest) return size + ", no finite number";
  auto text = [](double value) { return kernels::format(kernels::Value::of(value)); };
  if (!scale.isSigned())
    return size + ", from " + text(scale.least) + " (black) to " + text(scale.greatest) +
           " (white)";
  return size + ", from " + text(-scale.reach()) + " (blue) over 0 (white) to " +
         text(scale.reach()) + " (red)";
}

}  // namespace run

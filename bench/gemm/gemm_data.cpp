// SPDX-License-Identifier: Apache-2.0

#include "bench/gemm/gemm_data.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

namespace bench {
namespace {

constexpr GemmTypeInfo kInfos[] = {
#define GEMM_TYPE(id, name, input, output, input_bytes, output_bytes, tile_k, stage_k, from, to, \
                  peak)                                                                          \
  {name, input, output, input_bytes, output_bytes, tile_k, stage_k, PeakKind::peak},
#include "bench/gemm/gemm_types.def"
#undef GEMM_TYPE
};

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}
  uint64_t next() {  // xorshift64*
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }

 private:
  uint64_t state_;
};

// A binary floating-point format with a sign bit on top and an implicit leading bit.
struct FloatFormat {
  unsigned exponent, mantissa;  // bits
  int bias() const { return (1 << (exponent - 1)) - 1; }
};

// Of a type's elements; no bits for integers.
FloatFormat formatOf(GemmType type) {
  switch (type) {
    case GemmType::F32:
      return {8, 23};
    case GemmType::F16:
      return {5, 10};
    case GemmType::Bf16:
      return {8, 7};
    case GemmType::F64:
      return {11, 52};
    case GemmType::E4m3:
      return {4, 3};
    case GemmType::S8:
    case GemmType::U8:
      break;
  }
  return {0, 0};
}

// Floats: sign and mantissa at random, magnitude of 2^-5 up to 1. Integers: any.
uint64_t randomElement(GemmType type, Random& random) {
  const uint64_t bits = random.next();
  const FloatFormat format = formatOf(type);
  if (format.exponent == 0) return bits >> 56;
  const uint64_t mantissa = bits >> 8 & ((uint64_t{1} << format.mantissa) - 1);
  const auto exponent = static_cast<uint64_t>(format.bias() - 5) + (bits & 0x7f) % 5;
  const uint64_t sign = bits >> 7 & 1;
  return (sign << format.exponent | exponent) << format.mantissa | mantissa;
}

double decodeElement(GemmType type, uint64_t bits) {
  const FloatFormat format = formatOf(type);
  if (format.exponent == 0)
    return type == GemmType::S8 ? static_cast<int8_t>(bits) : static_cast<uint8_t>(bits);
  const uint64_t one = uint64_t{1} << format.mantissa;
  const auto exponent =
      static_cast<int>(bits >> format.mantissa & ((uint64_t{1} << format.exponent) - 1));
  const double magnitude = std::ldexp(static_cast<double>(one + (bits & (one - 1))),
                                      exponent - format.bias() - static_cast<int>(format.mantissa));
  return bits >> (format.exponent + format.mantissa) & 1 ? -magnitude : magnitude;
}

// Little endian: the low bytes first.
uint64_t elementAt(std::span<const std::byte> elements, uint32_t bytes, size_t at) {
  uint64_t bits = 0;
  std::memcpy(&bits, elements.data() + at * bytes, bytes);
  return bits;
}

template <typename T>
double load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return static_cast<double>(value);
}

double loadResult(GemmType type, const std::byte* from) {
  switch (type) {
    case GemmType::S8:
      return load<int32_t>(from);
    case GemmType::U8:
      return load<uint32_t>(from);
    case GemmType::F64:
      return load<double>(from);
    default:
      return load<float>(from);
  }
}

constexpr uint32_t kRows = 4;      // of C in registers
constexpr uint32_t kColumns = 32;  // of C in registers, and of a panel of B

typedef double Vector __attribute__((vector_size(64)));
constexpr uint32_t kVectors = kColumns / 8;

// kRows x kColumns of C from kRows rows of A (depth apart) and a panel of B (kColumns wide).
[[gnu::always_inline]] inline void multiplyBlock(const double* a, const double* panel,
                                                 uint32_t depth, double* c, size_t c_stride) {
  Vector sums[kRows][kVectors] = {};
  for (uint32_t k = 0; k < depth; ++k) {
    const Vector* b = reinterpret_cast<const Vector*>(panel + static_cast<size_t>(k) * kColumns);
    for (uint32_t row = 0; row < kRows; ++row) {
      const double x = a[static_cast<size_t>(row) * depth + k];
      for (uint32_t v = 0; v < kVectors; ++v) sums[row][v] += b[v] * x;
    }
  }
  for (uint32_t row = 0; row < kRows; ++row) {
    for (uint32_t v = 0; v < kVectors; ++v) {
      for (uint32_t lane = 0; lane < 8; ++lane)
        c[row * c_stride + v * 8 + lane] = sums[row][v][lane];
    }
  }
}

using BlockFunction = void (*)(const double*, const double*, uint32_t, double*, size_t);

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void multiplyBlockAvx512(const double* a, const double* panel,
                                                            uint32_t depth, double* c,
                                                            size_t stride) {
  multiplyBlock(a, panel, depth, c, stride);
}
__attribute__((target("avx2,fma"))) void multiplyBlockAvx2(const double* a, const double* panel,
                                                           uint32_t depth, double* c,
                                                           size_t stride) {
  multiplyBlock(a, panel, depth, c, stride);
}
#endif
void multiplyBlockBaseline(const double* a, const double* panel, uint32_t depth, double* c,
                           size_t stride) {
  multiplyBlock(a, panel, depth, c, stride);
}

BlockFunction selectBlockFunction() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return multiplyBlockAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return multiplyBlockAvx2;
#endif
  return multiplyBlockBaseline;
}

struct AlignedVector {
  alignas(64) double values[8];
};

// Of the product, the norms, A and B, in this order.
size_t neededBytes(GemmType type, GemmSize size) {
  const auto [m, n, k] = size;
  return (static_cast<size_t>(m) * n + m + n) * sizeof(double) +
         (static_cast<size_t>(m) * k + static_cast<size_t>(k) * n) * gemmTypeInfo(type).input_bytes;
}

}  // namespace

const GemmTypeInfo& gemmTypeInfo(GemmType type) { return kInfos[static_cast<size_t>(type)]; }

std::string GemmSize::describe() const {
  return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
}

GemmData::GemmData(GemmType type, GemmSize size, uint64_t seed, unsigned threads)
    : type_(type), size_(size), memory_(neededBytes(type, size)) {
  divide();
  Random random(seed);
  const uint32_t bytes = info().input_bytes;
  for (std::span<std::byte> matrix : {a_, b_}) {
    for (size_t at = 0; at < matrix.size(); at += bytes) {
      const uint64_t element = randomElement(type, random);
      std::memcpy(matrix.data() + at, &element, bytes);
    }
  }
  multiply(threads);
}

GemmData::GemmData(GemmType type, GemmSize size, const std::string& path)
    : type_(type), size_(size), memory_(path, neededBytes(type, size)) {
  divide();
}

void GemmData::divide() {
  const auto [m, n, k] = size_;
  std::byte* next = memory_.bytes().data();
  auto take = [&](size_t count) {
    const std::span<double> part(reinterpret_cast<double*>(next), count);
    next += count * sizeof(double);
    return part;
  };
  product_ = take(static_cast<size_t>(m) * n);
  row_norms_ = take(m);
  column_norms_ = take(n);
  a_ = {next, static_cast<size_t>(m) * k * info().input_bytes};
  b_ = {next + a_.size(), static_cast<size_t>(k) * n * info().input_bytes};
}

void GemmData::multiply(unsigned threads) {
  const auto [m, n, k] = size_;
  const uint32_t bytes = info().input_bytes;
  const uint32_t padded_m = (m + kRows - 1) / kRows * kRows;
  const uint32_t panels = (n + kColumns - 1) / kColumns;
  std::vector<double> a(static_cast<size_t>(padded_m) * k);
  std::vector<AlignedVector> b(static_cast<size_t>(panels) * k * kVectors);
  std::vector<double> row_squares(m), column_squares(n);
  for (uint32_t row = 0; row < m; ++row) {
    for (uint32_t l = 0; l < k; ++l) {
      const size_t at = static_cast<size_t>(row) * k + l;
      a[at] = decodeElement(type_, elementAt(a_, bytes, at));
      row_squares[row] += a[at] * a[at];
    }
  }
  double* panel_values = b.data()->values;
  for (uint32_t l = 0; l < k; ++l) {
    for (uint32_t column = 0; column < n; ++column) {
      const double value =
          decodeElement(type_, elementAt(b_, bytes, static_cast<size_t>(l) * n + column));
      const size_t panel = column / kColumns;
      panel_values[(panel * k + l) * kColumns + column % kColumns] = value;
      column_squares[column] += value * value;
    }
  }
  auto root = [](double square) { return std::sqrt(square); };
  std::transform(row_squares.begin(), row_squares.end(), row_norms_.begin(), root);
  std::transform(column_squares.begin(), column_squares.end(), column_norms_.begin(), root);

  const BlockFunction multiply_block = selectBlockFunction();
  std::atomic<uint32_t> next_panel{0};
  auto work = [&] {
    double block[kRows * kColumns];
    for (uint32_t panel; (panel = next_panel++) < panels;) {
      const double* values = panel_values + static_cast<size_t>(panel) * k * kColumns;
      const uint32_t columns = std::min(kColumns, n - panel * kColumns);
      for (uint32_t row = 0; row < m; row += kRows) {
        multiply_block(a.data() + static_cast<size_t>(row) * k, values, k, block, kColumns);
        for (uint32_t r = 0; r < std::min(kRows, m - row); ++r) {
          std::copy_n(block + static_cast<size_t>(r) * kColumns, columns,
                      product_.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(row + r) * n +
                                                                panel * kColumns));
        }
      }
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned t = 1; t < threads; ++t) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

GemmError checkProduct(const GemmData& data, const std::byte* c, size_t stride) {
  GemmError error;
  const auto [m, n, k] = data.size();
  const uint32_t bytes = data.info().output_bytes;
  const double depth = k, roundings = std::min(depth + 1, 8 * std::sqrt(depth));
  double unit = 0x1p-24;
  // The product in double has as many roundings as a result in double.
  if (data.type() == GemmType::F64) unit = 2 * 0x1p-53;
  if (formatOf(data.type()).exponent == 0) unit = 0;
  for (size_t row = 0; row < m; ++row) {
    for (size_t column = 0; column < n; ++column) {
      const double got = loadResult(data.type(), c + (row * stride + column) * bytes);
      const double difference = std::fabs(got - data.product()[row * n + column]);
      const double tolerance = roundings * unit * data.rowNorms()[row] * data.columnNorms()[column];
      // Not "greater": a NaN must fail too.
      if (!(difference <= tolerance)) error.good = false;
      if (!(difference <= error.largest)) error.largest = difference;
    }
  }
  return error;
}

}  // namespace bench

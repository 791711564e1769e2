#include "bench/gemm/gemm_data.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace bench {
namespace {

constexpr GemmTypeInfo kInfos[] = {
#define GEMM_TYPE(id, name, input, output, tile_k, stage_k) \
  {name, input, output, tile_k, stage_k, GemmType::id == GemmType::S8 ? 1u : 2u},
#include "bench/gemm/gemm_types.def"
#undef GEMM_TYPE
};

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}
  uint32_t next() {  // xorshift64*
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<uint32_t>((state_ * 0x2545f4914f6cdd1du) >> 32);
  }

 private:
  uint64_t state_;
};

// Sign and mantissa at random, magnitude of 2^-5 up to 1.
uint16_t randomElement(GemmType type, Random& random) {
  const uint32_t bits = random.next();
  const uint32_t sign = bits & 0x8000, binade = (bits >> 16) % 5;
  switch (type) {
    case GemmType::F16:
      return static_cast<uint16_t>(sign | (binade + 10) << 10 | (bits & 0x3ff));
    case GemmType::Bf16:
      return static_cast<uint16_t>(sign | (binade + 122) << 7 | (bits & 0x7f));
    case GemmType::S8:
      break;
  }
  return static_cast<uint16_t>(bits & 0xff);
}

double decodeElement(GemmType type, uint16_t bits) {
  const double sign = bits & 0x8000 ? -1 : 1;
  switch (type) {
    case GemmType::F16:
      return sign * std::ldexp(1024 + (bits & 0x3ff), (bits >> 10 & 0x1f) - 25);
    case GemmType::Bf16:
      return sign * std::ldexp(128 + (bits & 0x7f), (bits >> 7 & 0xff) - 134);
    case GemmType::S8:
      break;
  }
  return static_cast<int8_t>(bits);
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

}  // namespace

const GemmTypeInfo& gemmTypeInfo(GemmType type) { return kInfos[static_cast<size_t>(type)]; }

std::string GemmSize::describe() const {
  return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
}

GemmData makeGemmData(GemmType type, GemmSize size, uint64_t seed, unsigned threads) {
  GemmData data{type, size, {}, {}, {}, {}, {}};
  const auto [m, n, k] = size;
  Random random(seed);
  data.a.resize(static_cast<size_t>(m) * k);
  data.b.resize(static_cast<size_t>(k) * n);
  for (uint16_t& element : data.a) element = randomElement(type, random);
  for (uint16_t& element : data.b) element = randomElement(type, random);

  const uint32_t padded_m = (m + kRows - 1) / kRows * kRows;
  const uint32_t panels = (n + kColumns - 1) / kColumns;
  std::vector<double> a(static_cast<size_t>(padded_m) * k);
  std::vector<AlignedVector> b(static_cast<size_t>(panels) * k * kVectors);
  std::vector<double> row_squares(m), column_squares(n);
  for (uint32_t row = 0; row < m; ++row) {
    for (uint32_t l = 0; l < k; ++l) {
      const size_t at = static_cast<size_t>(row) * k + l;
      a[at] = decodeElement(type, data.a[at]);
      row_squares[row] += a[at] * a[at];
    }
  }
  double* panel_values = b.data()->values;
  for (uint32_t l = 0; l < k; ++l) {
    for (uint32_t column = 0; column < n; ++column) {
      const double value = decodeElement(type, data.b[static_cast<size_t>(l) * n + column]);
      const size_t panel = column / kColumns;
      panel_values[(panel * k + l) * kColumns + column % kColumns] = value;
      column_squares[column] += value * value;
    }
  }
  for (double square : row_squares) data.row_norms.push_back(std::sqrt(square));
  for (double square : column_squares) data.column_norms.push_back(std::sqrt(square));

  data.product.resize(static_cast<size_t>(m) * n);
  const BlockFunction multiply = selectBlockFunction();
  std::atomic<uint32_t> next_panel{0};
  auto work = [&] {
    double block[kRows * kColumns];
    for (uint32_t panel; (panel = next_panel++) < panels;) {
      const double* values = panel_values + static_cast<size_t>(panel) * k * kColumns;
      const uint32_t columns = std::min(kColumns, n - panel * kColumns);
      for (uint32_t row = 0; row < m; row += kRows) {
        multiply(a.data() + static_cast<size_t>(row) * k, values, k, block, kColumns);
        for (uint32_t r = 0; r < std::min(kRows, m - row); ++r) {
          std::copy_n(
              block + static_cast<size_t>(r) * kColumns, columns,
              data.product.begin() +
                  static_cast<ptrdiff_t>(static_cast<size_t>(row + r) * n + panel * kColumns));
        }
      }
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned t = 1; t < threads; ++t) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  return data;
}

double gemmTolerance(const GemmData& data, uint32_t row, uint32_t column) {
  if (data.type == GemmType::S8) return 0;
  const double k = data.size.k;
  return std::min(k + 1, 8 * std::sqrt(k)) * 0x1p-24 * data.row_norms[row] *
         data.column_norms[column];
}

}  // namespace bench

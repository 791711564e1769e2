// Random matrices for a product, and the product in higher precision.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

enum class GemmType : uint8_t {
#define GEMM_TYPE(id, name, input, output, tile_k, stage_k) id,
#include "bench/gemm/gemm_types.def"
#undef GEMM_TYPE
};

struct GemmTypeInfo {
  const char* name;        // "f16->f32"
  const char* glsl_input;  // element of A and B
  const char* glsl_output;
  uint32_t tile_k;   // depth of the 16x16 tile
  uint32_t stage_k;  // of the staged form
  uint32_t input_bytes;
};

const GemmTypeInfo& gemmTypeInfo(GemmType type);
inline constexpr GemmType kGemmTypes[] = {
#define GEMM_TYPE(id, name, input, output, tile_k, stage_k) GemmType::id,
#include "bench/gemm/gemm_types.def"
#undef GEMM_TYPE
};

struct GemmSize {
  uint32_t m = 1024, n = 1024, k = 1024;
  double operations() const { return 2.0 * m * n * k; }
  std::string describe() const;  // "1024x1016x1040"
};

// A (m x k) and B (k x n), row-major without gaps, in the bits of their type, and what C must be.
struct GemmData {
  GemmType type;
  GemmSize size;
  std::vector<uint16_t> a, b;   // s8: in the low byte
  std::vector<double> product;  // m x n; of f16 and bf16 within 2^-50 of the sum of |a*b|
  std::vector<double> row_norms, column_norms;  // of A and B: by Cauchy and Schwarz their product
                                                // bounds the sum of |a*b|
};

// Random inputs: floats of 2^-5 to 1 with either sign and all mantissas, s8 of -128 to 127.
// Uses `threads` threads for the product.
GemmData makeGemmData(GemmType type, GemmSize size, uint64_t seed, unsigned threads);

// How far an f32 result may be from the product: K roundings of partial sums in any order. The
// deterministic bound grows with K, the probabilistic one, which fails with probability below
// 2 K exp(-32), with 8 sqrt(K) (Higham and Mary, A New Approach to Probabilistic Rounding Error
// Analysis, 2019); the smaller one is used. 0 for s8: integers are exact.
double gemmTolerance(const GemmData& data, uint32_t row, uint32_t column);

}  // namespace bench

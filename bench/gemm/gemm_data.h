// SPDX-License-Identifier: Apache-2.0

// Random matrices for a product, and the product in higher precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/gemm/shared_memory.h"
#include "bench/peak.h"

namespace bench {

enum class GemmType : uint8_t {
#define GEMM_TYPE(id, ...) id,
#include "bench/gemm/gemm_types.def"
#undef GEMM_TYPE
};

struct GemmTypeInfo {
  const char* name;        // "f16->f32"
  const char* glsl_input;  // element of A and B
  const char* glsl_output;
  uint32_t input_bytes, output_bytes;
  uint32_t tile_k;   // depth of the 16x16 tile
  uint32_t stage_k;  // elements of K that the staged and the workgroup's forms take at a time
  PeakKind peak;     // the instruction that the product could at best consist of
};

const GemmTypeInfo& gemmTypeInfo(GemmType type);
inline constexpr GemmType kGemmTypes[] = {
#define GEMM_TYPE(id, ...) GemmType::id,
#include "bench/gemm/gemm_types.def"
#undef GEMM_TYPE
};

struct GemmSize {
  uint32_t m = 1024, n = 1024, k = 1024;
  double operations() const { return 2.0 * m * n * k; }
  std::string describe() const;  // "1024x1016x1040"
};

// A (m x k) and B (k x n), row-major without gaps, in the bits of their type, and what C must be.
// They lie in memory that other processes can map, so that all contestants have the same.
class GemmData {
 public:
  // Random inputs: floats of 2^-5 to 1 with either sign and all mantissas, integers of all values.
  // Uses `threads` threads for the product.
  GemmData(GemmType type, GemmSize size, uint64_t seed, unsigned threads);
  // What another process made, from its memory's path.
  GemmData(GemmType type, GemmSize size, const std::string& path);

  GemmType type() const { return type_; }
  const GemmSize& size() const { return size_; }
  const GemmTypeInfo& info() const { return gemmTypeInfo(type_); }
  std::span<const std::byte> a() const { return a_; }
  std::span<const std::byte> b() const { return b_; }
  // m x n; of floats within 2^-50 of the sum of |a*b|, of integers exact.
  std::span<const double> product() const { return product_; }
  // Of A and B: by Cauchy and Schwarz their product bounds the sum of |a*b|.
  std::span<const double> rowNorms() const { return row_norms_; }
  std::span<const double> columnNorms() const { return column_norms_; }
  const std::string& path() const { return memory_.path(); }

 private:
  void divide();
  void multiply(unsigned threads);

  GemmType type_;
  GemmSize size_;
  SharedMemory memory_;
  std::span<std::byte> a_, b_;
  std::span<double> product_, row_norms_, column_norms_;
};

struct GemmError {
  double largest = 0;  // absolute, over all elements
  bool good = true;    // each element within its tolerance
};

// Of C in the type of its elements, `stride` of them a row.
//
// How far a float may be from the product: K roundings of partial sums in any order. The
// deterministic bound grows with K, the probabilistic one, which fails with probability below
// 2 K exp(-32), with 8 sqrt(K) (Higham and Mary, A New Approach to Probabilistic Rounding Error
// Analysis, 2019); the smaller one is used. Integers are exact.
GemmError checkProduct(const GemmData& data, const std::byte* c, size_t stride);

}  // namespace bench

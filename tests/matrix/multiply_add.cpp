// SPDX-License-Identifier: Apache-2.0

// The multiply-add of the model.
//
// Bound for floats: products of narrow types are exact in the precision p that sums are formed in
// (f32, or f64 where a type is). Any order of accumulating K products and C errs by at most
// (K + 1) * u * (sum of the terms' magnitudes) (Higham, Accuracy and Stability of Numerical
// Algorithms, 4.2); one more for units that cut instead of rounding. Where all terms are multiples
// of one power of two and their sum has no more digits than p, no order errs at all. What is formed
// is rounded once to the result's type. Units may take subnormals of f32's range for 0.
//
// Vulkan leaves order and internal precision to the device: p is that of the result's type then,
// operations may cut (u is twice as large), what is subnormal in its own type may be taken for 0,
// and there is no promise where the terms could overflow.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/matrix/model.h"

namespace matrices {
namespace {

using kernels::elementInfo;
using kernels::Int128;

constexpr int kNoExponent = std::numeric_limits<int>::max();

// The exponent of the last digit; kNoExponent of 0.
int lastDigit(double value) {
  if (value == 0 || !std::isfinite(value)) return kNoExponent;
  int exponent;
  const double fraction = std::frexp(value, &exponent);
  const auto digits = static_cast<int64_t>(std::ldexp(fraction, 53));
  return exponent - 53 + __builtin_ctzll(static_cast<uint64_t>(digits));
}

// What is the same for all products of a row of A, or of a column of B.
struct Line {
  std::vector<Number> numbers;  // in the order of k
  bool unknown = false, points = true, finite = true, nan = false;
  int last_digit = kNoExponent;  // of all of them
};

Line lineOf(ElementType type, const Matrix& matrix, size_t first, size_t step, uint32_t count,
            Promise promise) {
  Line line;
  for (uint32_t k = 0; k < count; ++k) {
    const Number& x = line.numbers.emplace_back(taken(type, matrix[first + k * step], promise));
    line.unknown |= x.unknown;
    line.points &= x.isPoint();
    line.nan |= x.nan;
    line.finite &= std::isfinite(x.low) && std::isfinite(x.high);
    line.last_digit = std::min(line.last_digit, lastDigit(x.low));
  }
  return line;
}

bool isNan(const Number& x) { return x.nan && x.low > x.high; }

class FloatSums {
 public:
  FloatSums(const Multiplication& row, Promise promise) : row_(row), promise_(promise) {
    wide_ =
        row.a == ElementType::F64 || row.b == ElementType::F64 || row.result == ElementType::F64;
    const bool vulkan = promise == Promise::Vulkan;
    const ElementType sums = vulkan ? row.result : wide_ ? ElementType::F64 : ElementType::F32;
    digits_ = 1 + static_cast<int>(elementInfo(sums).mantissa_bits);
    unit_ = std::ldexp(1.0, (vulkan ? 1 : 0) - digits_);
    if (wide_) unit_ += 0x1p-53;  // the model itself computes no more precisely
    greatest_ = greatest(sums);
    if (vulkan || !wide_) tiny_ = leastNormal(sums);
  }

  Number element(const Line& a, const Line& b, const Number& c) const {
    if (a.unknown || b.unknown || c.unknown) return {};
    if (a.points && b.points && c.isPoint() && promise_ == Promise::Exact)
      return wide_ ? chain<double>(a, b, c) : chain<float>(a, b, c);
    if (!a.finite || !b.finite || !std::isfinite(c.low) || !std::isfinite(c.high))
      return nonFinite(a, b, c);
    return bounded(a, b, c);
  }

 private:
  // docs/numerics.md: fused multiply-adds in ascending order, beginning with C.
  template <typename T>
  Number chain(const Line& a, const Line& b, const Number& c) const {
    T sum = static_cast<T>(c.low);
    for (uint32_t k = 0; k < row_.k; ++k) {
      sum = std::fma(static_cast<T>(a.numbers[k].low), static_cast<T>(b.numbers[k].low), sum);
    }
    return numberOf(static_cast<double>(sum));
  }

  Number numberOf(double sum) const {
    if (std::isnan(sum)) return numberFromBits(ElementType::F64, ~uint64_t{0});
    return rounded(row_.result, sum, sum, promise_);
  }

  // Infinities and NaN, which every order makes the same of, unless it overflows on the way.
  Number nonFinite(const Line& a, const Line& b, const Number& c) const {
    double sum = c.low, magnitude = std::isfinite(c.low) ? std::fabs(c.low) : 0;
    bool nan = isNan(c), points = isNan(c) || c.isPoint();
    for (uint32_t k = 0; k < row_.k; ++k) {
      const Number &x = a.numbers[k], &y = b.numbers[k];
      nan |= isNan(x) || isNan(y);
      points &= (isNan(x) || x.isPoint()) && (isNan(y) || y.isPoint());
      const double product = x.low * y.low;
      if (std::isfinite(x.low) && std::isfinite(y.low)) magnitude += std::fabs(product);
      sum += product;
    }
    if (!points) return {};
    if (nan) return numberOf(std::numeric_limits<double>::quiet_NaN());
    if (!(magnitude <= greatest_ / 2)) return {};
    return numberOf(sum);
  }

  Number bounded(const Line& a, const Line& b, const Number& c) const {
    double low = c.low, high = c.high, magnitude = std::max(std::fabs(low), std::fabs(high));
    double lost = 0;  // of operands that may be taken for 0
    for (uint32_t k = 0; k < row_.k; ++k) {
      const Number &x = a.numbers[k], &y = b.numbers[k];
      double least = x.low * y.low, most = least;
      for (double product : {x.low * y.high, x.high * y.low, x.high * y.high}) {
        least = std::min(least, product);
        most = std::max(most, product);
      }
      low += least;
      high += most;
      const double product = std::max(std::fabs(least), std::fabs(most));
      magnitude += product;
      const double left = std::max(std::fabs(x.low), std::fabs(x.high));
      const double right = std::max(std::fabs(y.low), std::fabs(y.high));
      if (left < tiny_ || right < tiny_) lost += product;
    }
    int last = lastDigit(c.low);
    if (a.last_digit != kNoExponent && b.last_digit != kNoExponent)
      last = std::min(last, a.last_digit + b.last_digit);
    const bool exact = a.points && b.points && c.isPoint() && lost == 0 &&
                       (last == kNoExponent || (magnitude <= std::ldexp(1.0, last + digits_) &&
                                                std::ldexp(1.0, last) >= tiny_));
    double error = 0;
    if (!exact) {
      const double growth = (row_.k + 2) * unit_;
      if (growth >= 1) return {};
      error = growth / (1 - growth) * magnitude + (2 * row_.k + 1) * tiny_ + lost;
    }
    if (magnitude + error > greatest_) return {};
    Number result = rounded(row_.result, low - error, high + error, promise_);
    result.nan |= a.nan || b.nan || c.nan;  // what may be a number may still be none
    return result;
  }

  const Multiplication& row_;
  Promise promise_;
  bool wide_;
  // The precision that sums are formed in: its digits, the relative error of an operation, its
  // greatest number, and what is its least where smaller ones may be taken for 0.
  int digits_ = 0;
  double unit_ = 0, greatest_ = 0, tiny_ = 0;
};

Number integerElement(const Multiplication& row, const Line& a, const Line& b, const Number& c) {
  if (a.unknown || b.unknown || c.unknown) return {};
  const bool is_signed = elementInfo(row.result).kind == kernels::ElementKind::Signed;
  const Int128 high = (Int128{1} << (elementInfo(row.result).bits - (is_signed ? 1 : 0))) - 1;
  const Int128 low = is_signed ? -high - 1 : 0;
  // Modulo 2^64; what products of 64 bits lose above that matters to saturating rows alone.
  uint64_t wrapped = static_cast<uint64_t>(integerOf(row.c, c.bits));
  Int128 positive = 0, negative = 0;
  bool overflows = false;
  for (uint32_t k = 0; k < row.k; ++k) {
    const Int128 x = integerOf(row.a, a.numbers[k].bits), y = integerOf(row.b, b.numbers[k].bits);
    wrapped += static_cast<uint64_t>(x) * static_cast<uint64_t>(y);
    Int128 product;
    overflows |= __builtin_mul_overflow(x, y, &product) || product > high || product < low;
    if (overflows) continue;
    (product < 0 ? negative : positive) += product;
  }
  Number result;
  result.unknown = false;
  result.bits = wrapped;
  if (!row.saturating) return result;
  // SPV_KHR_cooperative_matrix: undefined if the sum of products overflows, in whichever order.
  if (overflows || positive > high || negative < low) return {};
  const Int128 sum = positive + negative + integerOf(row.c, c.bits);
  result.bits = static_cast<uint64_t>(sum < low ? low : sum > high ? high : sum);
  return result;
}

}  // namespace

Matrix multiplyAdd(const Multiplication& row, const Matrix& a, const Matrix& b, const Matrix& c,
                   Promise promise) {
  // Execution modes are not about multiply-adds.
  if (promise == Promise::FloatControls) promise = Promise::Vulkan;
  Matrix result(size_t{row.m} * row.n);
  const FloatSums floats(row, promise);
  std::vector<Line> columns;
  for (uint32_t j = 0; j < row.n; ++j)
    columns.push_back(lineOf(row.b, b, j, row.n, row.k, promise));
  for (uint32_t i = 0; i < row.m; ++i) {
    const Line line = lineOf(row.a, a, size_t{i} * row.k, 1, row.k, promise);
    for (uint32_t j = 0; j < row.n; ++j) {
      const size_t at = size_t{i} * row.n + j;
      result[at] = isFloat(row.result)
                       ? floats.element(line, columns[j], taken(row.c, c[at], promise))
                       : integerElement(row, line, columns[j], c[at]);
    }
  }
  return result;
}

}  // namespace matrices

// SPDX-License-Identifier: Apache-2.0

// The model of a matrix product: exact integers, reals in long double with a bound of the error
// that an implementation may make.
//
// Bound: products of the narrow types are exact in f32, so every order of accumulating them in f32
// errs by at most (K + 1) * u32 * (sum of |a*b| + |c|) (Higham, Accuracy and Stability of Numerical
// Algorithms, 4.2). Each of `steps` multiply-adds may round to the accumulator's type, and the
// result once to its own type. Units flush subnormals: 2^-120 covers that for inputs up to 2^6.
#include <cmath>
#include <limits>

#include "tests/support/kernel_check.h"

namespace kernels {
namespace {

__extension__ typedef unsigned __int128 UInt128;

size_t at(const MatrixView& view, uint32_t row, uint32_t column) {
  return view.offset +
         (view.column_major ? column * view.stride + row : row * view.stride + column);
}

Value element(const MatrixView& view, std::span<const std::byte> memory, uint32_t row,
              uint32_t column) {
  return loadElement(view.type, memory, at(view, row, column));
}

// A matrix's numbers, as reals or as integers, row by row or column by column.
struct Numbers {
  Numbers(const MatrixView& view, std::span<const std::byte> memory, bool is_float,
          bool by_columns) {
    const uint32_t lines = by_columns ? view.columns : view.rows;
    length = by_columns ? view.rows : view.columns;
    for (uint32_t line = 0; line < lines; ++line)
      for (uint32_t k = 0; k < length; ++k) {
        const Value v =
            by_columns ? element(view, memory, k, line) : element(view, memory, line, k);
        if (is_float)
          reals.push_back(v.asReal());
        else
          integers.push_back(v.asInteger());
      }
  }

  size_t length;  // of a line
  std::vector<double> reals;
  std::vector<Int128> integers;
};

Int128 saturate(ElementType type, Int128 value) {
  const ElementInfo& info = elementInfo(type);
  const Int128 one = 1;
  const bool is_signed = info.kind == ElementKind::Signed;
  const Int128 high = (one << (info.bits - (is_signed ? 1 : 0))) - 1;
  const Int128 low = is_signed ? -high - 1 : 0;
  return value < low ? low : value > high ? high : value;
}

}  // namespace

std::vector<std::string> checkMatmul(const Kernel& kernel, const MatmulExpectation& expectation,
                                     const Scope& scope) {
  constexpr size_t kShownMismatches = 8;
  const MatrixView& result = expectation.result;
  const ElementType type = result.type;
  const bool is_float = elementInfo(type).kind == ElementKind::Float;
  const uint32_t depth = expectation.a.columns;
  // Sums of f64 are formed in f64, all others in f32 at least; a narrower accumulator rounds once
  // more for each multiply-add.
  const ElementType sums = type == ElementType::F64 ? ElementType::F64 : ElementType::F32;
  const double accumulation = (depth + 1) * unitRoundoff(sums) +
                              (elementInfo(expectation.accumulator).bits >= elementInfo(sums).bits
                                   ? 0
                                   : expectation.steps * unitRoundoff(expectation.accumulator));
  const MatrixView &left = expectation.a, &right = expectation.b;
  const Numbers a(left, scope.before[left.buffer], is_float, /*by_columns=*/false);
  const Numbers b(right, scope.before[right.buffer], is_float, /*by_columns=*/true);
  size_t wrong = 0;
  std::string shown;
  for (uint32_t row = 0; row < result.rows; ++row) {
    for (uint32_t column = 0; column < result.columns; ++column) {
      UInt128 exact = 0;  // modulo 2^128, which no result is as wide as
      long double real = 0;
      double magnitude = 0;
      if (expectation.c) {
        const Value c = element(*expectation.c, scope.before[expectation.c->buffer], row, column);
        if (is_float) {
          real = c.asReal();
          magnitude = std::fabs(c.asReal());
        } else {
          exact = static_cast<UInt128>(c.asInteger());
        }
      }
      for (uint32_t k = 0; k < depth; ++k) {
        const size_t of_a = row * a.length + k, of_b = column * b.length + k;
        if (is_float) {
          real += static_cast<long double>(a.reals[of_a]) * b.reals[of_b];
          magnitude += std::fabs(a.reals[of_a] * b.reals[of_b]);
        } else {
          exact += static_cast<UInt128>(a.integers[of_a]) * static_cast<UInt128>(b.integers[of_b]);
        }
      }
      const Value got = element(result, scope.after[result.buffer], row, column);
      Value expected =
          is_float ? Value::of(static_cast<double>(real)) : Value::of(static_cast<Int128>(exact));
      double bound = 0;
      if (is_float) {
        bound = accumulation * magnitude +
                unitRoundoff(type) * static_cast<double>(std::fabs(real)) + 0x1p-120;
        // Results below the normal range are spaced evenly.
        bound += decode(type, 1).real / 2;
      } else if (expectation.saturating) {
        expected = Value::of(saturate(type, static_cast<Int128>(exact)));
      }
      const Value rounded = decode(type, encode(type, expected));
      const double error = std::fabs(got.asReal() - expected.asReal());
      const bool same =
          is_float ? got.real == rounded.real || (std::isnan(got.real) && std::isnan(rounded.real))
                   : got.integer == rounded.integer;
      if (same || (is_float && error <= bound)) continue;
      if (wrong++ < kShownMismatches) {
        shown += "\n  row " + std::to_string(row) + ", column " + std::to_string(column) + " is " +
                 format(got) + ", expected " + format(rounded);
        if (is_float) shown += " within " + format(Value::of(bound));
      }
    }
  }
  if (wrong == 0) return {};
  return {"matrix '" + kernel.buffers[result.buffer].name + "': " + std::to_string(wrong) + " of " +
          std::to_string(result.rows * result.columns) + " elements are wrong" + shown};
}

}  // namespace kernels

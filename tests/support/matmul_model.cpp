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
  size_t wrong = 0;
  std::string shown;
  for (uint32_t row = 0; row < result.rows; ++row) {
    for (uint32_t column = 0; column < result.columns; ++column) {
      Int128 exact = 0;
      long double real = 0;
      double magnitude = 0;
      auto add = [&](const Value& x, const Value& y) {
        if (is_float) {
          real += static_cast<long double>(x.asReal()) * y.asReal();
          magnitude += std::fabs(x.asReal() * y.asReal());
        } else {
          // Modulo 2^128, which no result is as wide as.
          exact = static_cast<Int128>(static_cast<UInt128>(exact) +
                                      static_cast<UInt128>(x.asInteger()) *
                                          static_cast<UInt128>(y.asInteger()));
        }
      };
      if (expectation.c) {
        add(element(*expectation.c, scope.before[expectation.c->buffer], row, column),
            Value::of(Int128{1}));
      }
      for (uint32_t k = 0; k < depth; ++k) {
        add(element(expectation.a, scope.before[expectation.a.buffer], row, k),
            element(expectation.b, scope.before[expectation.b.buffer], k, column));
      }
      const Value got = element(result, scope.after[result.buffer], row, column);
      Value expected = is_float ? Value::of(static_cast<double>(real)) : Value::of(exact);
      double bound = 0;
      if (is_float) {
        bound = accumulation * magnitude +
                unitRoundoff(type) * static_cast<double>(std::fabs(real)) + 0x1p-120;
        // Results below the normal range are spaced evenly.
        bound += decode(type, 1).real / 2;
      } else if (expectation.saturating) {
        expected = Value::of(saturate(type, exact));
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

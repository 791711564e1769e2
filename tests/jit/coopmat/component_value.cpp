// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/coopmat/component_value.h"

#include <llvm/ADT/APFloat.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace jit::test {
namespace {

using coopmat::Component;

const llvm::fltSemantics& semantics(Component component) {
  switch (component) {
    case Component::F16:
      return llvm::APFloat::IEEEhalf();
    case Component::BF16:
      return llvm::APFloat::BFloat();
    case Component::E4M3:
      return llvm::APFloat::Float8E4M3FN();
    case Component::E5M2:
      return llvm::APFloat::Float8E5M2();
    case Component::F32:
      return llvm::APFloat::IEEEsingle();
    default:
      return llvm::APFloat::IEEEdouble();
  }
}

llvm::APInt bitsOf(Component component, double value) {
  unsigned width = coopmat::info(component).bits;
  if (coopmat::isInteger(component)) {
    return llvm::APInt(64, static_cast<uint64_t>(static_cast<int64_t>(value))).trunc(width);
  }
  llvm::APFloat number(value);
  bool inexact;
  number.convert(semantics(component), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return number.bitcastToAPInt();
}

double valueOf(Component component, const llvm::APInt& bits) {
  if (coopmat::isInteger(component)) {
    return coopmat::isSigned(component) ? static_cast<double>(bits.getSExtValue())
                                        : static_cast<double>(bits.getZExtValue());
  }
  llvm::APFloat number(semantics(component), bits);
  bool inexact;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToDouble();
}

}  // namespace

double readComponent(Component component, const void* memory) {
  uint64_t raw = 0;
  std::memcpy(&raw, memory, coopmat::bytesOf(component));
  return valueOf(component, llvm::APInt(coopmat::info(component).bits, raw));
}

void writeComponent(Component component, void* memory, double value) {
  uint64_t raw = bitsOf(component, value).getZExtValue();
  std::memcpy(memory, &raw, coopmat::bytesOf(component));
}

double roundTo(Component component, double value) {
  return valueOf(component, bitsOf(component, value));
}

TestMatrix::TestMatrix(Component component, uint32_t rows, uint32_t columns, coopmat::Layout layout,
                       uint32_t padding)
    : component(component), rows(rows), columns(columns), layout(layout) {
  bool by_rows = layout == coopmat::Layout::Row;
  stride_bytes = uint64_t{by_rows ? columns : rows} * coopmat::bytesOf(component) + padding;
  bytes.resize((by_rows ? rows : columns) * stride_bytes);
}

void TestMatrix::fill(uint32_t seed, double scale) {
  std::mt19937 random(seed);
  bool is_small = coopmat::info(component).bits == 8;
  for (uint32_t r = 0; r < rows; ++r) {
    for (uint32_t c = 0; c < columns; ++c) {
      if (coopmat::isFloat(component)) {
        set(r, c, scale * std::uniform_real_distribution(-1.0, 1.0)(random));
      } else if (coopmat::isSigned(component)) {
        set(r, c,
            std::uniform_int_distribution(is_small ? -128 : -30000,
                                          is_small ? 127 : 30000)(random));
      } else {
        set(r, c, std::uniform_int_distribution(0, is_small ? 255 : 60000)(random));
      }
    }
  }
}

uint64_t TestMatrix::offset(uint32_t row, uint32_t column) const {
  bool by_rows = layout == coopmat::Layout::Row;
  return (by_rows ? row : column) * stride_bytes +
         uint64_t{by_rows ? column : row} * coopmat::bytesOf(component);
}

double TestMatrix::at(uint32_t row, uint32_t column, uint64_t limit) const {
  uint64_t start = offset(row, column);
  if (start + coopmat::bytesOf(component) > limit) return 0;
  return readComponent(component, bytes.data() + start);
}

void TestMatrix::set(uint32_t row, uint32_t column, double value) {
  writeComponent(component, bytes.data() + offset(row, column), value);
}

double modelMulAdd(const coopmat::MulAdd& op, const std::vector<double>& a,
                   const std::vector<double>& b, double c) {
  if (coopmat::isInteger(op.result)) {
    int64_t sum = static_cast<int64_t>(c);
    for (size_t k = 0; k < a.size(); ++k) {
      sum += static_cast<int64_t>(a[k]) * static_cast<int64_t>(b[k]);
    }
    if (op.saturating) {
      unsigned bits = coopmat::info(op.result).bits;
      bool is_signed = coopmat::isSigned(op.result);
      int64_t high = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
      sum = std::clamp(sum, is_signed ? -high - 1 : 0, high);
    }
    unsigned unused = 64 - coopmat::info(op.result).bits;
    uint64_t wrapped = static_cast<uint64_t>(sum) << unused;
    return coopmat::isSigned(op.result)
               ? static_cast<double>(static_cast<int64_t>(wrapped) >> unused)
               : static_cast<double>(wrapped >> unused);
  }
  if (op.result == Component::F64) {
    for (size_t k = 0; k < a.size(); ++k) c = std::fma(a[k], b[k], c);
    return c;
  }
  auto sum = static_cast<float>(c);
  for (size_t k = 0; k < a.size(); ++k) {
    sum = std::fma(static_cast<float>(a[k]), static_cast<float>(b[k]), sum);
  }
  return roundTo(op.result, sum);
}

}  // namespace jit::test

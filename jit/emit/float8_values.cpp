// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/float8_values.h"

namespace jit::spirv {

std::optional<math::Float8> float8Of(const Type& type) {
  switch (type.scalar()->encoding) {
    case FloatEncoding::Float8E4M3:
      return math::Float8::E4M3;
    case FloatEncoding::Float8E5M2:
      return math::Float8::E5M2;
    default:
      return std::nullopt;
  }
}

llvm::Value* inLlvmFormat(Emission& e, const Type& type, llvm::Value* leaf) {
  const std::optional<math::Float8> format = float8Of(type);
  if (!format) return leaf;
  math::FixedRounding fixed(e.ir);
  return math::widenFloat8({e.ir, leaf}, *format);
}

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/symbols.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <math.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "runtime/kernel_library/check_access.h"
#include "runtime/kernel_library/check_float.h"
#include "runtime/kernel_library/check_host.h"
#include "runtime/kernel_library/check_matrix_float.h"
#include "runtime/kernel_library/check_race.h"
#include "runtime/kernel_library/check_tensor.h"
#include "runtime/kernel_library/check_uniform.h"
#include "runtime/kernel_library/check_uninit.h"
#include "runtime/kernel_library/clipped_copy.h"
#include "runtime/kernel_library/count_products.h"
#include "runtime/kernel_library/cover.h"
#include "runtime/kernel_library/debug_printf.h"
#include "runtime/kernel_library/debugger.h"
#include "runtime/kernel_library/find_panel.h"
#include "runtime/kernel_library/plane_product.h"
#include "runtime/kernel_library/shader_abort.h"
#include "runtime/kernel_library/shape_check.h"
#include "runtime/kernel_library/stored_tiles.h"
#include "runtime/kernel_library/tensor_copy.h"
#include "runtime/kernel_library/tile_prefetch.h"
#include "runtime/kernel_library/tile_rows.h"
#include "runtime/kernel_library/tile_unit.h"

namespace jit {
namespace {

// The 16-bit formats travel in the low bits of an SSE register, as a float's do (System V ABI),
// so these need no compiler that knows the types. LLVM calls them where F16C or AVX512-BF16 are
// missing.

float inLowBits(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits}); }

float extendHalfBits(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000u} << 16;
  const uint32_t exponent = half >> 10 & 0x1f;
  const uint32_t mantissa = half & 0x3ff;
  if (exponent == 0x1f) {
    // A signalling NaN becomes quiet, as VCVTPH2PS makes it.
    const uint32_t quiet = mantissa ? 0x400000u : 0;
    return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13 | quiet);
  }
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

float extendHalf(float half_in_low_bits) {
  return extendHalfBits(static_cast<uint16_t>(std::bit_cast<uint32_t>(half_in_low_bits)));
}

// Rounds a double to a format with `mantissa_bits` and an exponent that is 1 at `min_exponent`,
// to nearest even, and returns its 16 bits. A double holds every float, so it serves both.
uint16_t roundTo16Bits(double value, int mantissa_bits, int min_exponent) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
  const int exponent_bits = 15 - mantissa_bits;
  const auto infinity = static_cast<uint16_t>(((1u << exponent_bits) - 1) << mantissa_bits);
  const uint64_t magnitude = bits & ~(uint64_t{1} << 63);
  if (magnitude > 0x7ff0000000000000u) {
    const auto payload = static_cast<uint16_t>(bits << 12 >> (64 - mantissa_bits));
    return sign | infinity | static_cast<uint16_t>(1u << (mantissa_bits - 1)) | payload;
  }
  if (magnitude == 0x7ff0000000000000u) return sign | infinity;
  int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent < min_exponent - mantissa_bits - 1) return sign;  // below half of the least
  uint64_t significand = (magnitude & 0xfffffffffffffu) | 0x10000000000000u;
  // How many low bits of the significand go; more for denormals.
  const int dropped = 52 - mantissa_bits + (exponent < min_exponent ? min_exponent - exponent : 0);
  const uint64_t half = uint64_t{1} << (dropped - 1);
  const uint64_t rest = significand & (2 * half - 1);
  significand >>= dropped;
  if (rest > half || (rest == half && significand & 1)) ++significand;
  // The implicit bit adds one to the exponent field; a denormal that rounds up gets one so.
  const uint64_t field =
      exponent < min_exponent ? 0 : static_cast<uint64_t>(exponent - min_exponent);
  const uint64_t result = (field << mantissa_bits) + significand;
  return sign | (result >= infinity ? infinity : static_cast<uint16_t>(result));
}

uint16_t roundToHalf(double value) { return roundTo16Bits(value, 10, -14); }
uint16_t roundToBfloat(double value) { return roundTo16Bits(value, 7, -126); }

float truncateFloatToHalf(float value) { return inLowBits(roundToHalf(value)); }
float truncateDoubleToHalf(double value) { return inLowBits(roundToHalf(value)); }
uint16_t truncateFloatToHalfBits(float value) { return roundToHalf(value); }
float truncateFloatToBfloat(float value) { return inLowBits(roundToBfloat(value)); }
float truncateDoubleToBfloat(double value) { return inLowBits(roundToBfloat(value)); }

struct Symbol {
  std::string_view name;
  const void* address;
};

template <typename Result, typename... Arguments>
const void* address(Result (*function)(Arguments...)) {
  return reinterpret_cast<const void*>(function);
}

}  // namespace

const void* findSymbol(std::string_view name) {
  static const Symbol symbols[] = {
#define SYMBOL(name, function) {name, address(function)},
#define LIBM(name, parameters, float_parameters)               \
  {#name, address(static_cast<double(*) parameters>(::name))}, \
      {#name "f", address(static_cast<float(*) float_parameters>(::name##f))},
#include "jit/ir/symbols.def"
  };
  for (const Symbol& symbol : symbols) {
    if (symbol.name == name) return symbol.address;
  }
  return nullptr;
}

bool isRuntimeFunction(const llvm::Function& function) {
  return function.isDeclaration() && findSymbol(function.getName()) != nullptr;
}

llvm::FunctionCallee runtimeFunction(llvm::Module& module, llvm::StringRef name, llvm::Type* result,
                                     llvm::ArrayRef<llvm::Type*> parameters,
                                     llvm::MemoryEffects effects) {
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  for (auto kind : {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::NoFree,
                    llvm::Attribute::NoSync, llvm::Attribute::NoCallback}) {
    function->addFnAttr(kind);
  }
  function->setMemoryEffects(effects);
  return callee;
}

}  // namespace jit

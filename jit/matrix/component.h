// SPDX-License-Identifier: Apache-2.0

// What a component of a cooperative matrix is. The one place where its width and kind stand.
#pragma once

#include <cstdint>
#include <string_view>

namespace jit::coopmat {

// Component types, signedness included. Values are constants of the matrix operations
// (jit/ir/matrix_ops.h).
enum class Component : uint8_t {
#define COMPONENT(name, text, bits, is_float, is_signed) name,
#include "jit/matrix/component.def"
};

struct ComponentInfo {
  std::string_view text;  // as in GLSL: "float16_t"
  uint32_t bits;
  bool is_float;
  bool is_signed;
};

inline constexpr ComponentInfo kComponentInfo[] = {
#define COMPONENT(name, text, bits, is_float, is_signed) {text, bits, is_float, is_signed},
#include "jit/matrix/component.def"
};

constexpr const ComponentInfo& info(Component component) {
  return kComponentInfo[static_cast<uint32_t>(component)];
}

constexpr uint32_t bytesOf(Component component) { return info(component).bits / 8; }
constexpr bool isFloat(Component component) { return info(component).is_float; }
constexpr bool isSigned(Component component) { return info(component).is_signed; }
constexpr bool isInteger(Component component) { return !info(component).is_float; }
constexpr bool isInteger8(Component component) {
  return isInteger(component) && bytesOf(component) == 1;
}
constexpr bool isFloat8(Component component) {
  return isFloat(component) && bytesOf(component) == 1;
}

}  // namespace jit::coopmat

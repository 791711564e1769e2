// SPDX-License-Identifier: Apache-2.0

// The functions of the expression language.
#pragma once

#include <cstddef>
#include <string_view>

#include "tests/support/element_type.h"

namespace kernels {

struct Function {
  std::string_view name;
  size_t parameters;  // at most 4
  // `index` is the element's, for those that depend on it (random).
  Value (*apply)(const Value* arguments, Int128 index);
  bool uses_index = false;
};

// Null when there is none of this name.
const Function* findFunction(std::string_view name);

// Functions with a variable of their own: sum(k, low, high, expression of k).
struct Folding {
  std::string_view name;
  Value start;
  Value (*step)(const Value& result, const Value& element);
};

const Folding* findFolding(std::string_view name);

}  // namespace kernels

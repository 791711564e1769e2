// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/tensor_lines.h"

namespace jit::spirv {

bool isIdentity(const Type& view) {
  for (uint32_t dim = 0; dim < view.count; ++dim)
    if (view.permutation[dim] != dim) return false;
  return true;
}

std::optional<coopmat::Layout> tensorLines(const Type& layout, const Type* view) {
  if (view == nullptr) return coopmat::Layout::Row;
  if (view->count != layout.count) return std::nullopt;
  if (isIdentity(*view)) return coopmat::Layout::Row;
  if (view->count == 2) return coopmat::Layout::Column;
  return std::nullopt;
}

}  // namespace jit::spirv

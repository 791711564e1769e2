// SPDX-License-Identifier: Apache-2.0

// Types of shadows (shadow_values.h). Internal to jit/spirv.
#pragma once

#include <map>
#include <utility>

#include "jit/spirv/module.h"

namespace jit::spirv {

// A shadow has up to three planes. The first has an unsigned integer as wide for each scalar (a
// bool for a bool, 64 bits for a pointer), and a matrix of them for a cooperative matrix. A product
// is undefined by rows and columns: for values with cooperative matrices there is a plane of rows
// and one of columns, 64-bit numbers in place of matrices (ShadowLines). An element is undefined
// where any of the three says so.
enum ShadowPlane : unsigned { kBitsPlane, kRowsPlane, kColumnsPlane, kShadowPlanes };

// Makes types and constants of a module, which it adds to.
class ShadowTypes {
 public:
  explicit ShadowTypes(Module& module);

  // Null for what has no shadow: layouts of tensors, and planes of what has no matrices.
  const Type* of(const Type* type, unsigned plane);
  // A pointer as `like` is, to something else.
  const Type* pointer(const Type* pointee, const Type& like);
  const Type* boolean();
  // A boolean for each component of a scalar or vector.
  const Type* booleansOf(const Type* type);
  const Type* integer(uint32_t width);
  const Type* vector(const Type* component, uint32_t count);

  // Constants; of `type`'s scalars all bits.
  Id zero(const Type* type) { return filled(type, false); }
  Id ones(const Type* type) { return filled(type, true); }

 private:
  const Type* made(Type type);
  const Type* make(const Type* type, unsigned plane);
  Id filled(const Type* type, bool with_ones);

  Module& module_;
  const Type* boolean_ = nullptr;
  std::map<uint32_t, const Type*> integers_;
  std::map<std::pair<const Type*, uint32_t>, const Type*> vectors_;
  std::map<std::pair<const Type*, unsigned>, const Type*> shadows_;
  std::map<std::pair<const Type*, const Type*>, const Type*> pointers_;
  std::map<std::pair<const Type*, bool>, Id> constants_;
};

}  // namespace jit::spirv

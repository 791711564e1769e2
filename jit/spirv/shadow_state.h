// SPDX-License-Identifier: Apache-2.0

// Which values may be undefined at all, found before shadows are made. Internal to jit/spirv.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <unordered_map>

#include "jit/spirv/shadow_types.h"

namespace jit::spirv {

// A bit for each ShadowPlane in which something may be undefined.
using ShadowPlanes = uint8_t;
inline constexpr ShadowPlanes kNoPlane = 0;
constexpr ShadowPlanes planeBit(unsigned plane) { return static_cast<ShadowPlanes>(1u << plane); }

// Everything is taken for defined until something says otherwise, so that what goes round a loop
// is, too.
class ShadowState {
 public:
  // `order`: of the entry point's blocks, from each to those that it reaches.
  ShadowState(const Module& module, const KernelRequest& request, ShadowTypes& types,
              llvm::ArrayRef<size_t> order);

  // Of a value, or of what a variable of an invocation holds.
  ShadowPlanes of(Id id) const;
  const Type* typeOf(Id id) const;  // null: it has none
  // The variable that a pointer leads into; 0: not known.
  Id root(Id pointer) const;
  spv::StorageClass storage(Id pointer) const;
  // Whether memory that a pointer leads to has a shadow in memory, as it has an address.
  bool isShadowed(Id pointer) const;
  bool isVariable(Id pointer) const {  // of one invocation
    const spv::StorageClass s = storage(pointer);
    return s == spv::StorageClass::Function || s == spv::StorageClass::Private;
  }

 private:
  void declare(const Variable& variable);
  bool visit(const Instruction& i);
  bool raise(Id id, ShadowPlanes planes);
  ShadowPlanes all(const Instruction& i) const;
  ShadowPlanes loaded(Id pointer, const Type* type) const;
  ShadowPlanes resultOf(const Instruction& i) const;

  const Module& module_;
  const KernelRequest& request_;
  ShadowTypes& types_;
  std::unordered_map<Id, const Type*> type_of_;
  std::unordered_map<Id, ShadowPlanes> planes_;
  std::unordered_map<Id, Id> roots_;
};

// Whether an instruction works on each element of matrices by itself.
bool isElementwise(const Instruction& i);

}  // namespace jit::spirv

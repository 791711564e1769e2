// SPDX-License-Identifier: Apache-2.0

// Which accesses lie a constant apart.
#pragma once

#include <llvm/IR/Constants.h>

#include <cstdint>

#include "jit/simt/lane_windows.h"

namespace llvm {
class IRBuilderBase;
}

namespace jit::simt {

// A number as the sum of constants and of `root` * `factor`, modulo 2^64. Root is extended to 64
// bits if it has fewer.
struct ScaledRoot {
  const llvm::Value* root = nullptr;
  int64_t factor = 1;
  bool is_signed = false;  // where it is extended

  bool operator==(const ScaledRoot&) const = default;
};

// A vector of pointers: `base`, and past it `uniform` bytes, those of `lanes` and `offset`. Where
// two differ by `offset` only, they do so in each lane that both access.
struct LaneAddresses {
  const llvm::Value* base = nullptr;
  const llvm::Value* index = nullptr;               // the root, where lanes differ in it; else null
  ScaledRoot uniform;                               // of the same in all lanes, but for `index`
  const llvm::ConstantDataVector* lanes = nullptr;  // bytes past lane 0
  int64_t offset = 0;

  // Whether differences of offsets fit, too: no object is as large.
  bool isNear() const { return offset <= kMostOffset && offset >= -kMostOffset; }
  bool differsByOffset(const LaneAddresses& other) const {
    return base == other.base && index == other.index && uniform == other.uniform &&
           lanes == other.lanes;
  }
};

// `in_objects`: live lanes access what lies in objects of less than 2^32 bytes, so that two indices
// of 32 bits that are a constant apart are so when they are extended, too: neither has wrapped
// around alone.
LaneAddresses laneAddressesOf(llvm::Value* pointers, const llvm::DataLayout& layout,
                              bool in_objects);

// What addresses are counted from.
const llvm::Value& objectOf(const llvm::Value& pointers);

// Whether the addresses are counted from an object of the driver's, not a number of the shader's.
bool liesInObject(const llvm::Value& pointers);

// The address of lane 0, made of what is the same for all lanes, where the builder stands; null: it
// is not made so.
llvm::Value* firstLaneOf(llvm::IRBuilderBase& ir, llvm::Value* pointers);

}  // namespace jit::simt

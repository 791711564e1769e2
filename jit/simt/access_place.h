// SPDX-License-Identifier: Apache-2.0

// Which accesses lie a constant apart.
#pragma once

#include <cstdint>

namespace llvm {
class DataLayout;
class Value;
}  // namespace llvm

namespace jit::simt {

// A vector of pointers, `offset` bytes behind another one that is known by what it is made of: an
// index of fewer than 64 bits is one that is zero-extended.
struct Place {
  const llvm::Value* base;
  const llvm::Value* index;
  int64_t offset;
};

Place placeOf(llvm::Value* pointers, const llvm::DataLayout& layout);

}  // namespace jit::simt

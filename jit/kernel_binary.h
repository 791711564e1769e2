// SPDX-License-Identifier: Apache-2.0

// A compiled kernel as bytes: its object and what Kernel says of it. The layout is this build's
// own; a key of another build never finds it.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

#include <cstddef>
#include <span>
#include <vector>

#include "jit/base/target.h"
#include "jit/compiler.h"

namespace jit {

KernelKey keyOf(const KernelRequest& request, const Target& target);

// `kernel` lacks its entry and its code, which are the object's.
std::vector<std::byte> writeBinary(const Kernel& kernel, llvm::ArrayRef<char> object);

struct BinaryParts {
  Kernel kernel;                // without entry, code and its size
  llvm::ArrayRef<char> object;  // part of the binary
};
// Kind of failure: Malformed.
llvm::Expected<BinaryParts> readBinary(std::span<const std::byte> binary);

}  // namespace jit

// SPDX-License-Identifier: Apache-2.0

// What may be said of a sum before it is extended to more bits: that the extension of parts is the
// part of the extension, if nothing wraps around.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>

namespace jit::simt {

// How numbers are extended that an expression is a part of.
enum class Extended { No, Unsigned, Signed };

// Whether `sum`, a product or a sum of numbers, is what it would be with more bits.
bool isExact(const llvm::Value& sum, Extended extended);

// A constant by which a part is multiplied, of less than 2^31; nothing for others.
std::optional<int64_t> factorOf(const llvm::APInt& constant, Extended extended);

}  // namespace jit::simt

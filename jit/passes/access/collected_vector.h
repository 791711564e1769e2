// SPDX-License-Identifier: Apache-2.0

// Vectors whose elements come from several others.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

#include <utility>

namespace jit::simt {

// A vector as long as `chosen`, whose element t is element `chosen[t].second` of
// `sources[chosen[t].first]`; a source of -1 leaves it open. All sources are as long. By shuffles
// of two registers, which machines have.
using ElementSource = std::pair<int, int>;
llvm::Value* collected(llvm::IRBuilderBase& ir, llvm::ArrayRef<llvm::Value*> sources,
                       llvm::ArrayRef<ElementSource> chosen);

}  // namespace jit::simt

// Where the sums of a loop are stored after it, known before its last multiplication.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <optional>

#include "jit/coopmat/pseudo_ops.h"

namespace llvm {
class PHINode;
}

namespace jit::coopmat {

// The store by rows to the client's memory, in the block of `sum`, if that is all that becomes of
// it.
std::optional<StoreCall> storeOfSum(const llvm::PHINode& sum);

// Rows `stride_bytes` apart (ptr, i64).
struct Destination {
  llvm::Value *base, *stride_bytes;
};

// The destinations of stores that come later in the block where `builder` stands, computed there
// from copies of the instructions that they are computed by. What these read from memory may be
// another value later, so the destinations are good for prefetching alone. Nothing, and no code, if
// one of them depends on more than arithmetic and loads.
llvm::SmallVector<Destination> computeEarlier(llvm::IRBuilderBase& builder,
                                              llvm::ArrayRef<StoreCall> stores);

}  // namespace jit::coopmat

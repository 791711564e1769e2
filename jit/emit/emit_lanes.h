// SPDX-License-Identifier: Apache-2.0

// What emission knows of a vector whose move from lane to lane is known.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Value.h>

#include <utility>

#include "jit/analysis/lane_shape.h"

namespace jit::spirv {

struct LaneForm {
  simt::LaneShape shape;
  llvm::Value* first = nullptr;  // lane 0's value, scalar; null where the shape has bits that are
                                 // `any`, or it is not known
  // What the bits add that are known at run time; of all such bits where there is `first`.
  llvm::SmallVector<std::pair<unsigned, llvm::Value*>, 2> runtime;
  // Of an offset that is not exact: whether it is one index that may have wrapped, extended as a
  // signed number, and small constants.
  bool by_one_index = false;
};

}  // namespace jit::spirv

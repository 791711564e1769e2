// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/tensor_types.h"

#include "jit/base/error.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

llvm::Error TypeReader::declareTensorLayout(const RawInstruction& raw, Type& type) {
  type.kind = TypeKind::TensorLayout;
  if (raw.operands.size() < 2) return malformed(reading_.describe(raw) + " lacks operands");
  llvm::Expected<uint32_t> dimensions = reading_.integerBetween(
      raw.operands[0], 1, kMaxTensorDimensions, "number of dimensions of a tensor layout");
  if (!dimensions) return dimensions.takeError();
  llvm::Expected<uint32_t> mode = reading_.integerBetween(
      raw.operands[1], 0, static_cast<uint32_t>(spv::TensorClampMode::RepeatMirrored),
      "clamp mode");
  if (!mode) return mode.takeError();
  type.count = *dimensions;
  type.clamp_mode = static_cast<spv::TensorClampMode>(*mode);
  return add(raw, type);
}

llvm::Error TypeReader::declareTensorView(const RawInstruction& raw, Type& type) {
  type.kind = TypeKind::TensorView;
  if (raw.operands.size() < 2) return malformed(reading_.describe(raw) + " lacks operands");
  llvm::Expected<uint32_t> dimensions = reading_.integerBetween(
      raw.operands[0], 1, kMaxTensorDimensions, "number of dimensions of a tensor view");
  if (!dimensions) return dimensions.takeError();
  llvm::Expected<const Constant*> has_dimensions = reading_.constant(raw.operands[1]);
  if (!has_dimensions) return has_dimensions.takeError();
  if ((*has_dimensions)->type->kind != TypeKind::Bool)
    return malformed(reading_.describe(raw) + ": HasDimensions is not a boolean");
  type.count = *dimensions;
  type.has_dimensions = (*has_dimensions)->leaves[0] != 0;
  const auto permutation = raw.operands.subspan(2);
  if (permutation.size() != type.count)
    return malformed(reading_.describe(raw) + ": " + std::to_string(permutation.size()) +
                     " numbers permute " + std::to_string(type.count) + " dimensions");
  uint32_t seen = 0;
  for (uint32_t i = 0; i < type.count; ++i) {
    llvm::Expected<uint32_t> dim =
        reading_.integerBetween(permutation[i], 0, type.count - 1, "permuted dimension");
    if (!dim) return dim.takeError();
    type.permutation[i] = *dim;
    seen |= 1u << *dim;
  }
  if (seen != (1u << type.count) - 1)
    return malformed(reading_.describe(raw) + ": dimensions are permuted to the same place");
  return add(raw, type);
}

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/in_place.h"

#include <llvm/IR/Constants.h>

#include "jit/coopmat/shared_operands.h"

namespace jit::coopmat {
namespace {

// Bytes over which the rows of a tile may spread: half of a first-level cache, so that no more than
// half of the ways of a set are asked for.
constexpr uint64_t kMostTileBytes = 1 << 14;

// The distance of the rows of a tile that may be read in place.
std::optional<uint32_t> rowStride(const LoadCall& load) {
  auto* stride = llvm::dyn_cast<llvm::ConstantInt>(load.stride_bytes);
  auto* limit = llvm::dyn_cast<llvm::ConstantInt>(load.limit_bytes);
  if (load.layout != Layout::Row || !stride || !limit || !limit->isMinusOne()) return std::nullopt;
  if (stride->getValue().ugt(kMostTileBytes / load.type.rows)) return std::nullopt;
  return static_cast<uint32_t>(stride->getZExtValue());
}

}  // namespace

std::optional<InPlaceOperands> operandsInPlace(const TileGrid& grid, const ukernel::Row& row,
                                               uint32_t times) {
  std::optional<uint32_t> a_stride, b_stride;
  InPlaceOperands operands;
  for (size_t index = 0; index < grid.groups().size(); ++index) {
    const TileGrid::Group& group = grid.groups()[index];
    if (!ukernel::PackedGemm::isFasterInPlace(row, grid.op(), grid.aTiles(), grid.bTiles(),
                                              group.steps * times))
      return std::nullopt;
    llvm::Instruction* point = grid.lastMultiplyAdd(index);
    operands.points.push_back(point);
    auto agrees = [&](llvm::Value* operand, std::optional<uint32_t>& stride) {
      std::optional<LoadCall> load = matchLoad(operand);
      if (!load || load->call->getParent() != group.block ||
          !isUnwrittenBetween(*load->call, *point))
        return false;
      std::optional<uint32_t> found = rowStride(*load);
      if (!stride) stride = found;
      return found && *stride == *found;
    };
    for (const TileGrid::Operand& operand : grid.operands(index))
      if (!agrees(operand.value, operand.is_a ? a_stride : b_stride)) return std::nullopt;
  }
  operands.strides = {*a_stride, *b_stride};
  return operands;
}

void multiplyInPlace(const ukernel::HelperScope& scope, const TileGrid& grid,
                     const InPlaceOperands& operands, const ukernel::PackedGemm& gemm,
                     llvm::Value* base) {
  for (size_t group = 0; group < grid.groups().size(); ++group) {
    llvm::IRBuilder<> builder(operands.points[group]);
    for (const TileGrid::Operand& operand : grid.operands(group)) {
      const LoadCall load = *matchLoad(operand.value);
      const auto emit = operand.is_a ? &ukernel::PackedGemm::emitDescriptorA
                                     : &ukernel::PackedGemm::emitDescriptorB;
      (gemm.*emit)(builder, base, operand.tile, builder.getInt64(operand.step),
                   {load.base, load.stride_bytes, load.limit_bytes}, nullptr);
    }
    gemm.emitMultiplyInPlace(scope, builder, base, grid.groups()[group].steps, operands.strides);
  }
}

}  // namespace jit::coopmat

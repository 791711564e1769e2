// SPDX-License-Identifier: Apache-2.0

// Values of built-in variables. Source: Vulkan Specification, "Built-In Variables".
#include <llvm/IR/Constants.h>

#include "jit/emit/leafwise.h"
#include "runtime/kernel_abi.h"

namespace jit::spirv {

llvm::Value* Emission::invocationNumber() {
  if (stream_.invocation_number == nullptr) {
    // At the function's start, so that it is there for all blocks.
    llvm::IRBuilder<> start(entry_block_->getTerminator());
    llvm::Value* first = stream_.count == 1
                             ? static_cast<llvm::Value*>(start.getInt32(0))
                             : start.CreateMul(stream_.number, start.getInt32(stream_.width));
    stream_.invocation_number = start.CreateAdd(start.CreateVectorSplat(stream_.width, first),
                                                simt.laneIndices(start.getInt32Ty()), "invocation");
  }
  return stream_.invocation_number;
}

namespace {

llvm::Value* firstInvocation(Emission& e) {
  return e.stream().count == 1 ? static_cast<llvm::Value*>(e.ir.getInt32(0))
                               : e.ir.CreateMul(e.stream().number, e.ir.getInt32(e.stream().width));
}

// LocalInvocationId where each four invocations are 2x2 in x and y (Vulkan Specification, "Quad").
// Such blocks come x first.
llvm::SmallVector<llvm::Value*, 4> idInQuads(Emission& e) {
  auto& ir = e.ir;
  const auto& size = e.module.workgroup_size;
  const uint32_t columns = size[0] / 2, rows = size[1] / 2;
  llvm::Value* number = e.invocationNumber();
  auto over = [&](llvm::Value* v, uint32_t n) { return ir.CreateUDiv(v, integerLike(v, n)); };
  auto modulo = [&](llvm::Value* v, uint32_t n) { return ir.CreateURem(v, integerLike(v, n)); };
  // Twice the block's position, and the bit that says which of the two.
  auto position = [&](llvm::Value* block, uint64_t bit) {
    llvm::Value* inside = ir.CreateAnd(ir.CreateLShr(number, bit), integerLike(number, 1));
    return ir.CreateOr(ir.CreateShl(block, 1), inside);
  };
  llvm::Value* block = ir.CreateLShr(number, 2);
  llvm::Value* row = over(block, columns);
  llvm::Value* z = ir.getInt32(0);
  if (size[2] != 1) {
    row = modulo(row, rows);
    const uint32_t layer = size[0] * size[1];
    z = over(layer % e.stream().width == 0 ? firstInvocation(e) : number, layer);
  }
  return {position(modulo(block, columns), 0), position(row, 1), z};
}

// Components of LocalInvocationId. One that a stream's invocations share is an LLVM scalar.
llvm::SmallVector<llvm::Value*, 4> localInvocationId(Emission& e) {
  if (e.module.derivative_group == DerivativeGroup::Quads) return idInQuads(e);
  llvm::SmallVector<llvm::Value*, 4> id;
  uint64_t run = 1;  // invocations over which the component stays the same
  const auto& size = e.module.workgroup_size;
  for (int c = 0; c < 3; ++c) {
    if (size[c] == 1) {
      id.push_back(e.ir.getInt32(0));
      continue;
    }
    const bool last =
        c == 2 || (c == 1 && size[2] == 1) || (c == 0 && size[1] == 1 && size[2] == 1);
    llvm::Value* v = e.invocationNumber();
    if (run % e.stream().width == 0)
      v = firstInvocation(e);
    else if (run == 1 && size[0] % e.stream().width == 0 && !last) {
      // Streams do not cross rows: the row's start is shared and the rest counts up.
      llvm::Value* first =
          e.ir.CreateURem(e.ir.CreateMul(e.stream().number, e.ir.getInt32(e.stream().width)),
                          e.ir.getInt32(size[0]));
      id.push_back(e.ir.CreateAdd(e.simt.broadcast(first), e.simt.laneIndices(e.ir.getInt32Ty())));
      run *= size[c];
      continue;
    }
    if (run != 1) v = e.ir.CreateUDiv(v, llvm::ConstantInt::get(v->getType(), run));
    if (!last) v = e.ir.CreateURem(v, llvm::ConstantInt::get(v->getType(), size[c]));
    id.push_back(v);
    run *= size[c];
  }
  return id;
}

// Bits of a mask that depends on each invocation's position, as a uvec4: SubgroupEqMask and so on.
llvm::SmallVector<llvm::Value*, 4> laneMask(Emission& e, spv::BuiltIn builtin) {
  llvm::SmallVector<llvm::Value*, 4> words;
  const uint64_t all = e.subgroup_size == 64 ? ~uint64_t{0} : (uint64_t{1} << e.subgroup_size) - 1;
  for (uint32_t word = 0; word < 4; ++word) {
    llvm::SmallVector<llvm::Constant*, 64> lanes;
    for (uint32_t l = 0; l < e.stream().width; ++l) {
      const uint64_t eq = uint64_t{1} << (l % e.subgroup_size);
      uint64_t bits = 0;
      switch (builtin) {
        case spv::BuiltIn::SubgroupEqMask:
          bits = eq;
          break;
        case spv::BuiltIn::SubgroupGeMask:
          bits = ~(eq - 1) & all;
          break;
        case spv::BuiltIn::SubgroupGtMask:
          bits = ~(eq | (eq - 1)) & all;
          break;
        case spv::BuiltIn::SubgroupLeMask:
          bits = eq | (eq - 1);
          break;
        default:
          bits = eq - 1;
          break;
      }
      lanes.push_back(e.ir.getInt32(word < 2 ? static_cast<uint32_t>(bits >> (32 * word)) : 0));
    }
    words.push_back(llvm::ConstantVector::get(lanes));
  }
  return words;
}

// A constant for each invocation of the stream.
llvm::Value* perLane(Emission& e, llvm::function_ref<uint32_t(uint32_t lane)> number) {
  llvm::SmallVector<llvm::Constant*, 64> lanes;
  for (uint32_t l = 0; l < e.stream().width; ++l) lanes.push_back(e.ir.getInt32(number(l)));
  return llvm::ConstantVector::get(lanes);
}

llvm::Value* subgroupId(Emission& e) {
  if (e.stream().width > e.subgroup_size)
    return perLane(e, [&](uint32_t l) { return l / e.subgroup_size; });
  return e.stream().count == 1 ? static_cast<llvm::Value*>(e.ir.getInt32(0)) : e.stream().number;
}

llvm::Value* dispatchWord(Emission& e, uint64_t offset) {
  return e.ir.CreateLoad(e.ir.getInt32Ty(),
                         e.ir.CreateConstGEP1_64(e.ir.getInt8Ty(), e.dispatch_args, offset));
}

}  // namespace

llvm::Value* Emission::localInvocationIndex() {
  if (module.derivative_group != DerivativeGroup::Quads) return invocationNumber();
  const auto id = idInQuads(*this);
  const auto& size = module.workgroup_size;
  llvm::Value* row =
      ir.CreateAdd(ir.CreateMul(simt.broadcast(id[2]), integerLike(id[1], size[1])), id[1]);
  return ir.CreateAdd(ir.CreateMul(row, integerLike(row, size[0])), id[0]);
}

// By the rules of UniformityAnalysis::builtinShape.
llvm::Value* Emission::builtinInFirstLane(spv::BuiltIn builtin, uint32_t component) {
  llvm::Value* number = firstInvocation(*this);
  switch (builtin) {
    case spv::BuiltIn::LocalInvocationIndex:
      return number;
    case spv::BuiltIn::SubgroupLocalInvocationId:
      return ir.getInt32(0);
    case spv::BuiltIn::LocalInvocationId:
    case spv::BuiltIn::GlobalInvocationId: {
      const auto& size = module.workgroup_size;
      if (component > 2) return nullptr;
      for (uint32_t c = 0; c < component; ++c) number = ir.CreateUDiv(number, ir.getInt32(size[c]));
      number = ir.CreateURem(number, ir.getInt32(size[component]));
      if (builtin == spv::BuiltIn::LocalInvocationId) return number;
      return ir.CreateAdd(ir.CreateMul(workgroup_id[component], ir.getInt32(size[component])),
                          number);
    }
    default:
      return nullptr;
  }
}

llvm::Expected<Value> Emission::builtin(spv::BuiltIn builtin, const Type* type) {
  Value value{type, {}};
  switch (builtin) {
    case spv::BuiltIn::WorkgroupId:
      for (llvm::Value* c : workgroup_id) value.leaves.push_back(c);
      return value;
    case spv::BuiltIn::NumWorkgroups:
      for (uint64_t c = 0; c < 3; ++c)
        value.leaves.push_back(
            dispatchWord(*this, offsetof(rt::DispatchArgs, workgroup_count) + 4 * c));
      return value;
    case spv::BuiltIn::WorkgroupSize:
      for (uint32_t c : module.workgroup_size) value.leaves.push_back(ir.getInt32(c));
      return value;
    case spv::BuiltIn::LocalInvocationId:
      value.leaves = localInvocationId(*this);
      return value;
    case spv::BuiltIn::GlobalInvocationId: {
      auto local = localInvocationId(*this);
      for (int c = 0; c < 3; ++c) {
        llvm::Value* first = ir.CreateMul(workgroup_id[c], ir.getInt32(module.workgroup_size[c]));
        simt.unify(first, local[c]);
        value.leaves.push_back(ir.CreateAdd(first, local[c]));
      }
      return value;
    }
    case spv::BuiltIn::LocalInvocationIndex:
      value.leaves = {localInvocationIndex()};
      return value;
    case spv::BuiltIn::SubgroupSize:
      value.leaves = {ir.getInt32(subgroup_size)};
      return value;
    case spv::BuiltIn::NumSubgroups:
      value.leaves = {ir.getInt32((invocations + subgroup_size - 1) / subgroup_size)};
      return value;
    case spv::BuiltIn::SubgroupId:
      value.leaves = {subgroupId(*this)};
      return value;
    case spv::BuiltIn::SubgroupLocalInvocationId:
      value.leaves = {perLane(*this, [&](uint32_t l) { return l % subgroup_size; })};
      return value;
    case spv::BuiltIn::SubgroupEqMask:
    case spv::BuiltIn::SubgroupGeMask:
    case spv::BuiltIn::SubgroupGtMask:
    case spv::BuiltIn::SubgroupLeMask:
    case spv::BuiltIn::SubgroupLtMask:
      value.leaves = laneMask(*this, builtin);
      return value;
    case spv::BuiltIn::DeviceIndex:
      value.leaves = {ir.getInt32(0)};
      return value;
    default:
      return unsupported("built-in " + std::to_string(static_cast<uint32_t>(builtin)) +
                         " is not supported in compute shaders");
  }
}

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/emit/random_control_flow_function.h"

#include <algorithm>

namespace jit::test {

using spv::Op;
using spv::StorageClass;

BlockIndex FunctionWriter::addBlock() {
  blocks_.push_back({module_.newId(), {}, kNoBlock, 0, {}});
  return static_cast<BlockIndex>(blocks_.size()) - 1;
}

void FunctionWriter::begin(BlockIndex block) {
  Block& b = at(block);
  for (BlockIndex p : b.predecessors) {
    if (b.dominator == kNoBlock) {
      b.dominator = p;
      continue;
    }
    BlockIndex a = b.dominator;
    while (a != p) {
      if (at(a).depth < at(p).depth) std::swap(a, p);
      a = at(a).dominator;
    }
    b.dominator = a;
  }
  b.depth = b.dominator == kNoBlock ? 0 : at(b.dominator).depth + 1;
  append(code_, Op::OpLabel, std::array{b.label});
  current_ = block;
}

void FunctionWriter::addEdge(BlockIndex to) {
  auto& predecessors = at(to).predecessors;
  if (std::find(predecessors.begin(), predecessors.end(), current_) == predecessors.end())
    predecessors.push_back(current_);
}

void FunctionWriter::selectionMerge(BlockIndex merge) {
  instruction(Op::OpSelectionMerge, {label(merge), 0});
}

void FunctionWriter::loopMerge(BlockIndex merge, BlockIndex continue_target) {
  instruction(Op::OpLoopMerge, {label(merge), label(continue_target), 0});
}

void FunctionWriter::branch(BlockIndex to) {
  addEdge(to);
  terminate(Op::OpBranch, {label(to)});
}

void FunctionWriter::branchIf(Id condition, BlockIndex yes, BlockIndex no) {
  addEdge(yes);
  addEdge(no);
  terminate(Op::OpBranchConditional, {condition, label(yes), label(no)});
}

void FunctionWriter::switchOn(Id selector, BlockIndex otherwise,
                              const std::vector<std::pair<uint32_t, BlockIndex>>& cases) {
  std::vector<uint32_t> operands{selector, label(otherwise)};
  addEdge(otherwise);
  for (auto [literal, target] : cases) {
    addEdge(target);
    operands.insert(operands.end(), {literal, label(target)});
  }
  append(code_, Op::OpSwitch, operands);
  current_ = kNoBlock;
}

void FunctionWriter::terminate(Op op, std::initializer_list<uint32_t> operands) {
  instruction(op, operands);
  current_ = kNoBlock;
}

void FunctionWriter::instruction(Op op, std::vector<uint32_t> operands) {
  append(code_, op, operands);
}

Id FunctionWriter::result(Op op, Id type, std::initializer_list<uint32_t> operands) {
  return result(op, type, std::vector<uint32_t>(operands));
}

Id FunctionWriter::result(Op op, Id type, const std::vector<uint32_t>& operands) {
  const Id id = module_.newId();
  std::vector<uint32_t> words{type, id};
  words.insert(words.end(), operands.begin(), operands.end());
  append(code_, op, words);
  return id;
}

RandomValue FunctionWriter::define(ValueType type, Op op, std::initializer_list<uint32_t> operands,
                                   bool uniform) {
  RandomValue value{result(op, module_.type(type), operands), type, uniform};
  makeVisible(value);
  return value;
}

std::vector<uint32_t> FunctionWriter::brought(ValueType type, std::optional<RandomValue> value,
                                              bool& uniform) {
  std::vector<uint32_t> operands;
  for (BlockIndex p : at(current_).predecessors) {
    const RandomValue v = value ? *value : pickAt(p, type, false);
    uniform &= v.uniform;
    operands.insert(operands.end(), {v.id, label(p)});
  }
  return operands;
}

RandomValue FunctionWriter::phi(ValueType type, bool may_be_uniform) {
  const std::vector<uint32_t> operands = brought(type, {}, may_be_uniform);
  return {result(Op::OpPhi, module_.type(type), operands), type, may_be_uniform};
}

FunctionWriter::OpenPhi FunctionWriter::loopPhi(ValueType type, bool may_be_uniform,
                                                std::optional<RandomValue> first) {
  std::vector<uint32_t> operands = brought(type, first, may_be_uniform);
  operands.insert(operands.end(), {0, 0});
  const Id id = result(Op::OpPhi, module_.type(type), operands);
  return {{id, type, may_be_uniform}, code_.size() - 2};
}

void FunctionWriter::complete(const OpenPhi& phi, Id operand, BlockIndex from) {
  code_[phi.operand] = operand;
  code_[phi.operand + 1] = label(from);
}

RandomValue FunctionWriter::constant(ValueType type) {
  switch (type) {
    case ValueType::Bool:
      return {module_.boolConstant(random.chance(50)), type, true};
    case ValueType::Uint:
      return {module_.uintConstant(random.chance(70) ? random.below(9)
                                                     : static_cast<uint32_t>(random.next())),
              type, true};
    case ValueType::Record: {
      const Id first = constant(ValueType::Uint).id;
      const Id second = constant(ValueType::Uvec2).id;
      return {module_.compositeConstant(module_.type(type), {first, second}), type, true};
    }
    default: {
      std::vector<Id> parts;
      for (uint32_t c = 0; c < componentsOf(type); ++c)
        parts.push_back(constant(ValueType::Uint).id);
      return {module_.compositeConstant(module_.type(type), std::move(parts)), type, true};
    }
  }
}

RandomValue FunctionWriter::pickAt(BlockIndex block, ValueType type, bool uniform) {
  std::vector<RandomValue> candidates;  // the last defined first
  for (BlockIndex b = block; b != kNoBlock; b = at(b).dominator)
    for (auto it = at(b).values.rbegin(); it != at(b).values.rend(); ++it)
      if (it->type == type && (!uniform || it->uniform)) candidates.push_back(*it);
  if (candidates.empty() || random.chance(6)) return constant(type);
  auto n = static_cast<uint32_t>(candidates.size());
  if (random.chance(50)) n = std::min(n, 4u);
  return candidates[random.below(n)];
}

std::vector<uint32_t> FunctionWriter::finish(const std::vector<uint32_t>& declaration) const {
  std::vector<uint32_t> words = declaration;
  // Variables come first in the first block, which starts with a label of two words.
  words.insert(words.end(), code_.begin(), code_.begin() + 2);
  words.insert(words.end(), variable_words_.begin(), variable_words_.end());
  words.insert(words.end(), code_.begin() + 2, code_.end());
  append(words, Op::OpFunctionEnd, {});
  return words;
}

RandomVariable FunctionWriter::addVariable(ValueType type, uint32_t length) {
  const Id pointee = length == 0 ? module_.type(type) : module_.arrayType(type, length);
  Id initializer = 0;
  if (length == 0) {
    initializer = constant(type).id;
  } else {
    std::vector<Id> parts;
    for (uint32_t i = 0; i < length; ++i) parts.push_back(constant(type).id);
    initializer = module_.compositeConstant(pointee, std::move(parts));
  }
  const Id pointer = module_.pointerType(StorageClass::Function, pointee);
  const RandomVariable variable{module_.newId(), StorageClass::Function, type, length};
  append(
      variable_words_, Op::OpVariable,
      std::array{pointer, variable.id, static_cast<uint32_t>(StorageClass::Function), initializer});
  return variable;
}

void FunctionWriter::addWorkgroupMatrix() {
  const Id pointer = module_.pointerType(StorageClass::Function, module_.workgroupMatrix());
  append(variable_words_, Op::OpVariable,
         std::array{pointer, module_.newId(), static_cast<uint32_t>(StorageClass::Function)});
}

FunctionWriter::Place FunctionWriter::place(const RandomVariable& variable) {
  std::vector<uint32_t> operands{variable.id};
  ValueType type = variable.type;
  if (variable.length != 0) operands.push_back(below(variable.length, random.chance(40)).id);
  if (type == ValueType::Record && random.chance(60)) {
    const uint32_t member = random.below(2);
    operands.push_back(module_.uintConstant(member));
    type = member == 0 ? ValueType::Uint : ValueType::Uvec2;
  }
  if (componentsOf(type) > 1 && random.chance(40)) {
    operands.push_back(below(componentsOf(type), random.chance(60)).id);
    type = ValueType::Uint;
  }
  if (operands.size() == 1) return {variable.id, type};
  return {result(Op::OpAccessChain, module_.pointerType(variable.storage, module_.type(type)),
                 operands),
          type};
}

RandomValue FunctionWriter::loadVariable(const RandomVariable& variable) {
  const Place p = place(variable);
  return define(p.type, Op::OpLoad, {p.pointer}, false);
}

void FunctionWriter::storeVariable(const RandomVariable& variable) {
  const Place p = place(variable);
  instruction(Op::OpStore, {p.pointer, pick(p.type, random.chance(60)).id});
}

Id FunctionWriter::element(Buffer buffer, Id index) {
  const Id pointer = module_.pointerType(StorageClass::StorageBuffer, uint());
  return result(Op::OpAccessChain, pointer,
                {module_.buffer(buffer), module_.uintConstant(0), index});
}

Id FunctionWriter::invocationIndex() {
  const auto& size = module_.workgroupSize();
  const Id uvec3 = module_.type(ValueType::Uvec3);
  if (size[1] == 1 && size[2] == 1 && random.chance(50)) {
    const Id global = module_.builtin(spv::BuiltIn::GlobalInvocationId, ValueType::Uvec3);
    return result(Op::OpCompositeExtract, uint(), {result(Op::OpLoad, uvec3, {global}), 0});
  }
  const Id workgroup = module_.builtin(spv::BuiltIn::WorkgroupId, ValueType::Uvec3);
  const Id x = result(Op::OpCompositeExtract, uint(), {result(Op::OpLoad, uvec3, {workgroup}), 0});
  const Id first = result(Op::OpIMul, uint(), {x, module_.uintConstant(module_.invocations())});
  const Id index = module_.builtin(spv::BuiltIn::LocalInvocationIndex, ValueType::Uint);
  return result(Op::OpIAdd, uint(), {first, result(Op::OpLoad, uint(), {index})});
}

Id FunctionWriter::outputPlace() {
  const Id slot = random.chance(70) ? module_.uintConstant(random.below(kOutputSlots))
                                    : below(kOutputSlots, random.chance(30)).id;
  const Id me = invocationIndex();
  if (random.chance(50)) {
    const Id first = result(Op::OpIMul, uint(), {me, module_.uintConstant(kOutputSlots)});
    return element(kOutput, result(Op::OpIAdd, uint(), {first, slot}));
  }
  const Id groups = module_.builtin(spv::BuiltIn::NumWorkgroups, ValueType::Uvec3);
  const Id count = result(Op::OpCompositeExtract, uint(),
                          {result(Op::OpLoad, module_.type(ValueType::Uvec3), {groups}), 0});
  const Id all = result(Op::OpIMul, uint(), {count, module_.uintConstant(module_.invocations())});
  const Id row = result(Op::OpIAdd, uint(), {slot, module_.uintConstant(kOutputSlots)});
  const Id start = result(Op::OpIMul, uint(), {row, all});
  return element(kOutput, result(Op::OpIAdd, uint(), {start, me}));
}

void FunctionWriter::storeOutput() {
  const Id at = outputPlace();
  Id stored = pick(ValueType::Uint).id;
  if (random.chance(60)) {
    const Id old = result(Op::OpLoad, uint(), {at});
    const Id scaled = result(Op::OpIMul, uint(), {old, module_.uintConstant(31)});
    stored = result(Op::OpIAdd, uint(), {scaled, stored});
  }
  instruction(Op::OpStore, {at, stored});
}

RandomValue FunctionWriter::loadOutput() {
  return define(ValueType::Uint, Op::OpLoad, {outputPlace()}, false);
}

void FunctionWriter::setFlag(uint32_t flag) {
  const Id workgroup = module_.builtin(spv::BuiltIn::WorkgroupId, ValueType::Uvec3);
  const Id loaded = result(Op::OpLoad, module_.type(ValueType::Uvec3), {workgroup});
  const Id x = result(Op::OpCompositeExtract, uint(), {loaded, 0});
  const Id first = result(Op::OpIMul, uint(), {x, module_.uintConstant(kFlags)});
  const Id at = result(Op::OpIAdd, uint(), {first, module_.uintConstant(flag)});
  instruction(Op::OpStore, {element(kFlagBuffer, at), module_.uintConstant(flag + 1)});
}

}  // namespace jit::test

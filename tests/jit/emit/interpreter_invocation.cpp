// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/emit/interpreter_invocation.h"

#include <algorithm>

namespace jit::test {

using spv::BuiltIn;
using spv::Op;
using spv::StorageClass;

namespace {

constexpr uint64_t kMaxSteps = 4'000'000;  // of one invocation

bool isSubgroupOperation(Op op) {
  return op >= Op::OpGroupNonUniformElect && op <= Op::OpGroupNonUniformQuadSwap;
}

uint32_t binary(Op op, uint32_t a, uint32_t b) {
  const auto sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
  switch (op) {
    case Op::OpIAdd:
      return a + b;
    case Op::OpISub:
      return a - b;
    case Op::OpIMul:
      return a * b;
    case Op::OpUDiv:
      return a / b;
    case Op::OpUMod:
      return a % b;
    case Op::OpBitwiseAnd:
    case Op::OpLogicalAnd:
      return a & b;
    case Op::OpBitwiseOr:
    case Op::OpLogicalOr:
      return a | b;
    case Op::OpBitwiseXor:
      return a ^ b;
    case Op::OpShiftLeftLogical:
      return a << b;
    case Op::OpShiftRightLogical:
      return a >> b;
    case Op::OpIEqual:
    case Op::OpLogicalEqual:
      return a == b;
    case Op::OpINotEqual:
    case Op::OpLogicalNotEqual:
      return a != b;
    case Op::OpULessThan:
      return a < b;
    case Op::OpUGreaterThanEqual:
      return a >= b;
    case Op::OpSLessThan:
      return sa < sb;
    case Op::OpSGreaterThan:
      return sa > sb;
    default:
      throw InterpreterError("opcode " + std::to_string(static_cast<uint32_t>(op)) +
                             " is not known");
  }
}

}  // namespace

Invocation::Invocation(InterpretedWorkgroup& workgroup, uint32_t index)
    : workgroup_(workgroup), index_(index) {
  for (const ParsedVariable& v : module().variables) {
    Memory* memory = nullptr;
    switch (v.storage) {
      case StorageClass::StorageBuffer:
        memory = &workgroup_.dispatch.buffers.at(module().bindings.at(v.id));
        break;
      case StorageClass::PushConstant:
        memory = &workgroup_.dispatch.push_constants;
        break;
      case StorageClass::Workgroup:
        memory = &workgroup_.shared[v.id];
        memory->resize(module().type(v.pointee).words);
        break;
      default:
        own_.push_back(std::make_unique<Memory>(v.storage == StorageClass::Input
                                                    ? builtin(module().builtins.at(v.id))
                                                    : initial(v.pointee, v.initializer)));
        memory = own_.back().get();
        break;
    }
    globals_[v.id] = Value{{}, memory, 0, v.pointee};
  }
  enter(module().entry, {}, 0);
}

Invocation::Stop Invocation::run() {
  waiting_ = nullptr;
  while (!frames_.empty())
    if (step()) return waiting_ != nullptr ? Stop::SubgroupOperation : Stop::Barrier;
  return Stop::Ended;
}

void Invocation::complete(std::vector<uint32_t> result) {
  frame().values[waiting_->result] = Value{std::move(result)};
}

std::vector<size_t> Invocation::position() const {
  std::vector<size_t> result;
  for (const Frame& f : frames_) {
    for (const Loop& loop : f.loops) {
      result.push_back(loop.header);
      result.push_back(loop.round);
    }
    result.push_back(f.next);
  }
  return result;
}

// Goes to `place`, the start of a block: out of the loops that do not contain it, once more around
// its own, or into a new one. A loop's blocks stand between its header and its merge block.
void Invocation::enterLoops(size_t place) {
  Frame& f = frame();
  while (!f.loops.empty() && (place < f.loops.back().header || place >= f.loops.back().merge))
    f.loops.pop_back();
  auto header = f.function->loops.find(place);
  if (header == f.function->loops.end()) return;
  if (!f.loops.empty() && f.loops.back().header == place)
    ++f.loops.back().round;
  else
    f.loops.push_back({place, f.function->labels.at(header->second), 0});
}

InterpretedMemory Invocation::initial(uint32_t type, uint32_t initializer) const {
  return initializer != 0 ? module().constants.at(initializer) : Memory(module().type(type).words);
}

InterpretedMemory Invocation::builtin(BuiltIn which) const {
  const auto& size = module().workgroup_size;
  const uint32_t x = index_ % size[0], y = index_ / size[0] % size[1],
                 z = index_ / (size[0] * size[1]);
  const uint32_t lanes = workgroup_.dispatch.subgroup_size;
  switch (which) {
    case BuiltIn::LocalInvocationIndex:
      return {index_};
    case BuiltIn::LocalInvocationId:
      return {x, y, z};
    case BuiltIn::GlobalInvocationId:
      return {workgroup_.id * size[0] + x, y, z};
    case BuiltIn::WorkgroupId:
      return {workgroup_.id, 0, 0};
    case BuiltIn::NumWorkgroups:
      return {workgroup_.dispatch.workgroups, 1, 1};
    case BuiltIn::SubgroupId:
      return {index_ / lanes};
    case BuiltIn::SubgroupLocalInvocationId:
      return {index_ % lanes};
    case BuiltIn::NumSubgroups:
      return {(workgroup_.invocations() + lanes - 1) / lanes};
    default:
      throw InterpreterError("an unknown built-in");
  }
}

void Invocation::enter(uint32_t function, std::vector<Value> arguments, uint32_t result) {
  auto it = module().functions.find(function);
  if (it == module().functions.end()) throw InterpreterError("a call of no function");
  Frame frame;
  frame.function = &it->second;
  frame.block = it->second.entry;
  frame.next = it->second.labels.at(frame.block);
  frame.caller_result = result;
  for (size_t p = 0; p < arguments.size(); ++p)
    frame.values[it->second.parameters.at(p)] = std::move(arguments[p]);
  frames_.push_back(std::move(frame));
}

void Invocation::leave(Value value) {
  const uint32_t result = frame().caller_result;
  frames_.pop_back();
  if (!frames_.empty()) frame().values[result] = std::move(value);
}

InterpretedValue Invocation::get(uint32_t id) {
  if (auto it = frame().values.find(id); it != frame().values.end()) return it->second;
  if (auto it = module().constants.find(id); it != module().constants.end())
    return Value{it->second};
  if (auto it = globals_.find(id); it != globals_.end()) return it->second;
  throw InterpreterError("%" + std::to_string(id) + " has no value yet");
}

void Invocation::jump(uint32_t label) {
  Frame& f = frame();
  f.previous = f.block;
  f.block = label;
  f.next = f.function->labels.at(label);
  enterLoops(f.next);
  // All phis of a block read before any of them is written.
  std::vector<std::pair<uint32_t, Value>> phis;
  for (; f.function->code[f.next].op == Op::OpPhi; ++f.next) {
    const ParsedInstruction& phi = f.function->code[f.next];
    for (size_t k = 0; k + 1 < phi.operands.size(); k += 2)
      if (phi.operands[k + 1] == f.previous) {
        phis.emplace_back(phi.result, get(phi.operands[k]));
        break;
      }
  }
  for (auto& [id, value] : phis) f.values[id] = std::move(value);
}

InterpretedValue Invocation::accessChain(const ParsedInstruction& i) {
  Value p = get(i.operands[0]);
  for (size_t k = 1; k < i.operands.size(); ++k) {
    const ParsedType& type = module().type(p.pointee);
    const uint32_t index = scalar(i.operands[k]);
    if (type.op == Op::OpTypeStruct) {
      for (uint32_t m = 0; m < index; ++m) p.offset += module().type(type.members.at(m)).words;
      p.pointee = type.members.at(index);
    } else {
      if (type.op != Op::OpTypeRuntimeArray && index >= type.count)
        throw InterpreterError("an index past the end");
      p.offset += index * module().type(type.element).words;
      p.pointee = type.element;
    }
  }
  return p;
}

std::pair<uint32_t, uint32_t> Invocation::part(uint32_t type_id,
                                               std::span<const uint32_t> indices) const {
  uint32_t offset = 0;
  for (uint32_t index : indices) {
    const ParsedType& type = module().type(type_id);
    if (type.op == Op::OpTypeStruct) {
      for (uint32_t m = 0; m < index; ++m) offset += module().type(type.members.at(m)).words;
      type_id = type.members.at(index);
    } else {
      offset += index * module().type(type.element).words;
      type_id = type.element;
    }
  }
  return {offset, module().type(type_id).words};
}

std::span<uint32_t> Invocation::place(const Value& pointer) {
  const uint32_t words = module().type(pointer.pointee).words;
  if (pointer.memory == nullptr || uint64_t{pointer.offset} + words > pointer.memory->size())
    throw InterpreterError("an access past the end of an object");
  return {pointer.memory->data() + pointer.offset, words};
}

InterpretedValue Invocation::compute(const ParsedInstruction& i) {
  const auto& o = i.operands;
  switch (i.op) {
    case Op::OpCopyObject:
      return get(o[0]);
    case Op::OpNot: {
      Value v = get(o[0]);
      for (uint32_t& word : v.words) word = ~word;
      return v;
    }
    case Op::OpLogicalNot: {
      Value v = get(o[0]);
      for (uint32_t& word : v.words) word ^= 1;
      return v;
    }
    case Op::OpSelect:
      return scalar(o[0]) != 0 ? get(o[1]) : get(o[2]);
    case Op::OpCompositeConstruct: {
      Value v;
      for (uint32_t id : o) {
        Value member = get(id);
        v.words.insert(v.words.end(), member.words.begin(), member.words.end());
      }
      return v;
    }
    case Op::OpCompositeExtract: {
      Value v = get(o[0]);
      auto [offset, words] = part(module().value_types.at(o[0]), std::span(o).subspan(1));
      return Value{{v.words.begin() + offset, v.words.begin() + offset + words}};
    }
    case Op::OpCompositeInsert: {
      Value inserted = get(o[0]), v = get(o[1]);
      auto [offset, words] = part(i.type, std::span(o).subspan(2));
      std::copy_n(inserted.words.begin(), words, v.words.begin() + offset);
      return v;
    }
    case Op::OpVectorShuffle: {
      Value all = get(o[0]), second = get(o[1]), v;
      all.words.insert(all.words.end(), second.words.begin(), second.words.end());
      for (size_t k = 2; k < o.size(); ++k) v.words.push_back(all.words.at(o[k]));
      return v;
    }
    case Op::OpVectorExtractDynamic:
      return Value{{get(o[0]).words.at(scalar(o[1]))}};
    default: {
      Value a = get(o[0]);
      const Value b = get(o[1]);
      for (size_t k = 0; k < a.words.size(); ++k)
        a.words[k] = binary(i.op, a.words[k], b.words.at(k));
      return a;
    }
  }
}

bool Invocation::step() {
  if (++steps_ > kMaxSteps) throw InterpreterError("the program does not end");
  const ParsedInstruction& i = frame().function->code.at(frame().next++);
  const auto& o = i.operands;
  switch (i.op) {
    case Op::OpControlBarrier:
      return true;
    case Op::OpBranch:
      jump(o[0]);
      return false;
    case Op::OpBranchConditional:
      jump(scalar(o[0]) != 0 ? o[1] : o[2]);
      return false;
    case Op::OpSwitch: {
      const uint32_t selector = scalar(o[0]);
      uint32_t target = o[1];
      for (size_t k = 2; k + 1 < o.size(); k += 2)
        if (o[k] == selector) target = o[k + 1];
      jump(target);
      return false;
    }
    case Op::OpReturn:
      leave({});
      return false;
    case Op::OpReturnValue:
      leave(get(o[0]));
      return false;
    case Op::OpUnreachable:
      throw InterpreterError("OpUnreachable was reached");
    case Op::OpFunctionCall: {
      std::vector<Value> arguments;
      for (size_t k = 1; k < o.size(); ++k) arguments.push_back(get(o[k]));
      enter(o[0], std::move(arguments), i.result);
      return false;
    }
    case Op::OpVariable: {
      const uint32_t pointee = module().type(i.type).element;
      frame().locals.push_back(std::make_unique<Memory>(initial(pointee, o.size() > 1 ? o[1] : 0)));
      frame().values[i.result] = Value{{}, frame().locals.back().get(), 0, pointee};
      return false;
    }
    case Op::OpAccessChain:
      frame().values[i.result] = accessChain(i);
      return false;
    case Op::OpLoad: {
      auto from = place(get(o[0]));
      frame().values[i.result] = Value{{from.begin(), from.end()}};
      return false;
    }
    case Op::OpStore: {
      const Value v = get(o[1]);
      std::copy(v.words.begin(), v.words.end(), place(get(o[0])).begin());
      return false;
    }
    default:
      if (isSubgroupOperation(i.op)) {
        waiting_ = &i;
        return true;
      }
      frame().values[i.result] = compute(i);
      return false;
  }
}

}  // namespace jit::test

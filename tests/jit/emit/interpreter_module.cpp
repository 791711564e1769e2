// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/emit/interpreter_module.h"

namespace jit::test {
namespace {

using spv::Op;

bool hasResult(Op op) {
  switch (op) {
    case Op::OpCapability:
    case Op::OpExtension:
    case Op::OpMemoryModel:
    case Op::OpEntryPoint:
    case Op::OpExecutionMode:
    case Op::OpDecorate:
    case Op::OpMemberDecorate:
    case Op::OpFunctionEnd:
    case Op::OpStore:
    case Op::OpSelectionMerge:
    case Op::OpLoopMerge:
    case Op::OpBranch:
    case Op::OpBranchConditional:
    case Op::OpSwitch:
    case Op::OpReturn:
    case Op::OpReturnValue:
    case Op::OpUnreachable:
    case Op::OpControlBarrier:
      return false;
    default:
      return true;
  }
}

bool isTypeDeclaration(Op op) {
  return (op >= Op::OpTypeVoid && op <= Op::OpTypeFunction) || op == Op::OpTypeCooperativeMatrixKHR;
}

bool hasType(Op op) { return hasResult(op) && op != Op::OpLabel && !isTypeDeclaration(op); }

}  // namespace

ParsedModule::ParsedModule(std::span<const uint32_t> words) {
  for (size_t at = 5; at < words.size();) {
    const uint32_t count = words[at] >> 16;
    if (count == 0 || at + count > words.size()) throw InterpreterError("a wrong word count");
    ParsedInstruction instruction{static_cast<Op>(words[at] & 0xffff), 0, 0, {}};
    size_t next = at + 1;
    if (hasType(instruction.op)) instruction.type = words[next++];
    if (hasResult(instruction.op)) instruction.result = words[next++];
    instruction.operands.assign(words.begin() + static_cast<ptrdiff_t>(next),
                                words.begin() + static_cast<ptrdiff_t>(at + count));
    parse(instruction);
    at += count;
  }
}

const ParsedType& ParsedModule::type(uint32_t id) const {
  auto it = types.find(id);
  if (it == types.end()) throw InterpreterError("%" + std::to_string(id) + " is no type");
  return it->second;
}

void ParsedModule::parse(const ParsedInstruction& i) {
  const auto& o = i.operands;
  if (i.type != 0) value_types[i.result] = i.type;
  switch (i.op) {
    case Op::OpEntryPoint:
      entry = o[1];
      return;
    case Op::OpExecutionMode:
      if (o[1] == static_cast<uint32_t>(spv::ExecutionMode::LocalSize))
        workgroup_size = {o[2], o[3], o[4]};
      return;
    case Op::OpDecorate:
      if (o[1] == static_cast<uint32_t>(spv::Decoration::BuiltIn))
        builtins[o[0]] = static_cast<spv::BuiltIn>(o[2]);
      if (o[1] == static_cast<uint32_t>(spv::Decoration::Binding)) bindings[o[0]] = o[2];
      return;
    case Op::OpCapability:
    case Op::OpExtension:
    case Op::OpMemoryModel:
    case Op::OpMemberDecorate:
    case Op::OpSelectionMerge:
      return;
    case Op::OpLoopMerge:
      current_->loops[block_] = o[0];
      return;
    case Op::OpTypeVoid:
    case Op::OpTypeFunction:
    case Op::OpTypeCooperativeMatrixKHR:  // only declared
      types[i.result] = {i.op, 0, 0, {}, 0};
      return;
    case Op::OpTypeBool:
    case Op::OpTypeInt:
    case Op::OpTypeFloat:
      types[i.result] = {i.op, 0, 0, {}, 1};
      return;
    case Op::OpTypeVector:
      types[i.result] = {i.op, o[0], o[1], {}, o[1] * type(o[0]).words};
      return;
    case Op::OpTypeArray: {
      const uint32_t length = constants.at(o[1]).at(0);
      types[i.result] = {i.op, o[0], length, {}, length * type(o[0]).words};
      return;
    }
    case Op::OpTypeRuntimeArray:
      types[i.result] = {i.op, o[0], 0, {}, 0};
      return;
    case Op::OpTypePointer:
      types[i.result] = {i.op, o[1], 0, {}, 0};
      return;
    case Op::OpTypeStruct: {
      ParsedType result{i.op, 0, 0, o, 0};
      for (uint32_t member : o) result.words += type(member).words;
      types[i.result] = std::move(result);
      return;
    }
    case Op::OpConstantTrue:
      constants[i.result] = {1};
      return;
    case Op::OpConstantFalse:
      constants[i.result] = {0};
      return;
    case Op::OpConstant:
      constants[i.result] = o;
      return;
    case Op::OpConstantComposite: {
      std::vector<uint32_t> value;
      for (uint32_t part : o) {
        const auto& leaves = constants.at(part);
        value.insert(value.end(), leaves.begin(), leaves.end());
      }
      constants[i.result] = std::move(value);
      return;
    }
    case Op::OpFunction:
      current_ = &functions[i.result];
      return;
    case Op::OpFunctionParameter:
      current_->parameters.push_back(i.result);
      return;
    case Op::OpFunctionEnd:
      current_ = nullptr;
      return;
    case Op::OpLabel:
      if (current_->entry == 0) current_->entry = i.result;
      block_ = current_->labels[i.result] = current_->code.size();
      return;
    case Op::OpVariable:
      if (current_ == nullptr) {
        variables.push_back({i.result, type(i.type).element, static_cast<spv::StorageClass>(o[0]),
                             o.size() > 1 ? o[1] : 0});
        return;
      }
      break;
    default:
      break;
  }
  if (current_ == nullptr)
    throw InterpreterError("opcode " + std::to_string(static_cast<uint32_t>(i.op)) +
                           " outside of functions");
  current_->code.push_back(i);
}

}  // namespace jit::test

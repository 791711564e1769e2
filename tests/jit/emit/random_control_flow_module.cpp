// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/emit/random_control_flow_module.h"

#include <string_view>

namespace jit::test {

using spv::Op;
using spv::StorageClass;

namespace {

template <typename T>
uint32_t word(T value) {
  return static_cast<uint32_t>(value);
}

// As SPIR-V has strings: four bytes a word, ended by a 0.
std::vector<uint32_t> stringWords(std::string_view text) {
  std::vector<uint32_t> words(text.size() / 4 + 1);
  for (size_t i = 0; i < text.size(); ++i)
    words[i / 4] |= static_cast<uint32_t>(static_cast<unsigned char>(text[i])) << (i % 4 * 8);
  return words;
}

}  // namespace

uint32_t componentsOf(ValueType type) {
  switch (type) {
    case ValueType::Uvec2:
      return 2;
    case ValueType::Uvec3:
      return 3;
    case ValueType::Uvec4:
      return 4;
    default:
      return 1;
  }
}

ValueType vectorOf(uint32_t components) {
  return components == 2 ? ValueType::Uvec2 : components == 3 ? ValueType::Uvec3 : ValueType::Uvec4;
}

void append(std::vector<uint32_t>& words, Op op, std::span<const uint32_t> operands) {
  words.push_back((word(operands.size() + 1) << 16) | word(op));
  words.insert(words.end(), operands.begin(), operands.end());
}

ModuleWriter::ModuleWriter(std::array<uint32_t, 3> workgroup_size) : size_(workgroup_size) {
  const Id uint = type(ValueType::Uint);
  const Id runtime_array = newId();
  append(declarations_, Op::OpTypeRuntimeArray, std::array{runtime_array, uint});
  decorate(runtime_array, spv::Decoration::ArrayStride, {4});
  for (uint32_t binding = 0; binding < kBuffers; ++binding) {
    buffers_[binding] = variable(StorageClass::StorageBuffer, bufferBlock(runtime_array), 0);
    decorate(buffers_[binding], spv::Decoration::DescriptorSet, {0});
    decorate(buffers_[binding], spv::Decoration::Binding, {binding});
  }
  const Id array = newId();
  append(declarations_, Op::OpTypeArray, std::array{array, uint, uintConstant(kPushConstants)});
  decorate(array, spv::Decoration::ArrayStride, {4});
  push_constants_ = variable(StorageClass::PushConstant, bufferBlock(array), 0);
}

Id ModuleWriter::bufferBlock(Id element_array) {
  const Id block = newId();
  append(declarations_, Op::OpTypeStruct, std::array{block, element_array});
  decorate(block, spv::Decoration::Block, {});
  append(annotations_, Op::OpMemberDecorate,
         std::array{block, 0u, word(spv::Decoration::Offset), 0u});
  return block;
}

void ModuleWriter::decorate(Id id, spv::Decoration decoration, std::vector<uint32_t> operands) {
  operands.insert(operands.begin(), {id, word(decoration)});
  append(annotations_, Op::OpDecorate, operands);
}

Id ModuleWriter::declare(Op op, std::vector<uint32_t> before, std::vector<uint32_t> after) {
  std::vector<uint32_t> key{word(op)};
  key.insert(key.end(), before.begin(), before.end());
  key.insert(key.end(), after.begin(), after.end());
  Id& id = declared_[key];
  if (id != 0) return id;
  id = newId();
  before.push_back(id);
  before.insert(before.end(), after.begin(), after.end());
  append(declarations_, op, before);
  return id;
}

Id ModuleWriter::type(ValueType type) {
  switch (type) {
    case ValueType::Bool:
      return declare(Op::OpTypeBool, {}, {});
    case ValueType::Uint:
      return declare(Op::OpTypeInt, {}, {32, 0});
    case ValueType::Record:
      return declare(Op::OpTypeStruct, {},
                     {this->type(ValueType::Uint), this->type(ValueType::Uvec2)});
    default:
      return declare(Op::OpTypeVector, {}, {this->type(ValueType::Uint), componentsOf(type)});
  }
}

Id ModuleWriter::voidType() { return declare(Op::OpTypeVoid, {}, {}); }

Id ModuleWriter::arrayType(ValueType element, uint32_t length) {
  return declare(Op::OpTypeArray, {}, {type(element), uintConstant(length)});
}

Id ModuleWriter::pointerType(StorageClass storage, Id pointee) {
  return declare(Op::OpTypePointer, {}, {word(storage), pointee});
}

Id ModuleWriter::functionType(Id result, std::vector<Id> parameters) {
  parameters.insert(parameters.begin(), result);
  return declare(Op::OpTypeFunction, {}, parameters);
}

Id ModuleWriter::uintConstant(uint32_t value) {
  return declare(Op::OpConstant, {type(ValueType::Uint)}, {value});
}

Id ModuleWriter::boolConstant(bool value) {
  return declare(value ? Op::OpConstantTrue : Op::OpConstantFalse, {type(ValueType::Bool)}, {});
}

Id ModuleWriter::compositeConstant(Id type, std::vector<Id> parts) {
  return declare(Op::OpConstantComposite, {type}, std::move(parts));
}

Id ModuleWriter::variable(StorageClass storage, Id pointee, Id initializer) {
  const Id pointer = pointerType(storage, pointee);
  const Id id = newId();
  std::vector<uint32_t> operands{pointer, id, word(storage)};
  if (initializer != 0) operands.push_back(initializer);
  append(declarations_, Op::OpVariable, operands);
  return id;
}

Id ModuleWriter::builtin(spv::BuiltIn builtin, ValueType value_type) {
  Id& id = builtins_[builtin];
  if (id != 0) return id;
  id = variable(StorageClass::Input, type(value_type), 0);
  decorate(id, spv::Decoration::BuiltIn, {word(builtin)});
  return id;
}

Id ModuleWriter::shared() {
  if (shared_ == 0)
    shared_ = variable(StorageClass::Workgroup, arrayType(ValueType::Uint, invocations()), 0);
  return shared_;
}

Id ModuleWriter::workgroupMatrix() {
  if (workgroup_matrix_ != 0) return workgroup_matrix_;
  const Id element = declare(Op::OpTypeFloat, {}, {32});
  const Id scope = uintConstant(word(spv::Scope::Workgroup)), size = uintConstant(32);
  const Id use = uintConstant(word(spv::CooperativeMatrixUse::MatrixAccumulatorKHR));
  workgroup_matrix_ = newId();
  append(declarations_, Op::OpTypeCooperativeMatrixKHR,
         std::array{workgroup_matrix_, element, scope, size, size, use});
  return workgroup_matrix_;
}

void ModuleWriter::addFunction(std::span<const uint32_t> words) {
  functions_.insert(functions_.end(), words.begin(), words.end());
}

std::vector<uint32_t> ModuleWriter::finish(Id main) {
  std::vector<uint32_t> words{spv::MagicNumber, 0x10300, 0, next_, 0};
  for (spv::Capability c :
       {spv::Capability::Shader, spv::Capability::GroupNonUniform,
        spv::Capability::GroupNonUniformVote, spv::Capability::GroupNonUniformBallot,
        spv::Capability::GroupNonUniformArithmetic, spv::Capability::GroupNonUniformClustered})
    append(words, Op::OpCapability, std::array{word(c)});
  if (workgroup_matrix_ != 0) {
    append(words, Op::OpCapability, std::array{word(spv::Capability::CooperativeMatrixKHR)});
    append(words, Op::OpCapability, std::array{word(spv::Capability::VulkanMemoryModel)});
    append(words, Op::OpExtension, stringWords("SPV_KHR_cooperative_matrix"));
    append(words, Op::OpExtension, stringWords("SPV_KHR_vulkan_memory_model"));
  }
  append(words, Op::OpMemoryModel,
         std::array{
             word(spv::AddressingModel::Logical),
             word(hasVulkanMemoryModel() ? spv::MemoryModel::Vulkan : spv::MemoryModel::GLSL450)});
  // "main" and its terminator are the two words 'niam' and 0.
  std::vector<uint32_t> entry{word(spv::ExecutionModel::GLCompute), main, 0x6e69616d, 0};
  for (const auto& [builtin, id] : builtins_) entry.push_back(id);
  append(words, Op::OpEntryPoint, entry);
  append(words, Op::OpExecutionMode,
         std::array{main, word(spv::ExecutionMode::LocalSize), size_[0], size_[1], size_[2]});
  for (const auto* section : {&annotations_, &declarations_, &functions_})
    words.insert(words.end(), section->begin(), section->end());
  return words;
}

}  // namespace jit::test

// SPDX-License-Identifier: Apache-2.0

#include "tools/module_interface.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <spirv/unified1/spirv.hpp11>

#include "runtime/kernel_abi.h"

namespace tools {
namespace {

constexpr size_t kHeaderWords = 5;
constexpr uint32_t kArrayElements = 4;       // of an array whose length is not a plain constant
constexpr uint32_t kMostElements = 1 << 16;  // of any
constexpr uint32_t kMostDepth = 16;          // of arrays in arrays

struct Variable {
  uint32_t type;  // of the pointer
  spv::StorageClass storage;
  std::optional<uint32_t> set, binding;
};

// What declarations say, by id.
struct Declarations {
  std::vector<std::string> entry_points;
  std::map<uint32_t, uint32_t> pointees, elements, lengths, constants;
  std::map<uint32_t, Variable> variables;
  std::map<uint32_t, uint32_t> sets, bindings;
  std::set<uint32_t> buffer_blocks;

  void read(spv::Op op, std::span<const uint32_t> operands);
  void decorate(std::span<const uint32_t> operands);
  std::optional<jit::BindingLayout> layoutOf(uint32_t id, const Variable& variable) const;
};

std::string literalString(std::span<const uint32_t> words) {
  std::string text(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  return text.substr(0, text.find('\0'));
}

void Declarations::decorate(std::span<const uint32_t> operands) {
  switch (spv::Decoration(operands[1])) {
    case spv::Decoration::BufferBlock:
      buffer_blocks.insert(operands[0]);
      break;
    case spv::Decoration::DescriptorSet:
      if (operands.size() > 2) sets[operands[0]] = operands[2];
      break;
    case spv::Decoration::Binding:
      if (operands.size() > 2) bindings[operands[0]] = operands[2];
      break;
    default:
      break;
  }
}

void Declarations::read(spv::Op op, std::span<const uint32_t> operands) {
  auto has = [&](size_t count) { return operands.size() >= count; };
  switch (op) {
    case spv::Op::OpEntryPoint:
      if (has(3) && spv::ExecutionModel(operands[0]) == spv::ExecutionModel::GLCompute) {
        entry_points.push_back(literalString(operands.subspan(2)));
      }
      break;
    case spv::Op::OpDecorate:
      if (has(2)) decorate(operands);
      break;
    case spv::Op::OpTypePointer:
      if (has(3)) pointees[operands[0]] = operands[2];
      break;
    case spv::Op::OpTypeArray:
      if (has(3)) {
        elements[operands[0]] = operands[1];
        lengths[operands[0]] = operands[2];
      }
      break;
    case spv::Op::OpTypeRuntimeArray:
      if (has(2)) elements[operands[0]] = operands[1];
      break;
    case spv::Op::OpConstant:
      if (has(3)) constants[operands[1]] = operands[2];
      break;
    case spv::Op::OpVariable:
      if (has(3)) variables[operands[1]] = {operands[0], spv::StorageClass(operands[2]), {}, {}};
      break;
    case spv::Op::OpUntypedVariableKHR:  // its last operand is the data's type
      if (has(4)) {
        variables[operands[1]] = {operands[0], spv::StorageClass(operands[2]), {}, {}};
        pointees[operands[0]] = operands[3];
      }
      break;
    default:
      break;
  }
}

std::optional<jit::BindingLayout> Declarations::layoutOf(uint32_t id,
                                                         const Variable& variable) const {
  if (variable.storage != spv::StorageClass::Uniform &&
      variable.storage != spv::StorageClass::StorageBuffer) {
    return std::nullopt;
  }
  auto binding = bindings.find(id), set = sets.find(id);
  auto pointee = pointees.find(variable.type);
  if (binding == bindings.end() || pointee == pointees.end()) return std::nullopt;
  uint32_t type = pointee->second;
  uint64_t count = 1;
  // Of a broken module, a type may be an array of itself.
  auto array = elements.find(type);
  for (uint32_t depth = 0; array != elements.end() && depth < kMostDepth; ++depth) {
    auto length = lengths.find(type);
    auto known = length == lengths.end() ? constants.end() : constants.find(length->second);
    count *= known == constants.end() ? kArrayElements : known->second;
    count = std::min<uint64_t>(count, kMostElements);
    type = array->second;
    array = elements.find(type);
  }
  bool uniform = variable.storage == spv::StorageClass::Uniform && buffer_blocks.count(type) == 0;
  return jit::BindingLayout{
      .set = set == sets.end() ? 0 : set->second,
      .binding = binding->second,
      .kind = uniform ? jit::DescriptorKind::UniformBuffer : jit::DescriptorKind::StorageBuffer,
      .count = uint32_t(count),
      .offset = 0,
      .dynamic_index = -1};
}

Declarations declarationsOf(std::span<const uint32_t> words) {
  Declarations declarations;
  for (size_t at = kHeaderWords; at < words.size();) {
    size_t length = words[at] >> spv::WordCountShift;
    if (length == 0 || length > words.size() - at) break;
    declarations.read(spv::Op(words[at] & spv::OpCodeMask), words.subspan(at + 1, length - 1));
    at += length;
  }
  return declarations;
}

}  // namespace

ModuleInterface interfaceOf(std::span<const uint32_t> words) {
  Declarations declarations = declarationsOf(words);
  // Several variables may share a binding; the largest array counts.
  std::map<std::pair<uint32_t, uint32_t>, jit::BindingLayout> layouts;
  for (const auto& [id, variable] : declarations.variables) {
    auto layout = declarations.layoutOf(id, variable);
    if (!layout) continue;
    auto [place, fresh] = layouts.try_emplace({layout->set, layout->binding}, *layout);
    if (!fresh) place->second.count = std::max(place->second.count, layout->count);
  }
  ModuleInterface result{std::move(declarations.entry_points), {}};
  std::map<uint32_t, uint32_t> ends;  // of the sets' memory
  for (auto& [place, layout] : layouts) {
    uint32_t& end = ends[layout.set];
    layout.offset = end;
    end += (layout.count + 1) * uint32_t(sizeof(rt::BufferDescriptor));
    result.bindings.push_back(layout);
  }
  return result;
}

}  // namespace tools

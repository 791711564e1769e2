// SPDX-License-Identifier: Apache-2.0

#include "jit/shader_inputs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "jit/base/containment.h"
#include "jit/spirv/memory_layout.h"
#include "jit/spirv/module.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"

namespace jit {

namespace {

using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spirv::Type;
using spirv::TypeKind;

// A pointer into a descriptor's memory, or into push constants.
struct InputPointer {
  const spirv::Variable* variable = nullptr;
  std::optional<uint32_t> element;  // of an array of descriptors; none: not known
  // Of push constants:
  const Type* type = nullptr;  // what it points to
  uint64_t offset = 0;
  bool is_exact = true;  // else: somewhere inside
  std::string member;
};

bool isDescriptor(spv::StorageClass storage) {
  return storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform;
}

class InputReader {
 public:
  explicit InputReader(const Module& module) : module_(module) {}

  ShaderInputs read() {
    for (const spirv::Variable& variable : module_.variables) addVariable(variable);
    for (const spirv::Block& block : module_.entry.blocks) {
      for (const Instruction& instruction : block.instructions) read(instruction);
    }
    for (auto& [place, descriptor] : descriptors_) {
      std::ranges::sort(descriptor.elements);
      const auto rest = std::ranges::unique(descriptor.elements);
      descriptor.elements.erase(rest.begin(), rest.end());
      inputs_.descriptors.push_back(std::move(descriptor));
    }
    inputs_.uses_addresses = module_.has(spv::Capability::PhysicalStorageBufferAddresses);
    return std::move(inputs_);
  }

 private:
  void addVariable(const spirv::Variable& variable) {
    const bool is_push = variable.storage == spv::StorageClass::PushConstant;
    if (!is_push && !isDescriptor(variable.storage)) return;
    InputPointer pointer{.variable = &variable, .element = {}, .type = {}, .member = {}};
    pointer.type = variable.type->element;
    const bool is_array = pointer.type != nullptr && (pointer.type->kind == TypeKind::Array ||
                                                      pointer.type->kind == TypeKind::RuntimeArray);
    if (!is_push && !is_array) pointer.element = 0;
    pointers_.emplace(variable.id, pointer);
  }

  void read(const Instruction& instruction) {
    const spirv::PointsTo points_to = spirv::traitsOf(instruction.op).points_to;
    if (points_to != spirv::PointsTo::None) {
      auto base = pointers_.find(spirv::baseOf(instruction));
      if (base != pointers_.end() && instruction.result != 0) {
        InputPointer pointer = base->second;
        if (points_to == spirv::PointsTo::Part) {
          follow(instruction, pointer);
        } else if (points_to != spirv::PointsTo::Same) {
          pointer.is_exact = false;
        }
        pointers_.insert_or_assign(instruction.result, std::move(pointer));
        return;
      }
    }
    for (const Id id : spirv::valueOperands(instruction)) {
      auto used = pointers_.find(id);
      if (used != pointers_.end()) use(used->second);
    }
  }

  // The indices of an access chain.
  void follow(const Instruction& chain, InputPointer& pointer) const {
    const bool is_push = pointer.variable->storage == spv::StorageClass::PushConstant;
    const size_t first = spirv::traitsOf(chain.op).values.first + 1;
    for (size_t k = first; k < chain.operands.size() && pointer.is_exact; ++k) {
      const spirv::Constant* constant = module_.constant(chain.operands[k]);
      std::optional<uint32_t> index;
      if (constant != nullptr && constant->leaves.size() == 1 && !constant->undef)
        index = static_cast<uint32_t>(constant->leaves[0]);
      if (!is_push) {
        // The first index into an array of descriptors says which; what comes then is inside.
        const bool is_first = pointer.type == pointer.variable->type->element;
        if (is_first && !pointer.element) pointer.element = index;
        pointer.is_exact = false;
        return;
      }
      step(pointer, index);
    }
  }

  void step(InputPointer& pointer, std::optional<uint32_t> index) const {
    const Type* type = pointer.type;
    const bool is_inside =
        index && type != nullptr &&
        *index < (type->kind == TypeKind::Struct ? type->members.size() : size_t{type->count});
    if (!is_inside || type->kind == TypeKind::Matrix) {
      pointer.is_exact = false;
      return;
    }
    switch (type->kind) {
      case TypeKind::Struct:
        pointer.offset += spirv::memberOffset(type, *index, true);
        pointer.type = type->members[*index].type;
        // How a matrix lies is said where it is a member.
        if (type->members[*index].matrix_stride != 0) pointer.is_exact = false;
        return;
      case TypeKind::Array:
        pointer.offset += *index * spirv::elementStride(type, true);
        break;
      case TypeKind::Vector:
        pointer.offset += *index * type->element->naturalSize();
        break;
      default:
        pointer.is_exact = false;
        return;
    }
    pointer.type = type->element;
  }

  void use(const InputPointer& pointer) {
    if (isDescriptor(pointer.variable->storage)) return useDescriptor(pointer);
    const auto begin = static_cast<uint32_t>(pointer.offset);
    if (pointer.type == nullptr) return;
    const std::string name = module_.functionName(pointer.variable->id);
    if (!pointer.is_exact) {
      const auto size = static_cast<uint32_t>(spirv::explicitSize(pointer.type));
      inputs_.push_constants.push_back({begin, begin + size, true, name});
      return;
    }
    llvm::SmallVector<spirv::LeafLayout, 16> leaves;
    spirv::leafLayouts(pointer.type, pointer.offset, true, {}, 0, leaves);
    for (const spirv::LeafLayout& leaf : leaves) {
      const auto at = static_cast<uint32_t>(leaf.offset);
      inputs_.push_constants.push_back(
          {at, at + static_cast<uint32_t>(spirv::leafBytes(leaf.type)), false, name});
    }
  }

  void useDescriptor(const InputPointer& pointer) {
    const spirv::Decorations& decorations = module_.decorated(pointer.variable->id);
    const std::pair place(decorations.set.value_or(0), decorations.binding.value_or(0));
    ShaderInputs::Descriptor& descriptor = descriptors_[place];
    descriptor.set = place.first;
    descriptor.binding = place.second;
    if (descriptor.name.empty()) descriptor.name = nameOf(*pointer.variable);
    descriptor.is_stored |= mayStore(*pointer.variable);
    if (pointer.element) {
      descriptor.elements.push_back(*pointer.element);
    } else {
      descriptor.is_any = true;
    }
  }

  std::string nameOf(const spirv::Variable& variable) const {
    auto named = module_.names.find(variable.id);
    if (named != module_.names.end() && !named->second.empty()) return named->second;
    const Type* type = blockOf(variable);
    named = type != nullptr ? module_.names.find(type->id) : module_.names.end();
    return named != module_.names.end() ? named->second : "";
  }

  static const Type* blockOf(const spirv::Variable& variable) {
    const Type* type = variable.type->element;
    while (type != nullptr &&
           (type->kind == TypeKind::Array || type->kind == TypeKind::RuntimeArray))
      type = type->element;
    return type;
  }

  bool mayStore(const spirv::Variable& variable) const {
    if (module_.decorated(variable.id).non_writable) return false;
    const Type* block = blockOf(variable);
    if (block == nullptr || block->kind != TypeKind::Struct)
      return variable.storage == spv::StorageClass::StorageBuffer;
    const bool is_storage =
        variable.storage == spv::StorageClass::StorageBuffer || block->buffer_block;
    return is_storage && !(std::ranges::all_of(block->members, &spirv::Member::non_writable) &&
                           !block->members.empty());
  }

  const Module& module_;
  std::map<Id, InputPointer> pointers_;
  std::map<std::pair<uint32_t, uint32_t>, ShaderInputs::Descriptor> descriptors_;
  ShaderInputs inputs_;
};

}  // namespace

std::optional<ShaderInputs> inputsOf(const KernelRequest& request) {
  std::optional<ShaderInputs> inputs;
  llvm::Error error = runContained([&]() -> llvm::Error {
    auto module = spirv::readModule(request);
    if (!module) return module.takeError();
    inputs = InputReader(**module).read();
    return llvm::Error::success();
  });
  if (!error) return inputs;
  llvm::consumeError(std::move(error));
  return std::nullopt;
}

}  // namespace jit

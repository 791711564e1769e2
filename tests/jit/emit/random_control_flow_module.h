// SPDX-License-Identifier: Apache-2.0

// A SPIR-V module while a random program is written into it: ids, types, constants, and the
// resources that every program has.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace jit::test {

using Id = uint32_t;

// Types of the values in random programs. Record is a structure {uint, uvec2}.
enum class ValueType : uint8_t { Bool, Uint, Uvec2, Uvec3, Uvec4, Record };
inline constexpr uint32_t kValueTypes = 6;

// Components of a vector, 1 of a scalar.
uint32_t componentsOf(ValueType type);
ValueType vectorOf(uint32_t components);

// Storage buffers of set 0, by binding. All are runtime arrays of uint.
//   input    kInputWords, read only
//   output   kOutputSlots words of each invocation side by side, then the same again with word k
//            of all invocations side by side
//   flags    kFlags words of each workgroup: a program's n-th marked place writes word n
enum Buffer : uint32_t { kInput, kOutput, kFlagBuffer, kBuffers };
inline constexpr uint32_t kInputWords = 64;
inline constexpr uint32_t kOutputSlots = 8;
inline constexpr uint32_t kFlags = 128;
inline constexpr uint32_t kPushConstants = 4;

void append(std::vector<uint32_t>& words, spv::Op op, std::span<const uint32_t> operands);

class ModuleWriter {
 public:
  explicit ModuleWriter(std::array<uint32_t, 3> workgroup_size);

  Id newId() { return next_++; }

  Id type(ValueType type);
  Id voidType();
  Id arrayType(ValueType element, uint32_t length);
  Id pointerType(spv::StorageClass storage, Id pointee);
  Id functionType(Id result, std::vector<Id> parameters);
  Id uintConstant(uint32_t value);
  Id boolConstant(bool value);
  // Of `parts`, constants; `type` an id.
  Id compositeConstant(Id type, std::vector<Id> parts);
  // A module-level variable.
  Id variable(spv::StorageClass storage, Id pointee, Id initializer);
  Id builtin(spv::BuiltIn builtin, ValueType type);

  Id buffer(Buffer which) const { return buffers_[which]; }
  Id pushConstants() const { return push_constants_; }
  // An array of a uint for each invocation of the workgroup.
  Id shared();
  // A type of matrices of Workgroup scope: where there is one, the workgroup is one instruction
  // stream.
  Id workgroupMatrix();
  // As modules with matrices have. It must be known before functions are written.
  bool hasVulkanMemoryModel() const { return workgroup_matrix_ != 0; }

  uint32_t invocations() const { return size_[0] * size_[1] * size_[2]; }
  const std::array<uint32_t, 3>& workgroupSize() const { return size_; }

  void addFunction(std::span<const uint32_t> words);
  // The whole module, with `main` as its entry point.
  std::vector<uint32_t> finish(Id main);

 private:
  // The declaration with these words: the one there is, or a new one.
  Id declare(spv::Op op, std::vector<uint32_t> before, std::vector<uint32_t> after);
  void decorate(Id id, spv::Decoration decoration, std::vector<uint32_t> operands);
  Id bufferBlock(Id element_array);

  const std::array<uint32_t, 3> size_;
  Id next_ = 1;
  std::map<std::vector<uint32_t>, Id> declared_;
  std::map<spv::BuiltIn, Id> builtins_;
  std::vector<uint32_t> annotations_, declarations_, functions_;
  std::array<Id, kBuffers> buffers_{};
  Id push_constants_ = 0;
  Id shared_ = 0;
  Id workgroup_matrix_ = 0;
};

}  // namespace jit::test

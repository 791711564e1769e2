// SPDX-License-Identifier: Apache-2.0

// Decorations of ids and of structure members, groups resolved.
// Source: SPIR-V Specification, 3.20 "Decoration", 3.52.3 "Annotation Instructions".
#pragma once

#include <llvm/Support/Error.h>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "jit/spirv/binary.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

// Layout decorations belong to types and members; the others go to Module::decorations.
class Annotations {
 public:
  // Collects from all annotation instructions of the module.
  static llvm::Expected<Annotations> read(const Binary& binary, Module& module);

  uint32_t arrayStride(Id type) const;  // 0: none
  bool isBlock(Id type) const { return blocks_.contains(type); }
  bool isBufferBlock(Id type) const { return buffer_blocks_.contains(type); }
  // Decorations of a member; the type is left null.
  Member member(Id structure, uint32_t index) const;

 private:
  struct Decoration {
    spv::Decoration kind;
    std::span<const uint32_t> arguments;
  };
  void apply(Module& module, Id target, const Decoration& decoration);
  void applyToMember(Id structure, uint32_t index, const Decoration& decoration);

  std::unordered_map<Id, uint32_t> array_strides_;
  std::unordered_set<Id> blocks_, buffer_blocks_;
  std::unordered_map<uint64_t, Member> members_;  // by structure << 32 | index
};

}  // namespace jit::spirv

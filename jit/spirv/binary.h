// SPDX-License-Identifier: Apache-2.0

// The words of a module cut into instructions, with what every later step needs to know about
// each word: whether it is an id, and which instruction defines an id. Syntax only.
// Source: SPIR-V Specification, 2.3 "Physical Layout of a SPIR-V Module and Instruction".
#pragma once

#include <llvm/Support/Error.h>
#include <spirv/unified1/spirv.hpp11>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jit/spirv/module.h"

namespace jit::spirv {

// An instruction as it stands in the module. Spans point into the words that were parsed.
struct RawInstruction {
  spv::Op op = spv::Op::OpNop;
  uint32_t word = 0;  // position of its first word
  Id type = 0;        // result type, 0 without one
  Id result = 0;
  std::span<const uint32_t> operands;  // after result type and result id
};

class Binary {
 public:
  // Cuts `words`, which must outlive the result. Malformed when the syntax is wrong: magic number,
  // byte order, instruction lengths, operand counts, ids outside the bound or defined twice.
  static llvm::Expected<Binary> parse(std::span<const uint32_t> words);

  uint32_t version() const { return words_[1]; }
  uint32_t bound() const { return words_[3]; }
  std::span<const RawInstruction> instructions() const { return instructions_; }
  // Index in instructions() of the definition of `id`; kUndefined when there is none.
  uint32_t definitionIndex(Id id) const {
    return id < definitions_.size() ? definitions_[id] : kUndefined;
  }
  const RawInstruction* definition(Id id) const {
    uint32_t index = definitionIndex(id);
    return index == kUndefined ? nullptr : &instructions_[index];
  }
  // Whether a word, given by its address, is an id. Words that are not the module's belong to
  // instructions made while reading, whose operands are ids all.
  bool isId(const uint32_t* word) const {
    const std::less<> before;
    const bool of_module =
        !before(word, words_.data()) && before(word, words_.data() + words_.size());
    return !of_module || is_id_[static_cast<size_t>(word - words_.data())];
  }

  static constexpr uint32_t kUndefined = ~0u;

 private:
  friend class BinaryBuilder;
  Binary() = default;

  std::span<const uint32_t> words_;
  std::vector<RawInstruction> instructions_;
  std::vector<uint32_t> definitions_;  // by id
  std::vector<bool> is_id_;            // by word
};

// Runs the SPIR-V validator for the Vulkan version that the driver reports. Malformed with the
// validator's message.
llvm::Error validate(std::span<const uint32_t> words);

// The nul-terminated string that starts at operand `first`; stops at the last operand.
std::string literalString(std::span<const uint32_t> operands, size_t first);

}  // namespace jit::spirv

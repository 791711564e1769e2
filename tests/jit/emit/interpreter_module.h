// SPDX-License-Identifier: Apache-2.0

// SPIR-V as the interpreter of the tests reads it: words in, functions of blocks out. Knows the
// instructions that random programs use and no others, and shares nothing with jit/.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace jit::test {

// A module outside of the subset, or one that does what no valid program may do.
struct InterpreterError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ParsedType {
  spv::Op op;
  uint32_t element = 0;           // Vector, Array, RuntimeArray, Pointer: type id
  uint32_t count = 0;             // Vector, Array
  std::vector<uint32_t> members;  // Struct: type ids
  // Words of a value, one for each scalar: memory is made of these. Runtime arrays have none.
  uint32_t words = 0;
};

struct ParsedInstruction {
  spv::Op op;
  uint32_t type = 0;
  uint32_t result = 0;
  std::vector<uint32_t> operands;
};

struct ParsedFunction {
  std::vector<uint32_t> parameters;
  std::vector<ParsedInstruction> code;          // all blocks, one after the other
  std::unordered_map<uint32_t, size_t> labels;  // label -> place of its first instruction
  std::unordered_map<size_t, uint32_t> loops;   // place of a header -> label of its merge block
  uint32_t entry = 0;                           // label
};

struct ParsedVariable {
  uint32_t id, pointee;  // pointee: type id
  spv::StorageClass storage;
  uint32_t initializer = 0;
};

struct ParsedModule {
  // Throws InterpreterError.
  explicit ParsedModule(std::span<const uint32_t> words);

  const ParsedType& type(uint32_t id) const;

  std::unordered_map<uint32_t, ParsedType> types;
  std::unordered_map<uint32_t, std::vector<uint32_t>> constants;  // words of the value
  std::unordered_map<uint32_t, uint32_t> value_types;             // of everything with a type
  std::unordered_map<uint32_t, spv::BuiltIn> builtins;            // by variable
  std::unordered_map<uint32_t, uint32_t> bindings;                // by variable
  std::vector<ParsedVariable> variables;                          // of the module
  std::unordered_map<uint32_t, ParsedFunction> functions;
  uint32_t entry = 0;  // function
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};

 private:
  void parse(const ParsedInstruction& instruction);
  ParsedFunction* current_ = nullptr;
  size_t block_ = 0;  // place of the current block's first instruction
};

}  // namespace jit::test

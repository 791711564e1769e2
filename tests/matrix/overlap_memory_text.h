// SPDX-License-Identifier: Apache-2.0

// SPIR-V text of what a program about memory reaches, and instructions of its function.
#pragma once

#include <set>
#include <string>

#include "tests/matrix/module_text.h"
#include "tests/matrix/overlap_program.h"
#include "tests/matrix/overlap_writer.h"

namespace matrices::overlaps {

class MemoryText {
 protected:
  explicit MemoryText(const Program& program) : program_(program) {}

  std::string fresh(const std::string& hint) { return "%" + hint + std::to_string(next_++); }
  void line(const std::string& text) { body_ += text + "\n"; }
  std::string emit(const std::string& text) {
    std::string id = fresh("t");
    line(id + " = " + text);
    return id;
  }
  void label(const std::string& name) {
    line(name + " = OpLabel");
    block_label_ = name;
  }
  std::string u32() { return module_.scalar(ElementType::U32); }
  std::string boolean() { return module_.declared("bool", "OpTypeBool"); }
  std::string constant(uint32_t value) { return module_.number(value); }
  std::string plus(const std::string& a, const std::string& b) {
    return emit("OpIAdd " + u32() + " " + a + " " + b);
  }
  std::string times(const std::string& a, uint32_t b) {
    return emit("OpIMul " + u32() + " " + a + " " + constant(b));
  }

  std::string number(uint32_t value, Source source);
  std::string fromMemory(const std::string& index);
  // A structure with an array, of `count` elements or as many as there are.
  std::string block(const std::string& name, const Unit& unit, uint32_t count);
  void declareMemory();
  std::string address();
  // A pointer to the unit with this number; `variable` instead of the path's.
  std::string pointer(Path path, const std::string& unit_number, const std::string& variable = "");
  static std::string access(Path path, uint32_t alignment, bool is_volatile = false);
  // A pointer to a word with its access operands; addresses need not lead to words.
  struct Word {
    std::string pointer, operands;
  };
  Word word(Path path, const std::string& byte_offset);
  // An array with a layout.
  std::string runOfWords(uint32_t words);
  // Anywhere in the buffer, as a pointer to `type`.
  std::string addressOf(const std::string& type, const std::string& byte_offset);
  // What is added to offsets of buffers.
  std::string partOffset(Path path, const std::string& offset);

  const Program& program_;
  ModuleText module_;
  ProgramText result_;
  std::set<std::string> runs_;  // declared types
  std::string body_, block_label_, workgroup_;
  uint32_t next_ = 0;
};

}  // namespace matrices::overlaps

// SPDX-License-Identifier: Apache-2.0

// Writes the statements of a program as instructions; program_text.h is its door.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/matrix/module_text.h"
#include "tests/matrix/program_text.h"

namespace matrices {

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program), names_(program.values.size()) {}
  ProgramText write();

 private:
  // writer.cpp: numbers, labels, control flow.
  std::string emit(const std::string& text);  // an instruction with a result, whose id it returns
  void line(const std::string& text) { body_ += text + "\n"; }
  void label(const std::string& name);
  void branchTo(const std::string& name) { line("OpBranch " + name); }
  std::string fresh(const std::string& hint) { return "%" + hint + std::to_string(next_++); }
  std::string number(uint32_t value, Source source);
  std::string scalar(ElementType type, uint64_t bits, Source source);
  std::string fromMemory(uint32_t value);
  std::string condition(const Condition& condition);
  std::string functionVariable(const std::string& type);
  // for (i = first; i < end; i += step): `body` gets i.
  void forEach(const std::string& first, const std::string& end, const std::string& step,
               const std::function<void(const std::string&)>& body);
  void onlyIf(const std::string& condition, const std::function<void()>& body);
  std::string u32() { return module_.scalar(ElementType::U32); }
  std::string boolean() { return module_.declared("bool", "OpTypeBool"); }
  std::string matrix(ValueId id) { return module_.matrix(type(id), program_.specialized_types); }
  const MatrixType& type(ValueId id) const { return program_.values[id]; }
  void set(ValueId id, const std::string& name) { names_[id] = name; }
  const std::string& value(ValueId id) const { return names_[id]; }
  std::string length(ValueId id);
  void write(const Block& block);

  void write(const Branch& s);
  void write(const Loop& s);
  void write(const Barrier& s);

  // writer_values.cpp
  void write(const Splat& s);
  void write(const Undefined& s);
  void write(const Binary& s);
  void write(const Negate& s);
  void write(const Scale& s);
  void write(const Convert& s);
  void write(const Bitcast& s);
  void write(const MulAdd& s);
  void write(const Pass& s);
  void write(const ReplaceNegative& s);
  std::string passThrough(const Pass& s);
  std::string callOf(const Pass& s, bool pointer);

  // writer_functions.cpp; instructions go to `text`
  // bf16 and the 8-bit floats have no comparisons.
  std::string asComparable(ElementType type, const std::string& x, std::string& text);
  std::string chosenElement(const EachElement& s, const std::string& row, const std::string& column,
                            const std::string& x, const std::string& other,
                            const std::string& number, std::string& text);
  void write(const EachElement& s);
  void write(const Reduction& s);

  // writer_memory.cpp
  void declareRegions();
  // Whether a region is an array in a structure with a layout, or just the array.
  bool hasLayout(const Region& region) const;
  void requireStorage(const Region& region);
  std::string pointerType(const Region& region);
  // To the unit with this index; `type` unless it is the usual pointer.
  std::string regionPointer(uint32_t region, const std::string& unit, std::string type = "");
  std::string pointer(const Place& place);
  std::string accessOperands(const Region& region, uint32_t alignment, bool is_volatile);
  // The operands of a load or store from the layout on.
  std::string layout(const Place& place);
  void store(const std::string& matrix, const Place& place);
  void write(const Load& s);
  void write(const Store& s);
  void write(const Stage& s);
  void write(const Holders& s);

  const Program& program_;
  ModuleText module_;
  ProgramText result_;
  std::vector<std::string> names_;            // of values
  std::vector<std::string> counters_;         // of the loops around
  std::string variables_, body_, functions_;  // of main; and other functions
  std::string block_label_;                   // of the block that is being written
  std::string subgroup_, lane_, workgroup_, local_index_;
  uint32_t next_ = 0;
};

}  // namespace matrices

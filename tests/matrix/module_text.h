// SPDX-License-Identifier: Apache-2.0

// The parts of a SPIR-V module as text: declarations are made when they are first asked for.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/matrix/program.h"
#include "tests/support/vulkan_host.h"

namespace matrices {

class ModuleText {
 public:
  // Each returns an id.
  std::string scalar(ElementType type);
  std::string vector(ElementType type, uint32_t width);  // width 1: the scalar
  std::string matrix(const MatrixType& type, bool specialized);
  std::string pointer(const std::string& storage, const std::string& pointee);
  std::string untypedPointer(const std::string& storage);
  std::string structure(const std::vector<std::string>& members);
  std::string array(const std::string& element, uint32_t length);
  std::string function(const std::string& result, const std::vector<std::string>& parameters);
  std::string constant(ElementType type, uint64_t bits);
  std::string number(uint32_t value) { return constant(ElementType::U32, value); }
  std::string null(const std::string& type);
  std::string undefined(const std::string& type);
  std::string composite(const std::string& type, const std::string& constituent);
  // The pipeline supplies `bits`; the default is 1.
  std::string specialization(ElementType type, uint64_t bits);
  // Of this text; `hint` is its name when it is new.
  std::string declared(const std::string& hint, const std::string& text);
  // A declaration of its own: `id = text`.
  std::string declare(const std::string& id, const std::string& text);
  // A global variable.
  std::string variable(const std::string& id, const std::string& storage, const std::string& type);
  std::string untypedVariable(const std::string& id, const std::string& storage,
                              const std::string& type);

  void capability(const std::string& name) { capabilities_.insert(name); }
  void extension(const std::string& name) { extensions_.insert(name); }
  // Of main: its name and operands.
  void executionMode(const std::string& text) {
    execution_modes_ += "OpExecutionMode %main " + text + "\n";
  }
  void decorate(const std::string& text) { decorations_ += "OpDecorate " + text + "\n"; }
  void decorateMember(const std::string& text) {
    decorations_ += "OpMemberDecorate " + text + "\n";
  }

  const std::vector<host::SpecializationEntry>& specializations() const { return specializations_; }
  std::string assemble(const std::string& memory_model, const std::string& functions) const;

 private:
  std::set<std::string> capabilities_, extensions_;
  std::string execution_modes_, decorations_, declarations_, interface_;
  std::map<std::string, std::string> ids_;  // by the text
  std::vector<host::SpecializationEntry> specializations_;
};

const char* useName(Use use);

}  // namespace matrices

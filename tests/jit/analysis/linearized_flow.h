// SPDX-License-Identifier: Apache-2.0

// Control flow as text, linearized: what the tests of linearization look at.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "jit/analysis/linearization.h"
#include "tests/jit/spirv/assembled_module.h"

namespace jit::simt {

// Nodes are named by the labels of the text; the latch of a loop is "<header>'".
class LinearizedFlow {
 public:
  LinearizedFlow(const std::string& functions, std::set<std::string> varying) {
    module_ = spirv::readGood(
        spirv::shader("%true = OpConstantTrue %bool\n", functions, labelNames(functions)));
    if (!module_) throw std::runtime_error("no module");
    auto structure = spirv::buildStructure(module_->entry);
    if (!structure) throw std::runtime_error(llvm::toString(structure.takeError()));
    linearization_ = std::make_unique<Linearization>(module_->entry, *structure);
    linearization_->solve([&](uint32_t node) {
      const Node& n = linearization_->nodes()[node];
      return !n.latch && n.successors.size() > 1 && varying.contains(name(node));
    });
  }

  const Linearization& operator*() const { return *linearization_; }

  std::string name(uint32_t node) const {
    if (node == kNoNode) return "end";
    const Node& n = linearization_->nodes()[node];
    return module_->names[module_->entry.blocks[n.block].label] + (n.latch ? "'" : "");
  }
  uint32_t place(const std::string& wanted) const {
    for (uint32_t n = 0; n < linearization_->nodes().size(); ++n)
      if (name(n) == wanted) return n;
    ADD_FAILURE() << "no node " << wanted;
    return 0;
  }
  const Node& node(const std::string& wanted) const {
    return linearization_->nodes()[place(wanted)];
  }

  std::string order() const {
    std::string text;
    for (uint32_t n = 0; n < linearization_->nodes().size(); ++n)
      text += (n == 0 ? "" : " ") + name(n);
    return text;
  }
  // "Arrival class", and for those that may find nobody where the stream then goes on.
  std::string at(const std::string& wanted) const {
    static constexpr const char* kArrivals[] = {"Direct", "Rejoin", "Accumulate"};
    const Node& n = node(wanted);
    return std::string(kArrivals[static_cast<int>(n.arrival)]) + " " + name(n.mask_class) +
           (n.check ? ", else " + name(n.skip) : "") + (n.dynamic_header ? ", dynamic" : "");
  }
  // Nodes where invocations are put together, in order.
  std::string gathering() const {
    std::string text;
    for (uint32_t n = 0; n < linearization_->nodes().size(); ++n)
      if (linearization_->gathers(n)) text += (text.empty() ? "" : " ") + name(n);
    return text;
  }
  std::string next(const std::string& wanted) const { return name(node(wanted).next); }

 private:
  static std::string labelNames(const std::string& code) {
    std::string names;
    for (size_t end = code.find(" = OpLabel"); end != std::string::npos;
         end = code.find(" = OpLabel", end + 1)) {
      const size_t begin = code.rfind('%', end);
      const std::string label = code.substr(begin + 1, end - begin - 1);
      names += "OpName %" + label + " \"" + label + "\"\n";
    }
    return names;
  }

  std::unique_ptr<spirv::Module> module_;
  std::unique_ptr<Linearization> linearization_;
};

}  // namespace jit::simt

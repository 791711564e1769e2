// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/describe_uniformity.h"

namespace jit::simt {
namespace {

const char* nameOf(Uniformity level) {
  switch (level) {
    case Uniformity::Workgroup:
      return "workgroup";
    case Uniformity::Subgroup:
      return "subgroup";
    case Uniformity::Varying:
      break;
  }
  return "varying";
}

const char* nameOf(Arrival arrival) {
  switch (arrival) {
    case Arrival::Direct:
      return "branched to by all";
    case Arrival::Rejoin:
      return "all together again";
    case Arrival::Accumulate:
      break;
  }
  return "those who came";
}

class Describer {
 public:
  Describer(const spirv::Module& module, const Linearization& linearization,
            const UniformityAnalysis& uniformity)
      : module_(module), linearization_(linearization), uniformity_(uniformity) {}

  std::string describe() {
    const auto& nodes = linearization_.nodes();
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      describeNode(n);
      if (nodes[n].latch) continue;
      const spirv::Block& block = module_.entry.blocks[nodes[n].block];
      for (const spirv::Instruction& i : block.instructions)
        if (i.result != 0) describeValue(i);
      if (nodes[n].successors.size() > 1)
        text_ += std::string("  the branch is ") +
                 (uniformity_.branchVaries(n) ? "divergent\n" : "uniform\n");
    }
    for (const auto& v : module_.variables) describeVariable(v);
    for (const auto& v : module_.entry.variables) describeVariable(v);
    return std::move(text_);
  }

 private:
  std::string label(uint32_t node) const {
    const Node& n = linearization_.nodes()[node];
    return (n.latch ? "back edge to " : "") + module_.describe(module_.entry.blocks[n.block].label);
  }

  void describeNode(uint32_t n) {
    const Node& node = linearization_.nodes()[n];
    text_ += label(n) + ": " + nameOf(node.arrival);
    text_ += node.mask_class == 0   ? ", the whole subgroup"
             : node.mask_class == n ? ", a mask of its own"
                                    : ", the invocations of " + label(node.mask_class);
    if (node.dynamic_header) text_ += ", a loop that invocations leave at different times";
    text_ += "\n";
  }

  void describeValue(const spirv::Instruction& i) {
    text_ += std::string("  ") + nameOf(uniformity_.whole(i.result)) + " " + module_.describe(i);
    if (uniformity_.escapesLoop(i.result)) text_ += ", used outside of its divergent loop";
    text_ += "\n";
  }

  void describeVariable(const spirv::Variable& v) {
    if (uniformity_.root(v.id) != v.id) return;
    text_ +=
        "variable " + module_.describe(v.id) + ": " + nameOf(uniformity_.variable(v.id)) + "\n";
  }

  const spirv::Module& module_;
  const Linearization& linearization_;
  const UniformityAnalysis& uniformity_;
  std::string text_;
};

}  // namespace

std::string describeUniformity(const spirv::Module& module, const Linearization& linearization,
                               const UniformityAnalysis& uniformity) {
  return Describer(module, linearization, uniformity).describe();
}

}  // namespace jit::simt

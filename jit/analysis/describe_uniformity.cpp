// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/describe_uniformity.h"

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

// "by lane 1 2 4 8 16, a multiple of 32": what each bit of the lane's number adds.
std::string describeShape(const LaneShape& shape, unsigned bits) {
  std::string text;
  for (unsigned b = 0; b < bits; ++b)
    text += (shape.any >> b & 1) != 0 ? " any"
            : (shape.runtime >> b & 1) != 0
                ? " uniform"
                : " " + std::to_string(static_cast<int64_t>(shape.weights[b]));
  if (shape.known != 0) {
    text +=
        shape.residue == 0 ? ", a multiple of " : ", " + std::to_string(shape.residue) + " modulo ";
    text += "2^" + std::to_string(shape.known);
  }
  if (!shape.exact()) text += ", known modulo 2^" + std::to_string(shape.modulus);
  return text;
}

class Describer {
 public:
  Describer(const spirv::Module& module, const Linearization& linearization,
            const UniformityAnalysis& uniformity, llvm::ArrayRef<SubgroupRegion> regions)
      : module_(module),
        linearization_(linearization),
        uniformity_(uniformity),
        regions_(regions) {}

  std::string describe() {
    const auto& nodes = linearization_.nodes();
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      describeNode(n);
      if (nodes[n].latch) continue;
      const spirv::Block& block = module_.entry.blocks[nodes[n].block];
      for (size_t k = 0; k < block.instructions.size(); ++k) {
        describeBoundaries(n, k);
        if (block.instructions[k].result != 0) describeValue(block.instructions[k]);
      }
      describeBoundaries(n, block.instructions.size());
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
    if (uniformity_.hasShapes(i) && uniformity_.whole(i.result) == Uniformity::Varying) {
      const uint32_t components = i.type->kind == spirv::TypeKind::Vector ? i.type->count : 1;
      for (uint32_t c = 0; c < components; ++c)
        text_ += (c == 0 ? ", by lane" : ";") +
                 describeShape(uniformity_.shape(i.result, c), uniformity_.laneBits());
    }
    if (uniformity_.escapesLoop(i.result)) text_ += ", used outside of its divergent loop";
    text_ += "\n";
  }

  void describeBoundaries(uint32_t node, size_t index) {
    if (is_inside_ && regions_.front().last == node && regions_.front().end == index) {
      text_ += "  -- end of the region\n";
      regions_ = regions_.drop_front();
      is_inside_ = false;
    }
    if (!is_inside_ && !regions_.empty() && regions_.front().first == node &&
        regions_.front().begin == index) {
      text_ += "  -- for each subgroup:\n";
      is_inside_ = true;
    }
  }

  void describeVariable(const spirv::Variable& v) {
    if (uniformity_.root(v.id) != v.id) return;
    text_ +=
        "variable " + module_.describe(v.id) + ": " + nameOf(uniformity_.variable(v.id)) + "\n";
  }

  const spirv::Module& module_;
  const Linearization& linearization_;
  const UniformityAnalysis& uniformity_;
  llvm::ArrayRef<SubgroupRegion> regions_;  // from the current one on
  bool is_inside_ = false;                  // of the first of them
  std::string text_;
};

}  // namespace

std::string describeUniformity(const spirv::Module& module, const Linearization& linearization,
                               const UniformityAnalysis& uniformity,
                               llvm::ArrayRef<SubgroupRegion> regions) {
  return Describer(module, linearization, uniformity, regions).describe();
}

}  // namespace jit::simt

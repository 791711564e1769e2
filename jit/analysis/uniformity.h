// SPDX-License-Identifier: Apache-2.0

// Which values are the same for all live invocations: decided before emission, in three levels.
//
// Control flow and values depend on each other (a branch on a varying value makes what it
// controls vary), so both are solved together, from "everything is uniform" upwards to the
// least fixed point.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "jit/analysis/lane_shape.h"
#include "jit/analysis/linearization.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/module.h"

namespace jit::simt {

// Ordered: each allows more than the one before.
enum class Uniformity : uint8_t {
  Workgroup,  // the same for all invocations of the workgroup
  Subgroup,   // the same for all live invocations of an instruction stream, which is a subgroup, or
              // the whole workgroup where its stream is wide
  Varying,
};

// What of a workgroup's shape decides how values vary.
struct WorkgroupShape {
  std::array<uint32_t, 3> size;
  uint32_t subgroup_size;
  uint32_t stream_size = subgroup_size;  // if workgroup-wide: all subgroups' invocations
  // Component c of a matrix that n invocations hold is, in the t-th of them, element c * n + t
  // (coopmat::Mapping::Native).
  bool counts_components = false;

  bool hasWideStream() const { return stream_size > subgroup_size; }
};

class UniformityAnalysis {
 public:
  // Solves `linearization`, too.
  UniformityAnalysis(const spirv::Module& module, const WorkgroupShape& shape,
                     Linearization& linearization);

  // Level of a value where it is defined. Vectors of up to four components have one level a
  // component; other composites the same for all.
  Uniformity of(spirv::Id id, uint32_t component = 0) const;
  // Join over the components.
  Uniformity whole(spirv::Id id) const;
  // Level of a value used in `node`: a value that is uniform inside a loop which invocations
  // leave at different times varies outside of it.
  Uniformity at(spirv::Id id, uint32_t node) const;
  // Level of the contents of a Function or Private variable.
  Uniformity variable(spirv::Id id) const;
  // Whether the terminator of `node` can send live invocations to different blocks.
  bool branchVaries(uint32_t node) const;
  // Whether all of the workgroup come to `node`, every time that any invocation does.
  bool isWorkgroups(uint32_t node) const { return workgroup_flow_.nodes()[node].mask_class == 0; }
  // Whether `id` is defined in a dynamic loop and used outside of it.
  bool escapesLoop(spirv::Id id) const;
  // How a component of an integer or truth value moves from lane to lane, where it is defined. It
  // is uniform where the level says so, and may be so where there is no shape (width 0).
  LaneShape shape(spirv::Id id, uint32_t component = 0) const;
  // Of the numbers of a stream's lanes.
  unsigned laneBits() const;
  // Whether shapes are kept of an instruction's result.
  bool hasShapes(const spirv::Instruction& instruction) const;
  // Whether anything uses the value.
  bool isUsed(spirv::Id id) const { return uses_.count(id) != 0; }
  // The Function or Private variable that a pointer leads to; 0 for any other memory.
  spirv::Id root(spirv::Id pointer) const;
  // Node that defines `id`; kNoNode for constants, variables and other ids without one.
  uint32_t definition(spirv::Id id) const;

 private:
  using Levels = std::array<Uniformity, 4>;
  struct Access {     // of a Function or Private variable
    spirv::Id value;  // stored; 0 for a load or a store of unknown value
    spirv::Id pointer;
    uint32_t node;
    bool store;
  };
  // Control flow as the invocations of a stream go through it, and those of a workgroup: what is
  // still shared where they are divided.
  struct Flow {
    const Linearization& linearization;
    Uniformity divided;
  };
  std::array<Flow, 2> flows() const {
    return {{{linearization_, Uniformity::Varying}, {workgroup_flow_, Uniformity::Subgroup}}};
  }
  void collect();
  bool visit(const spirv::Instruction& instruction, uint32_t node);
  bool visitPhi(const spirv::Instruction& instruction, uint32_t node);
  bool takesFromLoop(const spirv::Instruction& phi, uint32_t node, const Linearization& flow) const;
  bool raise(const spirv::Instruction& instruction, uint32_t node, Levels levels);
  bool raiseVariable(spirv::Id id, Uniformity level);
  bool visitStore(const spirv::Instruction& store, uint32_t node);
  bool updateVariables();
  bool sharedByItsReaders(spirv::Id variable, const Linearization& flow) const;
  bool storedBeforeLoads(spirv::Id variable, uint32_t mask_class, const Linearization& flow) const;
  bool leavesDynamicLoop(spirv::Id id, uint32_t node, const Linearization& flow) const;
  Uniformity branchLevel(uint32_t node) const;
  Levels levels(spirv::Id id, uint32_t node) const;
  Levels builtinLevels(spv::BuiltIn builtin) const;
  Levels loadLevels(const spirv::Instruction& load, uint32_t node) const;
  Levels chainLevels(const spirv::Instruction& chain, uint32_t node) const;
  Levels groupLevels(const spirv::Instruction& instruction, const spirv::GroupInstruction& group,
                     uint32_t node) const;

  // Shapes (uniformity_shapes.cpp).
  uint16_t allBits() const;
  const spirv::Type* typeOf(spirv::Id id) const;
  LaneShape shapeAt(spirv::Id id, uint32_t component, uint32_t node) const;
  uint16_t dependence(spirv::Id id, uint32_t component, uint32_t node) const;
  uint16_t dependence(spirv::Id id, uint32_t node) const;
  LaneShape invocationShape() const;
  LaneShape builtinShape(spv::BuiltIn builtin, uint32_t component) const;
  LaneShape matrixNumberShape(const spirv::Instruction& i, uint32_t node) const;
  LaneShape loadShape(const spirv::Instruction& load, uint32_t component, uint32_t node) const;
  LaneShape binaryShape(const spirv::Instruction& i, uint32_t component, uint32_t node,
                        unsigned width) const;
  LaneShape phiShape(const spirv::Instruction& phi, uint32_t component, uint32_t node) const;
  LaneShape shapeOf(const spirv::Instruction& i, uint32_t component, uint32_t node) const;
  bool comparisonAgrees(const spirv::Instruction& i, uint32_t component, uint32_t node) const;
  spirv::Id origin(spirv::Id id) const;
  struct Multiple {
    uint64_t factor, most;
  };
  std::optional<Multiple> multipleOf(spirv::Id id, spirv::Id value, uint32_t node,
                                     unsigned depth) const;
  struct Counter {
    uint64_t first, step;  // the most that it begins with, and what it goes up by
  };
  std::optional<uint64_t> mostOfLimit(spirv::Id id, bool is_signed, uint32_t node) const;
  std::optional<uint64_t> boundFrom(spirv::Id condition, bool holds, spirv::Id value,
                                    const Counter& counter, uint32_t node, unsigned depth) const;
  std::optional<uint64_t> inductionBound(const spirv::Instruction& phi, uint32_t component,
                                         uint32_t node) const;
  bool raiseShapes(const spirv::Instruction& i, uint32_t node, Levels& raised);
  bool raiseShape(spirv::Id id, uint32_t component, unsigned components, const LaneShape& shape);

  const spirv::Module& module_;
  WorkgroupShape shape_;
  const bool keeps_shapes_;  // of streams with more lanes than shapes have bits for there are none
  bool uniform_is_written_;  // storage buffers in the Uniform storage class (BufferBlock)
  Linearization& linearization_;
  Linearization workgroup_flow_;  // as if the whole workgroup were one stream
  std::unordered_map<spirv::Id, Levels> levels_;
  std::unordered_map<spirv::Id, llvm::SmallVector<LaneShape, 1>> shapes_;
  std::unordered_map<spirv::Id, const spirv::Instruction*> instructions_;
  std::unordered_map<spirv::Id, Uniformity> variables_;
  std::unordered_map<spirv::Id, std::vector<Access>> accesses_;
  std::unordered_map<spirv::Id, spirv::Id> roots_;
  std::unordered_map<spirv::Id, uint32_t> definitions_;
  std::unordered_map<spirv::Id, std::vector<uint32_t>> uses_;
  std::unordered_map<spirv::Id, const spirv::Type*> types_;
};

}  // namespace jit::simt

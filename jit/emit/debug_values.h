// SPDX-License-Identifier: Apache-2.0

// What kernels for debuggers (TESSERA_DEBUG) keep in memory: the values of variables for each
// invocation, and who is live (debug_frame.h). Debug information says of each variable where that
// is: from the stream's frame, whose address is kept on the kernel's stack, and from the lane that
// is being looked at. Internal to jit/emit.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <unordered_map>
#include <vector>

#include "jit/analysis/lane_shape.h"

#include "jit/emit/debug_locations.h"
#include "jit/emit/debug_types.h"

namespace jit::spirv {

class Emission;

// Memory that holds a variable as it is used, not what was said of it.
struct DebugMemory {
  uint64_t offset;  // in the frame, or in the workgroup's memory
  uint32_t lanes;   // side by side; 1: the stream shares the variable
};

using simt::LaneWeights;

// Of one emission.
struct DebugState {
  DebugLocations locations;
  std::optional<DebugTypes> types;
  bool is_on = false;
  uint32_t lanes = 0;                        // of the stream
  llvm::AllocaInst* frame = nullptr;         // the address of the stream's frame
  llvm::AllocaInst* streams = nullptr;       // a DebugStream for each; null: all have one frame
  llvm::DenseMap<uint32_t, uint64_t> slots;  // of DebugInfo::variables: offset in the frame
  // Those of which one lane's value says what all lanes have, wherever they are said: how, of each
  // scalar.
  std::unordered_map<uint32_t, std::vector<LaneWeights>> shared;
  // Those that only ever the same invocations have.
  llvm::DenseSet<uint32_t> of_same_lanes;
  llvm::DenseSet<const Instruction*> unseen;   // values that need no store
  std::unordered_map<Id, DebugMemory> memory;  // by variable
  // The last place that has a marker, and the block that it is in.
  llvm::DILocation* place = nullptr;
  llvm::BasicBlock* block = nullptr;
};

// Where the scalars of a variable's value lie: all lanes have one side by side, and `offset` counts
// the bytes of one lane.
llvm::SmallVector<LeafLayout, 16> debugLeaves(const Type* type);

class DebugValues {
 public:
  explicit DebugValues(Emission& e);

  // The frame's header, before anything else is in the frame.
  void begin();
  // The stream runs, from here on.
  void enterFrame();
  // The stream waits at the current instruction.
  void wait();
  // The current mask's invocations are live, in code that this node begins.
  void enterNode();
  void enterNode(uint32_t node);
  // The instruction that was emitted may have written to memory that debuggers look at: before what
  // follows it, it has.
  void followed(const Instruction& i);
  // What is emitted from here on is of another place, perhaps: a marker for debuggers to stop at,
  // before which all memory is as it was left, and which nothing is moved over.
  void arrive();
  // A debugger stops here, if there is one now.
  void stop();
  // InternalOp::DebugValue.
  llvm::Error value(const Instruction& i);
  // When all is emitted: says where variables are.
  void end();

 private:
  using Operations = llvm::SmallVector<uint64_t, 16>;

  bool isOn() const;
  llvm::Value* field(uint64_t offset);
  void put(uint64_t offset, llvm::Value* value);
  void putWorkgroup();
  // Who was live before: nobody, some of those who are now, or perhaps others.
  enum class Before : uint8_t { Nobody, Some, Others };
  void putLive(Before before);
  void fence();
  bool isFixed(uint32_t mask_class) const;
  llvm::Value* streamField(uint64_t offset);
  void findShared();
  std::optional<LaneWeights> weightsOf(Id id, const Type* type, uint32_t component,
                                       uint32_t node) const;
  uint64_t slotOf(uint32_t variable, uint64_t bytes);
  void storeLeaf(llvm::Value* leaf, uint64_t offset, uint64_t bytes, const LaneWeights* weights,
                 bool of_same_lanes);
  llvm::DILocalVariable* variable(const std::string& name, const Location& at, llvm::DIType* type,
                                  uint32_t parameter = 0);
  void place(llvm::DILocalVariable* variable, const Location& at,
             llvm::ArrayRef<uint64_t> operations, llvm::AllocaInst* base = nullptr);
  void declareOwn();
  void declareLanes(const DebugVariable& v, const Location& at, uint64_t offset, uint32_t lanes,
                    llvm::ArrayRef<LaneWeights> weights = {});
  void declareSaid(uint32_t number, const Location& at);
  void declareInMemory(const DebugVariable& v, const Location& at);
  void declareGlobals(const Location& at);
  void declareBlock(const Variable& v, const Location& at, const Operations& operations,
                    llvm::DIVariable* elements);
  Operations descriptor(const BindingLayout& layout) const;
  Operations resource(const BindingLayout& layout) const;
  llvm::DILocalVariable* declareLength(const Variable& v, const BindingLayout& layout);

  Emission& e_;
  DebugState& state_;
};

}  // namespace jit::spirv

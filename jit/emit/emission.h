// SPDX-License-Identifier: Apache-2.0

// The state of one emission, and what the functions that emit one opcode each (ops_*.cpp) build
// on. Internal to jit/emit.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <memory>

#include "jit/analysis/linearization.h"
#include "jit/analysis/uniformity.h"
#include "jit/base/error.h"
#include "jit/emit/debug_values.h"
#include "jit/emit/emitter.h"
#include "jit/emit/known_lanes.h"
#include "jit/emit/lane_context.h"
#include "jit/emit/scratch.h"
#include "jit/emit/stream.h"
#include "jit/emit/stream_width.h"
#include "jit/emit/subgroup_loop.h"
#include "jit/emit/values.h"
#include "jit/math/float_controls.h"
#include "jit/simt/simt_builder.h"
#include "jit/spirv/memory_layout.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

struct OpcodeRow;
class NeighbourAccess;

class Emission {
 public:
  Emission(const Module& module, const Structure& structure, const KernelRequest& request,
           const Target& target, llvm::LLVMContext& context, StreamPlan plan);

  llvm::Expected<EmittedKernel> run();

  // --- what opcode functions use ---
  const Module& module;
  const KernelRequest& request;
  const Target& target;
  llvm::LLVMContext& context;
  simt::SimtBuilder simt;
  llvm::IRBuilder<>& ir;  // simt.ir
  const uint32_t subgroup_size;
  // Applied to the code when it is complete.
  const math::FloatControls float_controls;

  // Marks a value that is the result of an operation on floats in SPIR-V, but a selection of bits
  // in LLVM's IR, for the float controls.
  llvm::Value* floatResult(llvm::Value* value);

  // The stream that is being emitted; in a region of a wide stream (emit_regions.cpp), that of one
  // of its subgroups.
  const Stream& stream() const { return stream_; }
  // Whether it is the whole workgroup as one.
  bool isWide() const { return plan_.subgroup_uniformity != nullptr; }
  // In such a region: the number of the subgroup's first invocation, i64; null elsewhere.
  llvm::Value* firstInvocationOfRegion();
  // A number for each invocation that holds a part of a matrix, as a vector of i64: in a region and
  // for the workgroup's matrices, `lane` counts on from subgroup to subgroup. Numbers from `end` on
  // are all alike.
  llvm::Value* laneTable(const Type& matrix, uint64_t end,
                         llvm::function_ref<uint64_t(uint32_t lane)> number);
  // Whom the current instruction is emitted for: the stream, or, in the course of
  // emitBySubgroup and emitInLanes, a part of it.
  const LaneContext& laneContext() const { return lane_context_; }
  uint32_t width() const { return lane_context_.width; }

  // The value of an id as seen from the instruction being emitted. Logical pointers have none.
  llvm::Expected<Value> value(Id id);
  llvm::Expected<Pointer> pointer(Id id);
  void setValue(const Instruction& instruction, Value value);
  void setPointer(const Instruction& instruction, Pointer pointer);
  const Type* typeOf(Id id) const;  // null when the id has no value
  const Type* pointerTo(const Type* pointee, spv::StorageClass storage) const;

  // LLVM's type of one invocation's leaf of scalar type, or of a matrix's leaf.
  llvm::Type* leafType(const Type* scalar) const;
  // Types of all leaves, in order.
  void leafTypes(const Type* type, llvm::SmallVectorImpl<const Type*>& out) const;
  Value constantValue(const Constant& constant) const;
  Value zeroValue(const Type* type) const;

  // Whether types in this storage class lie as their decorations say.
  bool hasExplicitLayout(spv::StorageClass storage) const;

  // Memory (emit_memory.cpp).
  llvm::Expected<Value> load(const Pointer& pointer);
  llvm::Error store(const Pointer& pointer, const Value& value);
  // Of a variable without matrices: whatever it holds is of no use to any invocation any more.
  void forget(const Pointer& variable);
  // One step of an access chain; `index` is a leaf of integer type, `is_signed` its type's.
  llvm::Error step(Pointer& pointer, llvm::Value* index, bool is_signed,
                   const Constant* constant_index, const Instruction& instruction);
  // Moves a pointer by `index` elements of `stride` bytes.
  void advance(Pointer& pointer, llvm::Value* index, bool is_signed, uint64_t stride);
  // The address as i64 or vector of i64.
  llvm::Value* address(const Pointer& pointer);
  // A pointer as a value of `type`, for phis, selects, comparisons and memory, and back.
  Value flattened(const Pointer& pointer, const Type* type);
  Pointer fromValue(const Value& value);
  // Whether an access of `bytes` at `pointer` is inside its size, i1 or vector of i1; null: always.
  llvm::Value* accessMask(const Pointer& pointer, uint64_t extra_offset, uint64_t bytes);
  // The same for a load or store of all of `leaves`, where it is checked as a whole.
  llvm::Value* wholeAccessMask(const Pointer& pointer, llvm::ArrayRef<LeafLayout> leaves);
  // `pointer`, or the last address where an access of `leaves` is inside, where its own is not: of
  // an offset that all share, or that leads to a matrix, into a variable whose size is known.
  Pointer clamped(const Pointer& pointer, llvm::ArrayRef<LeafLayout> leaves);
  // The size that bounds accesses to a variable of `bytes`; null: nobody asked for bounds.
  llvm::Value* variableSize(uint64_t bytes);
  // That is being emitted; null: none.
  const Instruction* instruction() const { return instruction_; }
  // Of an access by lanes that move evenly: that all of them are inside; null: not to be told.
  llvm::Value* insideTogether(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                              const LaneForm& form);
  // Whether a matrix in a variable can be reached at `at`.
  llvm::Error checkMatrixAddress(const Type& matrix, llvm::Value* at) const;
  // A boundary for the optimizer around volatile accesses.
  void keepInPlace(bool is_volatile);
  // A slot that holds 0, and one that nobody reads: where reads and writes out of bounds go.
  llvm::AllocaInst* zeroSlot();
  llvm::AllocaInst* dropSlot();
  // ptr or vector of ptr to a leaf `extra_offset` bytes past the pointer.
  llvm::Value* leafAddress(const Pointer& pointer, uint64_t extra_offset, uint64_t leaf_bytes);

  // Lanes whose move is known (emit_lanes.cpp). What is known of a leaf; null: nothing.
  const LaneForm* laneForm(llvm::Value* leaf) const;
  // What lane 0 has, live or not, of a leaf of which each bit of a lane's number adds so much.
  llvm::Value* inFirstLane(llvm::Value* leaf, const simt::LaneWeights& weights);
  // The offset past `before` of the element that `index` names, which `after` is for each lane.
  void followOffset(llvm::Value* index, bool is_signed, uint64_t stride, llvm::Value* before,
                    llvm::Value*& after);
  llvm::Value* offsetPlus(llvm::Value* offset, uint64_t bytes);
  // Of what a load of a built-in gave, or of any other result.
  void followBuiltin(const Instruction& load, const Pointer& pointer, Value& value);
  void keepRuns(const Instruction& i, const Value& value);
  // What is `first` in lane 0 and moves as analysis says; `by_lane` where that says too little.
  llvm::Value* countedFrom(llvm::Value* first, const Instruction& i,
                           llvm::function_ref<llvm::Value*()> by_lane);

  // Turns a pointer to a binding into one to the buffer of its `index`-th descriptor (null: 0).
  void selectDescriptor(Pointer& pointer, llvm::Value* index);
  // Whether there is an `element`-th descriptor (i64 or vector), which becomes 0 if not; null:
  // there is, or nobody asked for bounds.
  llvm::Value* boundDescriptor(const BindingLayout& layout, llvm::Value*& element);

  // Built-ins (builtins.cpp).
  llvm::Expected<Value> builtin(spv::BuiltIn builtin, const Type* type);
  llvm::Value* localInvocationIndex();  // vector of i32
  // Position in the order in which subgroups take the workgroup's invocations, vector of i32:
  // number of the stream * its width + lane.
  llvm::Value* invocationNumber();

  // The current position.
  uint32_t node() const { return node_; }
  const simt::UniformityAnalysis& uniformity() const { return *stream_.uniformity; }
  const simt::Linearization& linearization() const { return *stream_.linearization; }
  llvm::ArrayRef<simt::SubgroupRegion> regions() const { return plan_.regions; }
  llvm::Error unsupportedAt(const Instruction& instruction, const std::string& reason) const;

  // Arguments of the function being emitted.
  llvm::Value* dispatch_args = nullptr;
  llvm::Value* shared = nullptr;
  llvm::Value* frame_pointer = nullptr;
  llvm::Value* workgroup_id[3] = {};
  uint32_t invocations = 1;  // in a workgroup
  // Those that hold a matrix of this scope together.
  uint32_t invocationsOf(spv::Scope scope) const {
    return scope == spv::Scope::Workgroup ? invocations : subgroup_size;
  }
  // All invocations that there are; null: no lane is without one.
  llvm::Value* existing() const { return lane_context_.existing; }
  // How many matrices of this type a leaf holds.
  uint32_t copiesOf(const Type& matrix) const {
    return matrix.scope == spv::Scope::Subgroup ? width() / subgroup_size : 1;
  }
  llvm::Module& output() { return *kernel_.module; }
  DebugState debug;                             // what debuggers are to know, for DebugValues
  std::shared_ptr<NeighbourAccess> neighbours;  // null: each load is made by itself
  // Memory of the stream's frame, aligned to 64 bytes: its offset.
  uint64_t allocateInFrame(uint64_t bytes) { return kernel_.facts.frame.allocate(bytes, 64); }
  // An alloca in the entry block; anything large goes to the frame.
  llvm::AllocaInst* allocate(llvm::Type* type, const llvm::Twine& name);
  llvm::AllocaInst* allocateZero(const llvm::Twine& name);  // an i64 that is 0 at the start
  // Whole reads and writes of such an alloca; of a divided one, in a region, of a subgroup's part.
  llvm::Value* readSlot(llvm::AllocaInst* slot);
  void writeSlot(llvm::AllocaInst* slot, llvm::Value* value);
  // Memory that an instruction may use while it is emitted; the next one finds it again. The
  // `number`-th slot of a type, for vectors whose elements are taken one by one, with the index in
  // an i64; and some of the frame, aligned to 64 bytes.
  llvm::AllocaInst* laneSlot(llvm::Type* type, unsigned number);
  llvm::Value* staging(uint64_t bytes);
  llvm::Value* readLane(llvm::AllocaInst* slot, llvm::Value* lane);
  void writeLane(llvm::AllocaInst* slot, llvm::Value* lane, llvm::Value* value);

 private:
  friend class NeighbourAccess;
  llvm::Expected<Value> valueInStream(Id id);

  // Lanes (emit_lanes.cpp, emit_lane_access.cpp, emit_word_access.cpp).
  llvm::Error emitInLanes(const OpcodeRow& row, const Instruction& i);
  llvm::Expected<Value> resultOf(const OpcodeRow& row, const Instruction& i,
                                 std::optional<LaneView> view);
  llvm::Expected<Value> valueInLane(Id id, LaneView view);
  void keepLaneForm(llvm::Value* leaf, LaneForm form);
  void keepRuns(llvm::Value* leaf, Id id, uint32_t component);
  llvm::Value* inLanes(const LaneForm& form);
  void checkShape(Id id, llvm::Value* by_lane, llvm::Value* by_shape, llvm::Value* lanes = nullptr);
  llvm::Value* inLane(llvm::Value* leaf, std::optional<unsigned> bit);
  llvm::Value* laneWeight(llvm::Value* leaf, unsigned bit) const;
  // A component of a built-in in lane 0; null where there is no rule.
  llvm::Value* builtinInFirstLane(spv::BuiltIn builtin, uint32_t component);
  // Lanes that are where they should be if a test holds (emit_expected.cpp, emit_tested.cpp).
  bool expectsLanes() const;
  std::optional<ExpectedLanes> expectedLanes(llvm::Value* leaf);
  void expect(llvm::Value* leaf, ExpectedLanes lanes);
  void expectResult(const Instruction& i);
  void expectOffset(const Pointer& p, llvm::Value* index, bool is_signed, uint64_t stride,
                    llvm::Value* before, llvm::Value* after);
  std::optional<ExpectedAddress> expectedAddress(const Pointer& p,
                                                 llvm::ArrayRef<LeafLayout> leaves, bool is_store);
  std::optional<TestedAddress> testedAddress(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                                             bool is_store);
  llvm::Error accessAsTested(const Pointer& p, const TestedAddress& tested,
                             llvm::function_ref<llvm::Error(const Pointer&, Value& loaded)> access,
                             Value& result);
  llvm::SmallVector<llvm::Value*, 2> numbersOfRuns(const TestedAddress& tested,
                                                   const Value& loaded);
  llvm::Expected<Value> loadLeaves(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves);
  llvm::Error storeLeaves(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, const Value& value);
  bool hasLargeBuffers() const;
  bool hasSettledOffset(const Pointer& p, const LaneForm& form) const;
  // Whether lanes of this form (null: none) are loaded or stored in runs.
  bool canAccessInRuns(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, bool is_store,
                       const LaneForm* form) const;
  bool isForRuns(const Pointer& p) const;
  std::optional<LaneRuns> planRuns(const Pointer& p, const LaneForm& form, uint64_t unit,
                                   bool masked) const;
  Pointer countedFromFirst(const Pointer& p, llvm::Value* inside);
  std::optional<LaneRuns> laneRuns(const Pointer& p, uint64_t unit, uint64_t extra,
                                   llvm::Value* inside);
  void checkRun(const Pointer& p, const LaneRuns& runs, uint32_t k, uint64_t unit,
                llvm::Value* offset, llvm::Value* inside);
  llvm::SmallVector<llvm::Value*, 16> masksOfRuns(const LaneRuns& runs, uint32_t words,
                                                  llvm::Value* inside);
  Leaves loadUniformRuns(const LaneRuns& runs, uint32_t members, uint64_t bytes, llvm::Type* type,
                         llvm::Value* inside);
  // The leaves as vectors of `type`; none where lanes are to be loaded one by one.
  Leaves loadInRuns(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, llvm::Type* type,
                    llvm::Value* inside);
  Leaves gatherWords(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, llvm::Type* type,
                     llvm::Value* inside);
  bool scatterWords(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                    llvm::ArrayRef<llvm::Value*> stored, llvm::Value* inside);
  // Bytes of the words that lanes at any addresses have their leaves in; 0: leaf by leaf.
  uint64_t wordBytes(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves) const;
  llvm::Value* inMemory(const LeafLayout& leaf, llvm::Value* value);
  bool storeInRuns(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                   llvm::ArrayRef<llvm::Value*> stored, llvm::Value* inside);

  // What each subgroup of a wide stream does for itself (emit_subgroups.cpp): emitted once, for a
  // subgroup's invocations, in a loop over the subgroups that have live ones.
  llvm::Error emitBySubgroup(const OpcodeRow& row, const Instruction& i);
  bool bySubgroup(const Instruction& i) const;
  // Of two vectors with a matrix of each subgroup: `chosen` of those that have one of `lanes`.
  llvm::Value* chosenBySubgroup(llvm::Value* lanes, llvm::Value* chosen, llvm::Value* otherwise);
  llvm::Expected<Value> valueInSubgroup(Id id);
  llvm::Expected<Pointer> pointerInSubgroup(Id id);

  // Regions of a wide stream, and what they have of its values (emit_regions.cpp).
  void enterRegion(const simt::SubgroupRegion& region);
  void enterVariables(const simt::SubgroupRegion& region);
  void leaveRegion();
  // `body` is emitted once, for a subgroup, and runs for each that has any of `lanes` (null: all).
  llvm::Error forEachSubgroup(llvm::Value* lanes, llvm::function_ref<llvm::Error()> body);
  void openLoop(llvm::Value* lanes);
  void closeLoop();
  // The stream whose code an id's value is from.
  const Stream& streamOf(Id id) const;
  llvm::AllocaInst* dividedSlot(llvm::Type* type, const llvm::Twine& name);
  llvm::Type* slotType(llvm::AllocaInst* slot) const;
  uint64_t partBytes(llvm::Type* wide) const;
  llvm::Value* partAddress(llvm::AllocaInst* slot);
  llvm::Value* readPart(llvm::AllocaInst* slot);
  void writePart(llvm::AllocaInst* slot, llvm::Value* part);
  Kept keptOf(Id id) const;
  DividedLeaf divided(llvm::Value* leaf, Kept kept);
  void divide(Id id, const Value& value);
  void divide(Id id, const Pointer& pointer);
  DividedLeaf dividedWhole(llvm::Value* leaf);
  void divideWhole(Id id, const Value& value);
  void divideWhole(Id id, const Pointer& pointer);
  llvm::Value* partOf(const DividedLeaf& leaf);
  Value partOf(Id id, const DividedValue& value);
  Pointer partOf(const DividedPointer& pointer);
  llvm::Value* wholeOf(const DividedLeaf& leaf);
  Value wholeOf(const DividedValue& value);
  Pointer wholeOf(const DividedPointer& pointer);
  std::unordered_set<Id> valuesInRegions() const;
  bool isDividedPhi(const Instruction& phi) const;
  void makeDividedPhi(const Instruction& phi, const Block& block);

  // Control flow (emit_control.cpp).
  llvm::Error emitNodes();
  llvm::Error emitNode(uint32_t node);
  llvm::Error emitInstructions(const Block& block);
  llvm::FastMathFlags fastMathFlags(const Instruction& instruction) const;
  llvm::Error emitTerminator(uint32_t node);
  // Ends the current LLVM block with the edge from `node` to its k-th successor for `lanes` (null:
  // the current mask).
  llvm::Error emitEdge(uint32_t node, uint32_t successor, llvm::Value* lanes, bool varies);
  llvm::Error storePhis(uint32_t from, uint32_t to, llvm::Value* lanes, bool blend);
  llvm::Error loadPhis(const Block& block);
  void loadPhi(const Instruction& phi, const ValueSlots& slots);
  void findForgottenPhis(uint32_t first, uint32_t last);
  llvm::Error storePhi(const Instruction& phi, const ValueSlots& slots, Id operand,
                       llvm::Value* lanes);
  llvm::Error forgetPhis(uint32_t node);
  Id usualOperand(const Instruction& phi, uint32_t node) const;
  void leaveTo(uint32_t next);
  llvm::BasicBlock* entryOf(uint32_t node);
  llvm::AllocaInst* maskSlot(uint32_t node);
  llvm::Value* maskOf(uint32_t node);
  // `lanes` will run `node` (Accumulate).
  void arrive(uint32_t node, llvm::Value* lanes);
  // At the start of `node`: who has arrived since the last time.
  llvm::Value* takeArrived(uint32_t node);
  void storeFirstArrival(uint32_t node);

  // Variables (emit_variables.cpp).
  llvm::Error emitVariables();
  llvm::Error emitVariable(const Variable& variable);
  llvm::Expected<Pointer> resourcePointer(const Variable& variable);
  void zeroWorkgroupMemory();
  Pointer inlineUniformBlock(Pointer pointer);
  llvm::Value* descriptorMemory(uint32_t set);
  void shareAliasedWorkgroupMemory();

  // Slots (emit_values.cpp, emit_lanes.cpp, emit_pointers.cpp).
  void createSlots();
  void createSlotsOf(const Instruction& i);
  bool recoverLaneForm(llvm::Value* leaf, const simt::LaneShape& shape, LaneForm& form);
  llvm::Error writeLaneSlots(const ValueSlots& slots, size_t k, llvm::Value* leaf,
                             const Instruction& phi, Id operand);
  llvm::Value* readLaneSlots(const ValueSlots& slots, size_t k, const Instruction& phi);
  // What `lanes` (null: all) find in a slot's leaf after `value` was brought to it by them, where
  // others keep what is there.
  llvm::Value* blended(const ValueSlots& slots, size_t leaf, llvm::Value* lanes,
                       llvm::Value* value);
  ValueSlots makeSlots(Id id, const Type* type, bool varying);
  ValueSlots makePhiSlots(const Instruction& phi);
  bool leavesLoop(Id id) const;
  llvm::AllocaInst* keepPart(llvm::Value* part);
  void keepPointer(Id id, const Pointer& pointer);
  Pointer keptPointer(const PointerSlots& slots, Pointer pointer);

  const Structure& structure_;
  const StreamPlan plan_;
  const bool checks_shapes_;

  // What is being made.
  EmittedKernel kernel_;
  llvm::Function* function_ = nullptr;
  llvm::BasicBlock* entry_block_ = nullptr;  // allocas
  llvm::BasicBlock* start_block_ = nullptr;  // descriptors and initial values of variables
  llvm::BasicBlock* exit_block_ = nullptr;

  // Where emission is.
  Stream stream_;
  uint32_t node_ = 0;
  const Instruction* instruction_ = nullptr;
  bool block_has_product_ = false;  // a multiply-add, whose loads no test parts from it
  LaneContext lane_context_;

  // What ids have, and what is known of it.
  std::unordered_map<Id, const Type*> types_;
  std::unordered_map<Id, Value> values_;
  std::unordered_map<Id, Pointer> pointers_;
  KnownLanes known_;
  DividedValues divided_;
  std::unique_ptr<SubgroupLoop> loop_;  // that is being emitted; null: none
  size_t next_region_ = 0;              // of plan_.regions

  // Variables.
  // Resources that the pipeline layout lacks: why, for whoever uses one.
  std::unordered_map<Id, std::string> missing_;
  // Those of regions, and whether they hold nothing when their region is entered.
  std::unordered_map<Id, bool> own_variables_;
  // Workgroup memory that is zero at the start: first and last byte + 1.
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 4> zeroed_;
  bool explicit_workgroup_ = false;  // Workgroup variables are blocks, whose offsets are decorated
  Scratch scratch_;
};

}  // namespace jit::spirv

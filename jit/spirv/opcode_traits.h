// SPDX-License-Identifier: Apache-2.0

// What an opcode is to all who look at instructions without emitting them: opcode_traits.def.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include <cstdint>

namespace jit::spirv {

// The operands that are ids of values, by number; others are literals, types, labels, functions,
// or scopes. Where a form is one of the others, that says it.
struct OperandRange {
  static constexpr uint32_t kLast = ~0u;
  uint32_t first = 0, end = kLast;
  uint32_t step = 1;
  uint32_t rest = kLast;  // and all from this one on
};
constexpr OperandRange noOperands() { return {.end = 0}; }
constexpr OperandRange firstOperands(uint32_t count) { return {.end = count}; }
constexpr OperandRange operandsFrom(uint32_t first) { return {.first = first}; }
constexpr OperandRange oneOperand(uint32_t number) { return {.first = number, .end = number + 1}; }
constexpr OperandRange operandsBut(uint32_t first, uint32_t end) {
  return {.end = first, .rest = end};
}
constexpr OperandRange everySecondOperand() { return {.step = 2}; }

// How the operands stand.
enum class OperandForm : uint8_t {
  Plain,         // as an OperandRange says
  TensorAccess,  // tensor_access.h
  // Group instructions, which a subgroup's invocations carry out together (group_instruction.h):
  GroupScoped,     // scope, value, and, where there are some, selector and partition
  GroupUnscoped,   // value, and a selector where there is one
  GroupOperation,  // scope, group operation, value, and a partition where there is one
  GroupElect,      // scope
};

// How many invocations have one result (analysis/uniformity.h), as follows from the operands.
enum class SharedBy : uint8_t {
  Components,  // as many as have one operand: of vectors, each component by itself
  Joined,      // the same, but components are mixed
  Coded,       // it has a case of its own in uniformity_rules.cpp
  Stream,      // one for all of the stream
  Address,     // as many as have one first operand, but no more than the stream's
  Nobody,      // each invocation has its own
  // Of group instructions (uniformity_groups.cpp): one for the subgroup
  Subgroup,       // always
  OfReduction,    // where all of it are combined into one
  OfAlike,        // where all bring the same value, and none stops at itself
  OfAlikeChosen,  // where all bring the same value and the same selector
  // or one of the values that invocations bring,
  OneOfValues,     // the same one for all
  ChosenOfValues,  // the same one where all bring the same selector
  EachOfValues,    // another one for each
};
constexpr bool movesValues(SharedBy shared_by) {
  return shared_by == SharedBy::OneOfValues || shared_by == SharedBy::ChosenOfValues ||
         shared_by == SharedBy::EachOfValues;
}

enum class Effect : uint8_t {
  Any,    // it may write to memory, or wait for others who write
  Quiet,  // it does neither, but is not the same everywhere, or is not looked for
  None,   // where and how often it is done makes no difference
};

// Where a result that is a pointer points to, relative to its base: the first operand that is a
// value.
enum class PointsTo : uint8_t {
  None,      // it is no pointer, or none that follows from another
  Same,      // to what the base points to, if that is a pointer at all
  Part,      // to the part of it that the indices behind the base name: an access chain
  Inside,    // to somewhere inside of it
  Anywhere,  // to wherever offsets lead
};

// Says nothing unusual: all operands are ids of values, and the result may be anything that follows
// from them. It may have any effect.
struct OpcodeTraits {
  OperandForm form = OperandForm::Plain;
  OperandRange values;
  // The operand that is a function, which is called once or for each element; kNone: no such.
  static constexpr uint8_t kNone = 255;
  uint8_t callee = kNone;
  // The result depends on what several invocations have, besides group instructions (SPIR-V
  // Specification, 2.2.5, "tangled").
  bool tangled = false;
  SharedBy shared_by = SharedBy::Components;
  Effect effect = Effect::Any;
  // Each lane's integer follows from the same lane's operands, and from nothing else; and emission
  // can compute it for lane 0 alone by the rules for shapes (analysis/lane_shape.h).
  bool by_lane = false, in_first_lane = false;
  // What it costs for a component to do it where nobody needs it, where that may be done
  // (flatten_choices.h); and whether only if the second operand is a constant.
  static constexpr uint8_t kNever = 255;
  uint8_t cost = kNever;
  bool by_constant = false;
  PointsTo points_to = PointsTo::None;
  // The operand that points to the object that is loaded, stored or made undefined, as a whole and
  // with no other effect on memory; kNone: no such.
  uint8_t loads = kNone, stores = kNone, undefines = kNone;
};

// The row of an opcode; null when there is none.
const OpcodeTraits* findTraits(spv::Op op);
// The row, or that nothing is unusual.
const OpcodeTraits& traitsOf(spv::Op op);

// From a typed pointer, by indices.
inline bool isAccessChain(spv::Op op) { return traitsOf(op).points_to == PointsTo::Part; }
// Whether it loads or stores whole objects, or begins their lifetime.
inline bool accessesObject(spv::Op op) {
  const OpcodeTraits& traits = traitsOf(op);
  constexpr uint8_t kNone = OpcodeTraits::kNone;
  return traits.loads != kNone || traits.stores != kNone || traits.undefines != kNone;
}

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// A random program over cooperative matrices: what the generator makes, program_text.h writes as
// SPIR-V and model.h computes by itself.
//
// Every subgroup of every workgroup runs the same statements on matrices of its own, or together
// with the others of its workgroup on the workgroup's. Values are numbered and have one type each;
// nothing is assigned twice.
#pragma once

#include <compare>
#include <cstdint>
#include <variant>
#include <vector>

#include "tests/support/element_type.h"

namespace matrices {

using kernels::ElementType;

enum class Use : uint8_t { A, B, Accumulator };
enum class Scope : uint8_t { Subgroup, Workgroup };

struct MatrixType {
  ElementType component;
  uint32_t rows, columns;
  Use use;
  Scope scope = Scope::Subgroup;
  uint32_t size() const { return rows * columns; }
  auto operator<=>(const MatrixType&) const = default;
};

// A row of the device's table: A is m x k, B is k x n, C and the result are m x n.
struct Multiplication {
  uint32_t m, n, k;
  ElementType a, b, c, result;
  bool saturating;
  Scope scope = Scope::Subgroup;
  MatrixType typeA() const { return {a, m, k, Use::A, scope}; }
  MatrixType typeB() const { return {b, k, n, Use::B, scope}; }
  MatrixType typeC() const { return {c, m, n, Use::Accumulator, scope}; }
  MatrixType typeResult() const { return {result, m, n, Use::Accumulator, scope}; }
};

using ValueId = uint32_t;

// Where the shader gets a number from that is the same for all invocations.
enum class Source : uint8_t { Constant, Specialization, Memory };

// --- Memory

enum class Storage : uint8_t { StorageBuffer, PhysicalStorageBuffer, Workgroup };

// An array in memory that holds matrices of one component type. Its elements, units, are what the
// shader's pointers point to: scalars or vectors of any type that is as wide as components or whose
// size is a multiple or a part of theirs. A workgroup has its own array of Storage::Workgroup.
struct Region {
  Storage storage = Storage::StorageBuffer;
  ElementType component = ElementType::F32;
  ElementType unit = ElementType::F32;
  uint32_t unit_width = 1;  // components of the vector; 1: a scalar
  uint32_t bytes = 0;
  bool exchanged = false;         // one invocation reads what another has written
  bool whole = false;             // every access must be inside
  bool untyped = false;           // through untyped pointers
  uint32_t bound = 0;             // bytes that a descriptor reaches, if not all
  std::vector<uint64_t> initial;  // bits of the components; none for Workgroup

  uint32_t unitBytes() const { return kernels::elementInfo(unit).bytes() * unit_width; }
  uint32_t componentBytes() const { return kernels::elementInfo(component).bytes(); }
};

enum class PointerForm : uint8_t {
  AccessChain,
  PtrAccessChain,  // on from a pointer to element 0
  Selected,        // OpSelect between this place and another
};

// Where a matrix lies. All distances are bytes and whole units.
struct Place {
  uint32_t region = 0;
  bool column_major = false;
  uint32_t offset = 0, stride = 0;
  Scope scope = Scope::Subgroup;     // whether each subgroup has a place or each workgroup
  uint32_t step = 0;                 // from one's place to the next one's
  uint32_t rotation = 0;             // subgroup s goes to the place of s + rotation
  std::vector<uint32_t> loop_steps;  // for each loop around, outermost first, per iteration
  PointerForm form = PointerForm::AccessChain;
  Source offset_source = Source::Constant, stride_source = Source::Constant;
  ElementType stride_type = ElementType::U32;
  bool is_volatile = false;
  uint32_t alignment = 1;  // bytes, of every line's start
};

// --- Statements

struct Load {
  ValueId result;
  Place place;
};

struct Store {
  ValueId value;
  Place place;
};

// All components the same.
struct Splat {
  ValueId result;
  uint64_t bits;
  enum class Form : uint8_t { Constant, Construct, Null } form;
  Source source;
};

// OpUndef: may flow, but nothing depends on it.
struct Undefined {
  ValueId result;
};

enum class Arithmetic : uint8_t { Add, Subtract, Multiply, Divide };

struct Binary {
  Arithmetic operation;
  ValueId result, left, right;
  bool no_contraction;
};

struct Negate {
  ValueId result, operand;
};

// OpMatrixTimesScalar.
struct Scale {
  ValueId result, operand;
  uint64_t bits;
  Source source;
};

// To another component type, another use, or both.
struct Convert {
  ValueId result, operand;
  bool saturate;            // SaturatedToLargestFloat8NormalConversionEXT
  bool transposed = false;  // on the way to another use
};

struct Bitcast {
  ValueId result, operand;
};

// Of a row of the table, which says by itself whether integers are signed: the types of the
// matrices may have the other sign.
struct MulAdd {
  ValueId result, a, b, c;
  Multiplication row;
  bool no_contraction;
};

// The same matrix, by another way.
struct Pass {
  ValueId result, operand;
  enum class Through : uint8_t {
    FunctionVariable,
    PrivateVariable,
    Parameter,   // of a function that returns it
    Pointer,     // to a Function variable, as a parameter
    Structure,   // made, taken apart
    Array,       // of two, in a variable, indexed by a number that the compiler cannot know
    Select,      // OpSelect of structures
    Component,   // OpCompositeExtract of component 0, inserted again
    Components,  // each component by itself to another variable
    Count
  } through;
};

// Every component by itself, through pointers to it, in control flow that depends on it: those
// below 0 become `bits`. Each invocation begins with another one.
struct ReplaceNegative {
  ValueId result, operand;
  uint64_t bits;
};

// Of element (r, c), n = (r + 2 * c) % every: if n is 0 that of `other`, if n is 1 `bits`, else it
// stays.
struct EachElement {
  ValueId result, operand, other;
  enum class Form : uint8_t {
    Function,     // OpCooperativeMatrixPerElementOpNV
    Coordinates,  // each component by itself, where OpCooperativeMatrixGetCoordinateEXT says
  } form;
  uint32_t every;
  uint64_t bits;
  Source source;
};

// OpCooperativeMatrixReduceNV: the sum, or the greatest.
struct Reduction {
  ValueId result, operand;
  enum class Along : uint8_t { Rows, Columns, Everything, Quads } along;
  bool sum;
};

struct Condition {
  enum class Kind : uint8_t { Number, SubgroupParity, WorkgroupParity } kind;
  bool truth;  // Number: its value; else whether odd ones take the first way
};

struct Block;

struct Branch {
  Condition condition;
  std::vector<Block> ways;  // two
  struct Merge {
    ValueId result, first, second;
  };
  std::vector<Merge> merges;
};

struct Loop {
  uint32_t count;
  Source source;
  enum class Carry : uint8_t { Phi, Variables, Array } carry;
  struct Carried {
    ValueId result, initial, inner, next;
  };
  std::vector<Carried> carried;
  std::vector<Block> body;  // one
};

// A barrier of the workgroup, with everything in memory visible after it.
struct Barrier {};

// All invocations together copy units from one region to another.
struct Stage {
  uint32_t from, to;
  uint32_t from_offset, to_offset, bytes;
  uint32_t loop_step;       // of from_offset, of the innermost loop
  uint32_t workgroup_step;  // of from_offset
};

// Who holds which component: `lanes` and `indices` get, as bits of the matrix's components, the
// invocation in the matrix's scope and the component index of each element plus 1; `held` what each
// invocation sees at each of its components, `kMaxHeld` for an invocation, and `lengths`
// OpCooperativeMatrixLengthKHR of each invocation.
inline constexpr uint32_t kMaxHeld = 256;
struct Holders {
  ValueId operand;
  Place lanes, indices;
  uint32_t held, lengths;  // regions
};

using Statement = std::variant<Load, Store, Splat, Undefined, Binary, Negate, Scale, Convert,
                               Bitcast, MulAdd, Pass, ReplaceNegative, EachElement, Reduction,
                               Branch, Loop, Barrier, Stage, Holders>;

struct Block {
  std::vector<Statement> statements;
};

struct Program {
  uint64_t seed = 0;
  uint32_t subgroup_size = 0, subgroups = 1;  // of a workgroup
  bool required_size = false;                 // or the device's own
  uint32_t workgroups = 1;
  bool specialized_types = false;  // scope, rows and columns are specialization constants
  bool robust = false;             // accesses may be out of bounds
  bool float_controls = false;     // the execution modes of Promise::FloatControls
  std::vector<Region> regions;
  std::vector<MatrixType> values;  // types
  Block main;

  uint32_t invocations() const { return subgroup_size * subgroups; }
};

}  // namespace matrices

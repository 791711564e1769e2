// SPDX-License-Identifier: Apache-2.0

// A SPIR-V module after reading: types with their layouts, constants after specialization,
// variables, and the one entry point's code as blocks with every call inlined. Ids stay the
// module's own, so messages and dumps name what the author wrote; inlining adds ids past them.
//
// Source: SPIR-V Specification 1.6, Unified (sections 2.4 layout, 2.11 structured control flow,
// 2.16 validation), Vulkan Specification, "Vulkan Environment for SPIR-V".
#pragma once

#include <llvm/Support/Error.h>
#include <spirv/unified1/spirv.hpp11>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "jit/base/kernel_request.h"

namespace jit::spirv {

using Id = uint32_t;  // 0 is no id

enum class TypeKind : uint8_t {
  Void,
  Bool,
  Int,
  Float,
  Vector,
  Matrix,
  Array,
  RuntimeArray,
  Struct,
  Pointer,
  Function,
  CooperativeMatrix,
  TensorLayout,
  TensorView,
};

enum class FloatEncoding : uint8_t { Ieee, BFloat16, Float8E4M3, Float8E5M2 };

// Which four invocations derivatives are taken over (SPV_KHR_compute_shader_derivatives): those
// with consecutive local indices, or 2x2 of them in x and y.
enum class DerivativeGroup : uint8_t { None, Linear, Quads };

struct Type;

// A value is handled scalar by scalar, so a small module could ask for any amount of code.
inline constexpr uint64_t kMaxValueScalars = 1 << 14;

inline constexpr uint32_t kNoOffset = ~0u;

// Of tensor layouts and views (SPV_NV_tensor_addressing).
inline constexpr uint32_t kMaxTensorDimensions = 5;

struct Member {
  const Type* type = nullptr;
  uint32_t offset = kNoOffset;  // Offset decoration, bytes
  uint32_t matrix_stride = 0;   // MatrixStride, bytes; of the matrix inside arrays too
  bool row_major = false;
  bool non_writable = false;
  bool is_volatile = false;
  std::optional<spv::BuiltIn> builtin;
};

struct Type {
  TypeKind kind;
  Id id;
  uint32_t width = 0;                            // Int, Float: bits
  bool is_signed = false;                        // Int
  FloatEncoding encoding = FloatEncoding::Ieee;  // Float
  const Type* element = nullptr;        // Vector: component; Matrix: column; Array, RuntimeArray:
                                        // element; Pointer: pointee, Void where it is not known;
                                        // CooperativeMatrix: component;
                                        // Function: return type
  uint32_t count = 0;                   // Vector: components; Matrix: columns; Array: length;
                                        // TensorLayout, TensorView: dimensions
  std::vector<Member> members;          // Struct
  std::vector<const Type*> parameters;  // Function
  spv::StorageClass storage = spv::StorageClass::Function;  // Pointer
  uint32_t array_stride = 0;  // ArrayStride of Array, RuntimeArray, Pointer; bytes; 0: none
  bool block = false;         // Struct: Block or BufferBlock decoration
  bool buffer_block = false;
  bool untyped = false;  // Pointer: it leads to what an access takes it for
  bool bounded = false;  // Pointer: a value of it keeps the bounds of what it leads into
  // CooperativeMatrix, after specialization
  spv::Scope scope = spv::Scope::Subgroup;
  uint32_t rows = 0, columns = 0;
  std::optional<spv::CooperativeMatrixUse> use;     // none: an OpTypeCooperativeMatrixNV
  coopmat::Use nv_use = coopmat::Use::Accumulator;  // what checkMatrix() found that it can be
  spv::TensorClampMode clamp_mode = spv::TensorClampMode::Undefined;  // TensorLayout
  bool has_dimensions = false;                                        // TensorView
  std::array<uint32_t, kMaxTensorDimensions> permutation{};           // TensorView

  bool isScalar() const {
    return kind == TypeKind::Bool || kind == TypeKind::Int || kind == TypeKind::Float;
  }
  bool isComposite() const {
    return kind == TypeKind::Vector || kind == TypeKind::Matrix || kind == TypeKind::Array ||
           kind == TypeKind::Struct;
  }
  // The scalar of a scalar, vector, matrix or cooperative matrix.
  const Type* scalar() const;
  // Scalars (and cooperative matrices) in a value of this type when its composites are flattened
  // in order; 0 for Void and RuntimeArray. A pointer is an address, or, if it is bounded, base,
  // offset and size in bytes: that of a variable pointer. A tensor
  // layout or view is the 32-bit numbers of its state, see jit/spirv/tensor_types.h.
  uint64_t leaves() const;
  // Bytes of a value in memory when no explicit layout is given (Workgroup, Function, Private):
  // scalar alignment, Bool as 4 bytes, each leaf of a pointer 8.
  uint64_t naturalSize() const;
  uint64_t naturalAlignment() const;
};

// A constant after specialization: its leaves in order, each in the low bits of a word
// (Bool: 0 or 1). A cooperative matrix has one leaf, which every component gets.
struct Constant {
  const Type* type;
  std::vector<uint64_t> leaves;
  bool undef = false;        // OpUndef at module level: leaves are 0
  bool specialized = false;  // depends on a specialization constant
};

struct Decorations {
  std::optional<spv::BuiltIn> builtin;
  std::optional<uint32_t> set, binding, spec_id, alignment;
  std::optional<spv::FPRoundingMode> rounding_mode;
  std::optional<uint32_t> fast_math;  // FPFastMathMode bits
  bool non_writable = false, non_readable = false, is_volatile = false, coherent = false;
  bool restrict_ = false, aliased = false, no_contraction = false, relaxed_precision = false;
  bool non_uniform = false, saturated_conversion = false;
  bool saturates_to_float8 = false;  // SaturatedToLargestFloat8NormalConversionEXT
  bool transposes = false;           // CooperativeMatrixTransposeEXT
  bool no_signed_wrap = false, no_unsigned_wrap = false;
};

// Where in the source: of OpLine, or of NonSemantic.Shader.DebugInfo's DebugLine.
struct Location {
  Id file = 0;  // an OpString, see Module::strings; 0: unknown
  uint32_t line = 0, column = 0;
  uint32_t call = 0;  // that was inlined: Module::inlined_calls[call - 1]; 0: none
  Id scope = 0;       // a DebugFunction or DebugLexicalBlock, see DebugInfo::scopes; 0: unknown
};

// A function or block of the source.
struct DebugScope {
  bool is_function = false;
  std::string name;  // of a function
  Id file = 0;       // as Location::file
  uint32_t line = 0, column = 0;
  Id parent = 0;  // of a block: the scope around it
};

// A variable as its author knows it.
struct DebugVariable {
  std::string name;
  Location at;             // where it is declared, and in the code of which call
  uint32_t parameter = 0;  // its number, from 1; 0: it is none
  const Type* type = nullptr;
  Id variable = 0;  // where it is in memory; 0: only InternalOp::DebugValue says what it is
};

// What debuggers are told of a module; empty unless they are to know it (debug_variables.h).
struct DebugInfo {
  bool is_wanted = false;
  std::unordered_map<Id, DebugScope> scopes;
  std::vector<DebugVariable> variables;
  std::unordered_map<Id, std::unordered_map<uint32_t, std::string>> member_names;  // of structures
  std::unordered_set<Id> in_memory;  // variables whose values are not said
};

// A call whose callee's code stands in its place, inlined here or by whoever made the module.
struct InlinedCall {
  Location at;
  std::string function;     // that is called
  bool is_written = false;  // by the driver, for one instruction
};

struct Instruction {
  spv::Op op;
  const Type* type = nullptr;  // of the result; null without one. OpSwitch: of the selector,
                               // whose width its literals have
  Id result = 0;
  std::span<const uint32_t> operands;  // the words after result type and result id
  uint32_t word = 0;                   // position in the module, for messages
  Location location;
};

enum class MergeKind : uint8_t { None, Selection, Loop };

// A basic block. Phis come first in `instructions`; neither the label, nor the merge
// instruction, nor the terminator is among them.
struct Block {
  Id label = 0;
  std::vector<Instruction> instructions;
  MergeKind merge_kind = MergeKind::None;
  Id merge_block = 0;          // Selection, Loop
  Id continue_block = 0;       // Loop
  uint32_t merge_control = 0;  // Selection Control or Loop Control bits
  // OpBranch, OpBranchConditional, OpSwitch, OpReturn, OpReturnValue, OpUnreachable, OpKill, ...
  Instruction terminator;
  // Labels this block can branch to, in the terminator's order, duplicates kept.
  std::vector<Id> successors() const;
};

struct Variable {
  Id id = 0;
  const Type* type = nullptr;  // the pointer type
  spv::StorageClass storage = spv::StorageClass::Function;
  Id initializer = 0;      // a constant, a variable of the module, or 0
  bool is_shadow = false;  // of the driver's: all bits are set at the start (shadow_values.h)
};

// A function's code. Instructions that call a function for the elements of a matrix have become
// calls of functions written for them (matrix_calls.h). After inlining the entry point's holds
// everything it calls: a call becomes a block that branches to the copy of the callee's first block
// and has MergeKind::Selection with the block after the call as merge block; the callee's returns
// branch there. A loop is entered by a plain branch from one block, whatever the module has.
struct Function {
  Id id = 0;
  bool is_written = false;  // by the driver
  const Type* return_type = nullptr;
  std::vector<Id> parameters;
  std::vector<Variable> variables;  // Function storage class
  std::vector<Block> blocks;        // that can be reached; the first is the entry
};

// The bytes that a kernel sets where a block, and a branch at its end, is reached
// (coverage_flags.h).
struct CoveredBranch {
  uint32_t flag = 0;
  bool sets_flag = false;  // else another block or branch does
};
struct CoveredBlock {
  uint32_t flag = 0;
  bool sets_flag = false;
  std::vector<CoveredBranch> branches;  // in the terminator's order; none unless it chooses
};

struct Module {
  uint32_t version = 0;  // as in the header
  std::vector<spv::Capability> capabilities;
  std::vector<std::string> extensions;
  spv::AddressingModel addressing_model = spv::AddressingModel::Logical;
  spv::MemoryModel memory_model = spv::MemoryModel::GLSL450;
  std::unordered_map<Id, std::string> strings;                    // OpString
  std::unordered_map<Id, std::string> names;                      // OpName
  std::unordered_map<Id, std::string> extended_instruction_sets;  // OpExtInstImport
  std::unordered_map<Id, std::unique_ptr<Type>> types;
  std::unordered_map<Id, Constant> constants;
  std::unordered_map<Id, Decorations> decorations;
  std::vector<Variable> variables;  // global ones that the entry point reaches
  Function entry;
  std::string entry_name;
  std::vector<InlinedCall> inlined_calls;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};  // after LocalSize(Id) and WorkgroupSize
  DerivativeGroup derivative_group = DerivativeGroup::None;
  // Execution modes of float controls, as (mode, width): DenormPreserve 32 and so on.
  std::vector<std::pair<spv::ExecutionMode, uint32_t>> float_modes;
  std::unordered_map<const Type*, uint32_t> fast_math_defaults;  // FPFastMathDefault: mode bits
  std::vector<std::string> warnings;  // rules that are broken without harm here, for the author

  bool hasFloatMode(spv::ExecutionMode mode, uint32_t width) const;
  // The bits of FPFastMathMode that an instruction has, of its own or by default; none where the
  // module says nothing of them.
  std::optional<uint32_t> fastMath(const Instruction& instruction) const;
  // What the check of numbers notes of matrices that are loaded (mark_sums.h).
  bool notes_sums = false, notes_operands = false, notes_lazily = false;
  uint32_t bound = 0;  // ids are below this, those that inlining added too

  bool has(spv::Capability capability) const;
  const Decorations& decorated(Id id) const;  // empty decorations when there are none
  const Constant* constant(Id id) const;      // null when `id` is not a constant
  // "%12 'weights'", for messages.
  std::string describe(Id id) const;
  // "OpIAdd %12 (module.comp:7:3)", for messages.
  std::string describe(const Instruction& instruction) const;
  // The name of a function as its author knows it: "blur" of "blur(vf4;f1;".
  std::string functionName(Id id) const;

  // Storage the instructions' operand spans point into: the words of the module and those that
  // inlining wrote.
  std::vector<std::vector<uint32_t>> words;

  DebugInfo debug;

  // By block of the entry point; none of a kernel that nobody wants to know it of.
  std::vector<CoveredBlock> coverage;
};

// Reads, validates (SPIRV-Tools), checks that this driver has what the module declares,
// specializes, inlines. The value of an inlined call is an OpPhi in the block after it, or an
// OpCopyObject where the callee has one return. Blocks that cannot be reached are left out; merge
// and continue blocks may name them. Kinds of failure: Malformed, Unsupported.
llvm::Expected<std::unique_ptr<Module>> readModule(const KernelRequest& request);

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

// A random program about memory: matrices and scalars that are loaded and stored where others are,
// in an order that barriers settle. overlap_builder.h makes them, overlap_writer.h writes them as
// SPIR-V and overlap_model.h computes them by themselves.
//
// All invocations run the same statements. Each subgroup has a home in every memory, or works in
// that of another one after a barrier; matrices of Workgroup scope lie anywhere in the workgroup's
// part, which is all of the homes. Values are bits: nothing computes with them but additions of
// integers.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "tests/matrix/program.h"

namespace matrices::overlaps {

// Ways to memory. The first three lead to one buffer, the last two to one array in Workgroup memory
// (the same, where variables have no explicit layouts).
enum class Path : uint8_t { First, Second, Address, Other, Shared, SharedAgain };
inline constexpr uint32_t kPaths = 6;

enum class Memory : uint8_t { Buffer, OtherBuffer, Shared };
inline constexpr uint32_t kMemories = 3;

inline Memory memoryOf(Path path) {
  if (path <= Path::Address) return Memory::Buffer;
  return path == Path::Other ? Memory::OtherBuffer : Memory::Shared;
}

// What the elements of an array are that a path leads to.
struct Unit {
  ElementType type = ElementType::U32;
  uint32_t width = 1;
  uint32_t bytes() const { return kernels::elementInfo(type).bytes() * width; }
  bool isWord() const { return type == ElementType::U32 && width == 1; }
};

// Where a matrix lies. All distances are bytes.
struct Place {
  Path path;
  Scope scope;
  uint32_t offset, stride;
  bool column_major;
  uint32_t rotation = 0;   // subgroup s goes to the home of s + rotation
  uint32_t loop_step = 0;  // of the innermost loop, added to the offset
  Source offset_source = Source::Constant, stride_source = Source::Constant;
  bool is_volatile = false;
  // A slice of a tensor of two dimensions that begins at the offset, by SPV_NV_tensor_addressing:
  // what of the matrix lies outside is 0, or dropped.
  struct Tensor {
    uint32_t lines, length;
    int32_t first_line, first;  // of the slice
  };
  std::optional<Tensor> tensor;
};

struct Load {
  ValueId result;
  Place place;
};

struct Store {
  ValueId value;
  Place place;
};

// Twice an integer.
struct Double {
  ValueId result, operand;
};

struct Product {
  Multiplication row;
  ValueId result, a, b, c;
};

// Each invocation copies `words` words from one place to another, both of its own, where they may
// overlap.
struct LaneCopy {
  Path from, to;
  uint32_t from_offset, to_offset, step, words;
  uint32_t loop_step = 0;
  enum class Form : uint8_t {
    WordByWord,  // each is stored before the next is loaded
    AllFirst,    // all are loaded before the first is stored
    Whole        // OpCopyMemory of an array, by addresses
  } form;
};

// Each invocation adds to, or exchanges, a word of its own, and stores what was there to another.
struct LaneAtomic {
  Path path, result_path;
  uint32_t offset, result_offset, step;
  uint32_t loop_step = 0;
  bool exchanges;
  uint32_t operand;
  Scope scope;          // of the workgroup or the device, by `device`
  bool device, orders;  // orders: acquires and releases
};

// Everything before happens before everything behind, for a subgroup or for the workgroup.
struct Barrier {
  Scope scope;
  enum class Form : uint8_t { Control, DeviceMemory, Fences } form;
};

struct Block;

struct Repeat {
  uint32_t count;
  Source source;
  struct Carried {
    ValueId inner, initial, next, result;
  };
  std::optional<Carried> carried;
  std::vector<Block> body;  // one
};

// The body runs if the condition, a number in memory, is not 0.
struct Only {
  bool truth;
  std::vector<Block> body;  // one
};

using Statement =
    std::variant<Load, Store, Double, Product, LaneCopy, LaneAtomic, Barrier, Repeat, Only>;

struct Block {
  std::vector<Statement> statements;
};

struct Program {
  uint64_t seed = 0;
  uint32_t subgroup_size = 0, subgroups = 1;
  bool required_size = false;
  uint32_t workgroups = 1;
  uint32_t home = 0;          // bytes of a subgroup's home
  bool has_shared = false;    // a part in Workgroup memory, too
  bool shared_twice = false;  // through two variables
  bool has_addresses = false;
  bool robust = false;
  uint32_t bounds[kPaths] = {};  // bytes that a descriptor reaches, if not all
  Unit units[kPaths];
  std::vector<MatrixType> values;  // types
  Block main;

  uint32_t invocations() const { return subgroup_size * subgroups; }
  uint32_t part() const { return home * subgroups; }  // bytes, of a workgroup
  const Unit& unit(Path path) const { return units[static_cast<size_t>(path)]; }
  uint32_t bound(Path path) const { return bounds[static_cast<size_t>(path)]; }
};

// Where a line of a matrix begins, or an element lies, from the start of its part.
inline uint32_t homeOf(const Program& program, const Place& place, uint32_t subgroup) {
  if (place.scope == Scope::Workgroup) return 0;
  return (subgroup + place.rotation) % program.subgroups * program.home;
}

// From the place's offset to an element; nothing if it lies outside of the tensor.
inline std::optional<uint32_t> distanceOf(const Place& place, uint32_t component_bytes,
                                          uint32_t row, uint32_t column) {
  int64_t line = place.column_major ? column : row, within = place.column_major ? row : column;
  if (place.tensor) {
    line += place.tensor->first_line;
    within += place.tensor->first;
    if (line < 0 || line >= place.tensor->lines || within < 0 || within >= place.tensor->length)
      return std::nullopt;
  }
  return static_cast<uint32_t>(line * place.stride + within * component_bytes);
}

}  // namespace matrices::overlaps

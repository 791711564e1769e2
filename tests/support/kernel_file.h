// SPDX-License-Identifier: Apache-2.0

// A kernel file: a shader whose comment header says what to run it on and what must come out.
// tests/kernels/README.md describes the format; this is its meaning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/element_type.h"
#include "tests/support/expression.h"
#include "tests/support/kernel_source.h"

namespace kernels {

// Some elements of a buffer and an expression for them: `count` elements of `type`, the first at
// `byte_offset`, `byte_step` apart. Inside the expression i is first_index + n * index_step and n
// counts from 0.
struct Elements {
  size_t buffer = 0;
  ElementType type = ElementType::U32;
  uint64_t byte_offset = 0, byte_step = 0, count = 0;
  Int128 first_index = 0, index_step = 1;
  Expression value;
};

struct Buffer {
  std::string name;
  ElementType type = ElementType::U32;
  uint64_t bytes = 0;
  std::optional<uint32_t> binding;  // none: reached by its address only
  uint32_t set = 0;
  uint32_t array_element = 0;
  bool uniform = false;
  bool inline_block = false;                 // an inline uniform block that holds the contents
  bool null = false;                         // its descriptor is a null descriptor
  bool scratch = false;                      // its contents after the run are not looked at
  bool unwritten = false;                    // nobody but shaders writes it, not even a value
  uint64_t descriptor_offset = 0;            // bytes
  std::optional<uint64_t> descriptor_range;  // bytes; none: to the end
  std::optional<uint32_t> dynamic_offset;    // bytes; makes the descriptor a dynamic one
  std::optional<uint64_t> address;           // the device address that it must have
  std::vector<std::byte> contents;           // of its first bytes, out of a file
  std::vector<Elements> initial;             // over that; the rest is kUnwritten bytes
};

// One more descriptor of a buffer.
struct ExtraDescriptor {
  size_t buffer = 0;
  uint32_t set = 0, binding = 0, array_element = 0;
  bool uniform = false;
  uint64_t offset = 0;            // bytes
  std::optional<uint64_t> range;  // bytes; none: to the end
};

// What memory holds that nobody has written: a value that no test expects by chance.
inline constexpr std::byte kUnwritten{0xa5};

// A result may differ from the expectation by any one of these; exact when all are 0.
struct Tolerance {
  double absolute = 0, relative = 0, ulp = 0;
};

struct Expectation {
  std::vector<Elements> elements;  // a list gives one for each item
  // Out of a file: what `elements`, which is one without a value, has to be.
  std::vector<std::byte> contents;
  Tolerance tolerance;
  uint32_t line = 0;
};

struct MatrixView {
  size_t buffer = 0;
  ElementType type = ElementType::F32;
  uint32_t rows = 0, columns = 0;
  bool column_major = false;
  uint64_t stride = 0, offset = 0;  // elements
};

// result = a * b (+ c), against a model of higher precision; the tolerance follows from the types.
struct MatmulExpectation {
  MatrixView result, a, b;
  std::optional<MatrixView> c;
  uint32_t steps = 1;  // multiply-adds along K, each of which may round to the accumulator's type
  ElementType accumulator = ElementType::F32;  // of these; result's type unless said
  bool saturating = false;
  uint32_t line = 0;
};

// An expression that must not be 0 after the run.
struct Check {
  Expression condition;
  std::string text;
  uint32_t line = 0;
};

// How many of the messages of debugPrintfEXT match a regular expression.
struct PrintExpectation {
  std::string pattern;
  uint32_t times = 1;
  uint32_t line = 0;
};

// Messages of debugPrintfEXT that follow each other, as regular expressions; others may stand
// between.
struct OrderExpectation {
  std::vector<std::string> patterns;
  uint32_t line = 0;
};

// Findings of one kind of the driver's checks.
struct FindingExpectation {
  std::string check, kind;
  uint32_t times = 1;
  std::vector<std::string> patterns;  // each is found in the text
  uint32_t line = 0;
};

// How often the driver may say of a pipeline that something was not made fast, by the name of the
// statistic (docs/fast-shaders.md).
struct RemarkExpectation {
  std::string name;
  uint32_t most = 0;
  uint32_t line = 0;
  // Parts of the names, and of what they do, of devices that may say more.
  std::vector<std::string> other_devices;
};

struct SpecializationValue {
  uint32_t id;
  ElementType type;
  Value value;
};

// What a packed list of values looks like before addresses are known.
struct PackedValue {
  uint64_t offset;
  ElementType type;
  Expression value;
};

struct Dispatch {
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::array<uint32_t, 3> base{0, 0, 0};
  std::optional<std::pair<size_t, uint64_t>> indirect;  // buffer, offset in bytes
  std::string entry_point = "main";
  std::vector<SpecializationValue> specializations;
  std::vector<PackedValue> push;
  uint32_t push_bytes = 0;
  uint32_t subgroup_size = 0;  // 0: the device's own
  bool full_subgroups = false;
  bool unordered = false;  // no barrier between the dispatch before and this one
  uint32_t line = 0;
};

// A multiplication of cooperative matrices that the device lists, in its sizes or in multiples.
struct MatrixRequirement {
  uint32_t m, n, k;
  ElementType a, b, c, result;
  bool saturating = false;
  uint32_t invocations = 0;  // of a workgroup that holds the matrices; 0: subgroups do
};

enum class MatrixUse : uint8_t { A, B, Accumulator };

// A cooperative matrix that is one of some multiplication that the device lists.
struct MatrixTypeRequirement {
  uint32_t rows, columns;
  MatrixUse use;
  ElementType type;
  uint32_t invocations = 0;  // as above
};

struct Requirements {
  std::vector<std::string> names;  // features and VK_ extensions
  std::vector<MatrixRequirement> matrices;
  std::vector<MatrixTypeRequirement> matrix_types;
  std::vector<std::string> subgroup_operations;  // as VK_SUBGROUP_FEATURE_*_BIT, in lower case
  uint32_t api_version = 0;                      // VK_MAKE_API_VERSION; 0: any
  uint32_t shared_bytes = 0;
  std::optional<std::pair<uint32_t, uint32_t>> subgroup_size;  // of the device's own
};

struct CompileOptions {
  std::vector<std::pair<std::string, std::string>> defines;
  bool optimize = false;
  bool debug_info = false, debug_lines = false;
  bool validate = true;
  std::vector<std::pair<uint32_t, uint32_t>> patched_words;  // index, new value
  std::optional<uint32_t> truncated_words;
};

struct Kernel {
  KernelSource source;
  std::filesystem::path module;  // of a source without a shader: the file that has it
  CompileOptions compile;
  Requirements requirements;
  // robustBufferAccess (and 2, and nullDescriptor, where the device has them)
  bool robust = false;
  bool robust_pipelines = false;  // that, for pipelines of a device without
  // Of the driver (host::Settings).
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<Buffer> buffers;
  std::vector<ExtraDescriptor> extra_descriptors;
  std::vector<Dispatch> dispatches;
  std::vector<Expectation> expectations;
  std::vector<MatmulExpectation> matmuls;
  std::vector<Check> checks;
  std::vector<PrintExpectation> prints;      // of all messages, unless it is empty
  std::vector<OrderExpectation> orders;      // of messages
  std::vector<RemarkExpectation> remarks;    // of each pipeline
  std::vector<FindingExpectation> findings;  // all that there are
  // A function of another language makes what must come out, within this (bench/suite).
  std::optional<Tolerance> peer;
  std::optional<std::string> refusal;  // pipeline creation fails with a message that matches
};

// Nothing is said about what must come out.
bool expectsNothing(const Kernel& kernel);

// Whether a kernel is to say what must come out.
enum class Aim : uint8_t { Test, Run };

// Throws FormatError, and std::runtime_error for a file that it names.
Kernel parseKernel(KernelSource source, Aim aim = Aim::Test);

}  // namespace kernels

// SPDX-License-Identifier: Apache-2.0

// What is asked of the compiler, and why it may refuse. No LLVM here: the compiler's clients see
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "jit/matrix/layout.h"
#include "runtime/check/kinds.h"

namespace jit {

// Limits of a kernel; the Vulkan limits are these.
inline constexpr uint32_t kMaxWorkgroupInvocations = 1024;  // in all, and in each dimension
inline constexpr uint32_t kMaxBufferRange = 0xffff0000;     // bytes of a descriptor
inline constexpr uint32_t kMaxSharedBytes = 64 * 1024;      // Workgroup storage class
inline constexpr uint32_t kMaxVectorComponents = 1024;
inline constexpr uint32_t kMinSubgroupSize = 8;
inline constexpr uint32_t kMaxSubgroupSize = 64;

enum class DescriptorKind : uint8_t { UniformBuffer, StorageBuffer, InlineUniformBlock };

// Where the descriptors of one binding lie in the memory of their set.
struct BindingLayout {
  uint32_t set;
  uint32_t binding;
  DescriptorKind kind;
  uint32_t count;         // array length; bytes of an inline uniform block
  uint32_t offset;        // bytes from the start of the set's memory to element 0;
                          // elements are rt::BufferDescriptor, one after the other, or the
                          // contents of the inline uniform block
  int32_t dynamic_index;  // of element 0 in rt::DispatchArgs::dynamic_offsets, -1: not dynamic
};

// One entry of VkSpecializationInfo.
struct Specialization {
  uint32_t id;
  std::span<const std::byte> value;  // 1 (bool as given: 4), 1, 2, 4 or 8 bytes
};

// What the check of memory finds wrong with accesses to buffers, and what it does then.
struct MemoryCheck {
  // That they are outside; not where the application has asked for robust access, which allows it.
  bool storage_buffers = true, uniform_buffers = true;
  bool null_descriptors = true;
  // They are carried out as long as they stay inside of one allocation (rt::CheckAction::Report).
  bool carries_out = false;
  bool operator==(const MemoryCheck&) const = default;
};

// Everything besides the module itself that the machine code depends on.
struct KernelRequest {
  std::span<const uint32_t> spirv;
  std::string_view entry_point;
  std::span<const Specialization> specializations;
  std::span<const BindingLayout> bindings;
  uint32_t subgroup_size = 32;  // 8, 16, 32 or 64
  bool require_full_subgroups = false;
  // Descriptors may have more than kMaxBufferRange bytes (VK_EXT_shader_64bit_indexing).
  bool large_buffers = false;
  bool robust_storage_buffers = true;  // out-of-bounds reads give 0, writes are dropped
  bool robust_uniform_buffers = true;
  // The same for variables: Workgroup, Private and Function memory, push constants; and for indices
  // into arrays of descriptors, past whose end there are null descriptors.
  bool robust_variables = false;
  // What the kernel reports while it runs (runtime/check/). Checks want robust access of all
  // kinds, as that is what leaves an access out.
  rt::CheckSet checks;
  MemoryCheck memory_check;
  rt::DecisionSet undefined_decisions = rt::DecisionSet::all();  // what the uninit check reports
  coopmat::Mapping component_layout = coopmat::Mapping::Native;
  const coopmat::Tables* matrices = nullptr;  // null: all that there are
  std::string name;                           // for dumps and messages; may be empty

  const coopmat::Tables& tables() const {
    return matrices != nullptr ? *matrices : coopmat::ownTables();
  }
};

// For messages and tools.
inline std::string nameOf(const KernelRequest& request) {
  if (!request.name.empty()) return request.name;
  return "entry point \"" + std::string(request.entry_point) + "\"";
}

// What a stage of a compilation made, as text for people.
struct Representation {
  std::string stage;
  std::string extension;  // what a file of it would be called: tells the language
  std::string text;
};

// When a compilation was at something: a stage, or one of the passes, which are inside of stages.
struct StageTime {
  const char* name;     // a literal
  uint64_t begin, end;  // nanoseconds of rt::now()
};

// Why a request was refused.
struct CompileError {
  enum class Kind : uint8_t {
    Malformed,    // the module is not valid SPIR-V, or the entry point is missing
    Unsupported,  // valid, but needs what this driver does not have
    OutOfMemory,
    TimeLimit,  // it took longer than Options::time_limit
    Internal,   // a defect of the compiler; the process goes on
  };
  Kind kind;
  std::string message;  // module, instruction, reason, remedy; one line or more, no newline at end
};

}  // namespace jit

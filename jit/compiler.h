// SPDX-License-Identifier: Apache-2.0

// The door of the compiler: SPIR-V in, a kernel in memory out. Knows neither Vulkan handles nor
// the clients of the driver; no LLVM type appears here, so its users need no LLVM headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "jit/base/remark.h"
#include "jit/matrix/layout.h"
#include "runtime/cpu_features.h"
#include "runtime/kernel_abi.h"

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
  coopmat::Mapping component_layout = coopmat::Mapping::Native;
  std::string name;  // for dumps and messages; may be empty
};

// What a stage of a compilation made, as text for people.
struct Representation {
  std::string stage;
  std::string extension;  // what a file of it would be called: tells the language
  std::string text;
};

// What a compilation gives besides the kernel; nothing of it where null. Empty when the request is
// refused.
struct CompileOutputs {
  std::vector<std::byte>* binary = nullptr;  // the kernel without any address of this process
  std::vector<Representation>* representations = nullptr;  // in the order of the stages
  std::vector<Remark>* remarks = nullptr;                  // in the order of the passes
};

// A compiled kernel. Immutable; lives as long as somebody holds it, and keeps its code alive.
struct Kernel {
  rt::KernelFunction entry;
  std::array<uint32_t, 3> workgroup_size;
  uint32_t subgroup_size;
  uint32_t shared_bytes;           // of rt::WorkgroupMemory
  uint32_t declared_shared_bytes;  // what of it counts against maxComputeSharedMemorySize
  uint32_t scratch_bytes;
  bool shares_panels, runs_rows;     // of rt::KernelImage
  RemarkCounts remarks;              // what of it was not made fast
  uint32_t used_sets;                // a bit for each descriptor set that the code reads
  uint64_t code_bytes;               // of machine code
  std::shared_ptr<const void> code;  // owner of it
};

// Tells a kernel from all others: a hash over everything that its code depends on, which is the
// request without its name, the compiler's target and the build of this driver. The key of an empty
// request tells targets and builds apart.
using KernelKey = std::array<uint8_t, 32>;

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

// Compiles kernels for one instruction set. Thread-safe: requests may run in parallel.
class Compiler {
 public:
  struct Options {
    rt::Isa isa;                               // ceiling, already checked against the machine
    bool exact = false;                        // TESSERA_NUMERICS=exact: see docs/numerics.md
    bool checks_shapes = false;                // TESSERA_CHECK_SHAPES=1: see analysis/lane_shape.h
    bool interruptible = false;                // kernels heed rt::DispatchArgs::stop
    uint64_t time_limit = 0;                   // nanoseconds for a kernel; 0: none
    std::string dump_directory;                // TESSERA_DUMP; empty: none
    std::vector<std::string> dump_after = {};  // passes; their IR is in the dumps too; all: of each
    std::function<void(std::string_view)> warn;  // messages that are no errors; may be empty
  };
  static std::variant<std::unique_ptr<Compiler>, CompileError> create(Options options);
  virtual ~Compiler() = default;
  virtual std::variant<std::shared_ptr<const Kernel>, CompileError> compile(
      const KernelRequest& request, const CompileOutputs& outputs = {}) = 0;
  virtual KernelKey keyOf(const KernelRequest& request) const = 0;
  // The kernel of a binary that this build of the driver made for the same target, in this process
  // or in another. Its code will run as it is: who keeps binaries sees to it that they come back
  // unchanged. What is obviously none is refused, as Malformed.
  virtual std::variant<std::shared_ptr<const Kernel>, CompileError> load(
      std::span<const std::byte> binary) = 0;
};

}  // namespace jit

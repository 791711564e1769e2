// SPDX-License-Identifier: Apache-2.0

// The interface of the compiler: SPIR-V in, a kernel in memory out. Knows neither Vulkan handles
// nor the clients of the driver; no LLVM type appears here, so its users need no LLVM headers.
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

#include "jit/base/kernel_request.h"
#include "jit/base/remark.h"
#include "runtime/cpu_features.h"
#include "runtime/kernel_abi.h"

namespace jit {

// What a compilation gives besides the kernel; nothing of it where null. Empty when the request is
// refused, but for the stages.
struct CompileOutputs {
  std::vector<std::byte>* binary = nullptr;  // the kernel without any address of this process
  std::vector<Representation>* representations = nullptr;  // in the order of the stages
  std::vector<Remark>* remarks = nullptr;                  // in the order of the passes
  std::vector<StageTime>* stages = nullptr;                // in the order of their ends
};

// A compiled kernel. Immutable; lives as long as somebody holds it, and keeps its code alive.
struct Kernel {
  rt::KernelFunction entry;
  std::array<uint32_t, 3> workgroup_size;
  uint32_t subgroup_size;
  uint32_t shared_bytes;           // of rt::WorkgroupMemory
  uint32_t declared_shared_bytes;  // what of it counts against maxComputeSharedMemorySize
  uint32_t scratch_bytes;
  bool shares_panels, runs_rows, is_unordered, in_order;  // of rt::KernelImage
  RemarkCounts remarks;                                   // what of it was not made fast
  bool uses_tiles;                   // of the hardware: it may run where they are permitted
  uint32_t used_sets;                // a bit for each descriptor set that the code reads
  uint64_t code_bytes;               // of machine code
  std::shared_ptr<const void> code;  // owner of it
};

// Tells a kernel from all others: a hash over everything that its code depends on, which is the
// request without its name, the compiler's target and the build of this driver. The key of an empty
// request tells targets and builds apart.
using KernelKey = std::array<uint8_t, 32>;

// Compiles kernels for one instruction set. Thread-safe: requests may run in parallel.
//
// The system's permission for tiles of the hardware (runtime/tile_permission.h) is asked for when
// the first request comes, for a key or for a kernel, whose module declares cooperative matrices,
// or the first binary with tile instructions. Where it is refused, a warning says so once, and
// modules are compiled without, under another key.
class Compiler {
 public:
  struct Options {
    rt::Isa isa;                               // ceiling, already checked against the machine
    rt::Tiles tiles = rt::Tiles::Hardware;     // TESSERA_TILES
    bool exact = false;                        // TESSERA_NUMERICS=exact: see docs/numerics.md
    bool checks_shapes = false;                // TESSERA_CHECK_SHAPES=1: see analysis/lane_shape.h
    bool interruptible = false;                // kernels heed rt::DispatchArgs::stop
    uint64_t time_limit = 0;                   // nanoseconds for a kernel; 0: none
    bool perf_dump = false;                    // TESSERA_PERF=jitdump
    bool debuggers = false;                    // know the code (TESSERA_DEBUG)
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
  // unchanged. What is obviously none is refused, as Malformed. `name`: for perf.
  virtual std::variant<std::shared_ptr<const Kernel>, CompileError> load(
      std::span<const std::byte> binary, const std::string& name = {}) = 0;
};

}  // namespace jit

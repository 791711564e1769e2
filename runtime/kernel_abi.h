// SPDX-License-Identifier: Apache-2.0

// The contract between generated code and the runtime that calls it: everything that a kernel
// reads from its environment, and nothing else. Offsets are part of the contract (the compiler
// emits loads at them), so each is asserted below.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rt {

// Limits that size the structures below; the Vulkan limits are derived from them.
inline constexpr uint32_t kMaxDescriptorSets = 8;
inline constexpr uint32_t kMaxPushConstantBytes = 256;
inline constexpr uint32_t kMaxDynamicBuffers = 32;

// What a dispatch may have in each direction, its base included. Kernels count on it: no number of
// an invocation is 2^31 or more, as a workgroup has 1024 of them at most.
inline constexpr uint32_t kMaxWorkgroupCount[3] = {(1 << 21) - 1, (1 << 16) - 1, (1 << 16) - 1};

// Alignment, in bytes, of the memory in WorkgroupMemory: one cache line, one AMX tile row.
inline constexpr size_t kWorkgroupMemoryAlignment = 64;

// What a uniform or storage buffer descriptor is in the memory of a descriptor set.
// A null descriptor has size 0. `size` is in bytes and already clipped to the buffer's end.
struct BufferDescriptor {
  std::byte* address;
  uint64_t size;
};
static_assert(sizeof(BufferDescriptor) == 16);

class DebugPrintf;
class Checker;
class ProductCounts;

// The same for every workgroup of a dispatch. Read-only while kernels run.
struct DispatchArgs {
  // Memory of each bound descriptor set, laid out as jit::BindingLayout says; null when unbound.
  const std::byte* sets[kMaxDescriptorSets];
  // Offsets in bytes that are added to dynamic uniform and storage buffers, by
  // jit::BindingLayout::dynamic_index.
  uint32_t dynamic_offsets[kMaxDynamicBuffers];
  std::byte push_constants[kMaxPushConstantBytes];
  uint32_t workgroup_count[3];      // NumWorkgroups
  uint32_t base_workgroup[3];       // of vkCmdDispatchBase; already added to the ids passed below
  const DebugPrintf* debug_printf;  // null: nowhere
  // Left 0: end early. Only kernels that were compiled to be interruptible read it.
  const std::atomic<uint64_t>* stop;
  Checker* checker;  // null: none. Only kernels that were compiled to be checked read it.
  // A byte for each part of the kernel's code, set where it runs (jit/coverage_map.h). Only kernels
  // that were compiled to do so write it.
  std::byte* coverage;
  ProductCounts* products;  // Only kernels that were compiled to count their products write it.
};
static_assert(offsetof(DispatchArgs, dynamic_offsets) == 64);
static_assert(offsetof(DispatchArgs, push_constants) == 192);
static_assert(offsetof(DispatchArgs, workgroup_count) == 448);
static_assert(offsetof(DispatchArgs, base_workgroup) == 460);
static_assert(offsetof(DispatchArgs, debug_printf) == 472);
static_assert(offsetof(DispatchArgs, stop) == 480);
static_assert(offsetof(DispatchArgs, checker) == 488);
static_assert(offsetof(DispatchArgs, coverage) == 496);
static_assert(offsetof(DispatchArgs, products) == 504);

// Memory of the worker that runs the workgroup, reused by the next one and not cleared between.
// Aligned to kWorkgroupMemoryAlignment.
struct WorkgroupMemory {
  std::byte* shared;   // Workgroup storage class: Kernel::shared_bytes
  std::byte* scratch;  // the kernel's own: values that live across barriers, packed matrices:
                       // Kernel::scratch_bytes
};
static_assert(sizeof(WorkgroupMemory) == 16);

// Runs `count` workgroups to their end. (x, y, z) is the WorkgroupId, base included, of the first
// one; the others follow along x. More than one only where KernelImage::runs_rows says so.
// The caller sets MXCSR to rounding to nearest, all exceptions masked, no flushing of denormals;
// kernels leave it so.
using KernelFunction = void (*)(const DispatchArgs* dispatch, const WorkgroupMemory* memory,
                                uint32_t x, uint32_t y, uint32_t z, uint32_t count);

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

// Dispatches: what is bound becomes the arguments of the kernel.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "icd/command_buffer.h"
#include "icd/descriptor_layout.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/program.h"

namespace icd {
namespace {

using Counts = std::array<uint32_t, 3>;

std::unique_ptr<const rt::DispatchArgs> argumentsOf(const CommandBuffer& buffer, const Counts& base,
                                                    const Counts& count) {
  const CommandBuffer::State& state = buffer.state;
  auto args = std::make_unique<rt::DispatchArgs>();
  args->debug_printf = &buffer.device.debug_printf;
  args->checker = buffer.device.checker();
  args->stop = &buffer.device.runtime.stopSignal().word();
  for (size_t set = 0; set < state.sets.size(); ++set) {
    const CommandBuffer::BoundSet& bound = state.sets[set];
    args->sets[set] = bound.memory;
    const DynamicRange& range = state.program->dynamic_ranges[set];
    std::copy_n(bound.dynamic_offsets.begin(), range.count, args->dynamic_offsets + range.first);
  }
  std::ranges::copy(state.push_constants, args->push_constants);
  std::ranges::copy(count, args->workgroup_count);
  std::ranges::copy(base, args->base_workgroup);
  return args;
}

// Why what is bound cannot be dispatched, or null: kernels trust the memory of their sets.
const char* obstacle(const CommandBuffer::State& state) {
  if (state.program == nullptr) return "no compute pipeline or shader is bound";
  for (size_t set = 0; set < state.sets.size(); ++set) {
    const auto& needed = state.program->set_layouts[set];
    const auto& bound = state.sets[set].layout;
    if (needed == nullptr || needed == bound) continue;
    if (bound == nullptr) return "the shader reads a descriptor set that is not bound";
    if (*needed != *bound)
      return "a descriptor set that the shader reads is bound with a layout unlike the pipeline's";
  }
  return nullptr;
}

bool isReady(const char* command, VkCommandBuffer buffer) {
  const char* reason = obstacle(CommandBuffer::from(buffer)->state);
  if (reason == nullptr) return true;
  failCommand<void>(command, reason, VK_ERROR_UNKNOWN, buffer);
  return false;
}

void dispatch(const char* command, VkCommandBuffer handle, const Counts& base,
              const Counts& count) {
  if (!isReady(command, handle)) return;
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  const auto& most =
      buffer.device.physical_device.properties.v10.properties.limits.maxComputeWorkGroupCount;
  for (int i = 0; i < 3; ++i)
    if (base[i] > most[i] || count[i] > most[i] - base[i])
      return failCommand<void>(command, "more workgroups than maxComputeWorkGroupCount",
                               VK_ERROR_UNKNOWN, handle);
  buffer.record(rt::Dispatch{.kernel = buffer.state.program->kernel,
                             .args = argumentsOf(buffer, base, count)});
}

// Nothing if `counts` is null, which has been reported.
void dispatchIndirect(const char* command, CommandBuffer& buffer, const std::byte* counts) {
  if (counts == nullptr) return;
  // Between counts lie others, enough for hours.
  if (reinterpret_cast<uintptr_t>(counts) % 4 != 0)
    return failCommand<void>(command, "the counts do not lie at a multiple of 4", VK_ERROR_UNKNOWN,
                             buffer.handle());
  buffer.record(rt::DispatchIndirect{.kernel = buffer.state.program->kernel,
                                     .args = argumentsOf(buffer, {0, 0, 0}, {0, 0, 0}),
                                     .workgroup_count = counts});
}

}  // namespace

void vkCmdDispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y, uint32_t z) {
  dispatch("vkCmdDispatch", buffer, {0, 0, 0}, {x, y, z});
}

void vkCmdDispatchBase(VkCommandBuffer buffer, uint32_t base_x, uint32_t base_y, uint32_t base_z,
                       uint32_t x, uint32_t y, uint32_t z) {
  dispatch("vkCmdDispatchBase", buffer, {base_x, base_y, base_z}, {x, y, z});
}

void vkCmdDispatchIndirect(VkCommandBuffer handle, VkBuffer indirect, VkDeviceSize offset) {
  constexpr const char* kName = "vkCmdDispatchIndirect";
  if (!isReady(kName, handle)) return;
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  dispatchIndirect(kName, buffer,
                   buffer.resolve(kName, indirect, offset, sizeof(VkDispatchIndirectCommand)));
}

void vkCmdDispatchIndirect2KHR(VkCommandBuffer handle, const VkDispatchIndirect2InfoKHR* info) {
  constexpr const char* kName = "vkCmdDispatchIndirect2KHR";
  if (!isReady(kName, handle)) return;
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  dispatchIndirect(kName, buffer,
                   buffer.resolve(kName, info->addressRange, sizeof(VkDispatchIndirectCommand)));
}

}  // namespace icd

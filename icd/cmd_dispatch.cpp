// SPDX-License-Identifier: Apache-2.0

// Dispatches: what is bound becomes the arguments of the kernel.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

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
  args->coverage = state.program->coverage;
  if (const auto& profile = state.program->kernel->profile) args->products = &profile->products;
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

// Of the buffers that the sets of a profiled kernel name now; of a binding whose number of elements
// each set chooses nobody knows here how many there are.
uint64_t boundBytes(const CommandBuffer::State& state) {
  uint64_t bytes = 0;
  if (state.program->kernel->profile == nullptr) return bytes;
  for (size_t set = 0; set < state.sets.size(); ++set) {
    const DescriptorLayout* layout = state.program->set_layouts[set].get();
    if (layout == nullptr || state.sets[set].memory == nullptr) continue;
    const size_t count = layout->bindings.size() - (layout->last_is_variable ? 1 : 0);
    for (const DescriptorBinding& binding : std::span(layout->bindings).first(count)) {
      if (!isBuffer(binding.type)) continue;
      for (uint32_t k = 0; k < binding.count; ++k) {
        rt::BufferDescriptor descriptor;
        const size_t at = binding.offset + k * sizeof descriptor;
        std::memcpy(&descriptor, state.sets[set].memory + at, sizeof descriptor);
        bytes += descriptor.size;
      }
    }
  }
  return bytes;
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

// With what captures it around it. `counts`: of an indirect one.
template <typename Command>
void record(CommandBuffer& buffer, Command command, const std::byte* counts) {
  const Program& program = *buffer.state.program;
  if (program.captured_shader == nullptr) return buffer.record(std::move(command));
  std::array<uint32_t, rt::kMaxDescriptorSets> first_dynamic{};
  for (size_t set = 0; set < first_dynamic.size(); ++set)
    first_dynamic[set] = program.dynamic_ranges[set].first;
  auto captured =
      std::make_shared<CapturedDispatch>(buffer.device.capture, program.captured_shader,
                                         *command.args, program.set_layouts, first_dynamic, counts);
  buffer.record(rt::Callback{[captured] { captured->begin(); }});
  buffer.record(std::move(command));
  buffer.record(rt::Callback{[captured] { captured->end(); }});
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
  record(buffer,
         rt::Dispatch{.kernel = buffer.state.program->kernel,
                      .args = argumentsOf(buffer, base, count),
                      .bound_bytes = boundBytes(buffer.state)},
         nullptr);
}

// Nothing if `counts` is null, which has been reported.
void dispatchIndirect(const char* command, CommandBuffer& buffer, const std::byte* counts) {
  if (counts == nullptr) return;
  // Between counts lie others, enough for hours.
  if (reinterpret_cast<uintptr_t>(counts) % 4 != 0)
    return failCommand<void>(command, "the counts do not lie at a multiple of 4", VK_ERROR_UNKNOWN,
                             buffer.handle());
  record(buffer,
         rt::DispatchIndirect{.kernel = buffer.state.program->kernel,
                              .args = argumentsOf(buffer, {0, 0, 0}, {0, 0, 0}),
                              .workgroup_count = counts,
                              .bound_bytes = boundBytes(buffer.state)},
         counts);
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

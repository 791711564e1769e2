// SPDX-License-Identifier: Apache-2.0

// VkCommandBuffer: records runtime commands. What is bound is gathered into each dispatch as it is
// recorded, so a list needs nothing of this object when it runs.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "icd/handles.h"
#include "runtime/commands.h"
#include "runtime/kernel_abi.h"

namespace icd {

struct DescriptorLayout;
struct Device;
struct Program;

struct CommandBuffer : Dispatchable<CommandBuffer, VkCommandBuffer> {
  explicit CommandBuffer(Device& device) : device(device) {}

  // A descriptor set with its own dynamic offsets, in the order of its layout.
  struct BoundSet {
    const std::byte* memory = nullptr;
    std::shared_ptr<const DescriptorLayout> layout;        // of the memory
    std::shared_ptr<const std::vector<std::byte>> pushed;  // owns the memory of pushed ones
    std::array<uint32_t, rt::kMaxDynamicBuffers> dynamic_offsets{};
  };

  // What dispatches read and binding commands write.
  struct State {
    const Program* program = nullptr;  // of a pipeline or a shader object
    std::array<BoundSet, rt::kMaxDescriptorSets> sets;
    std::array<std::byte, rt::kMaxPushConstantBytes> push_constants{};
  };

  void reset();
  VkResult end();  // the first failure since the last reset
  void record(rt::Command command);
  // All that a secondary command buffer has recorded. False if that cannot be executed.
  bool recordAll(const CommandBuffer& secondary);
  // Keeps memory that recorded commands refer to for as long as they may run.
  void keep(std::shared_ptr<const void> memory);
  void fail(VkResult result);
  // Recorded to the end without a failure: may be submitted, or executed by others.
  bool isExecutable() const { return ended_ && failure_ == VK_SUCCESS; }

  // Bytes [offset, offset + size) of a buffer; null, and the recording fails with a message in
  // the name of `command`, when they are not inside it or it has no memory.
  std::byte* resolve(const char* command, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size);
  // The same for `size` bytes at an address: null when that is 0 or the range is smaller. Addresses
  // are the process's own and, as in shaders, not checked against anything.
  std::byte* resolve(const char* command, const VkDeviceAddressRangeKHR& range, VkDeviceSize size);

  // What was recorded, to be submitted any number of times.
  std::shared_ptr<const rt::CommandList> list() const { return list_; }

  Device& device;
  State state;
  std::string name;                             // that the application has given it
  std::list<CommandBuffer>::iterator position;  // in its pool

 private:
  // Replaced, never cleared: a submission may still hold the old one.
  std::shared_ptr<rt::CommandList> list_ = std::make_shared<rt::CommandList>();
  VkResult failure_ = VK_SUCCESS;
  bool ended_ = false;
  // Levels of command buffers that this one executes (specification, "Nested Command Buffers").
  uint32_t levels_ = 0;
};

}  // namespace icd

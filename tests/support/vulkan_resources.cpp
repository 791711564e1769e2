// SPDX-License-Identifier: Apache-2.0

// What a dispatch reads and writes: buffers, and the descriptors that say where they are.
#include <algorithm>

#include "tests/support/vulkan_host.h"

namespace host {

// --- Buffer

Buffer::Buffer(const Device& device, VkDeviceSize bytes, VkDeviceSize guard, bool is_mapped)
    : device_(device), bytes_(bytes + guard) {
  const Functions& functions = device.functions();
  const bool addressed = device.features().find("bufferDeviceAddress").value_or(false);
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  if (addressed) info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  check(functions.vkCreateBuffer(device.handle(), &info, nullptr, &buffer_), "vkCreateBuffer");
  try {
    VkMemoryRequirements requirements;
    functions.vkGetBufferMemoryRequirements(device.handle(), buffer_, &requirements);
    VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    if (addressed) allocate.pNext = &flags;
    allocate.allocationSize = std::max(requirements.size, bytes + guard);
    allocate.memoryTypeIndex = device.memoryType(requirements.memoryTypeBits);
    check(functions.vkAllocateMemory(device.handle(), &allocate, nullptr, &allocation_),
          "vkAllocateMemory");
    check(functions.vkBindBufferMemory(device.handle(), buffer_, allocation_, 0),
          "vkBindBufferMemory");
    if (is_mapped) map();
  } catch (...) {
    functions.vkDestroyBuffer(device.handle(), buffer_, nullptr);
    functions.vkFreeMemory(device.handle(), allocation_, nullptr);
    throw;
  }
  if (addressed) {
    VkBufferDeviceAddressInfo address{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    address.buffer = buffer_;
    address_ = functions.vkGetBufferDeviceAddress(device.handle(), &address);
  }
}

void Buffer::map() {
  void* mapped = nullptr;
  check(
      device_.functions().vkMapMemory(device_.handle(), allocation_, 0, VK_WHOLE_SIZE, 0, &mapped),
      "vkMapMemory");
  memory_ = {static_cast<std::byte*>(mapped), static_cast<size_t>(bytes_)};
}

void Buffer::setName(const std::string& name) {
  const Functions& functions = device_.functions();
  if (functions.vkSetDebugUtilsObjectNameEXT == nullptr) return;
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = VK_OBJECT_TYPE_BUFFER;
  info.objectHandle = reinterpret_cast<uint64_t>(buffer_);
  info.pObjectName = name.c_str();
  check(functions.vkSetDebugUtilsObjectNameEXT(device_.handle(), &info),
        "vkSetDebugUtilsObjectNameEXT");
}

Buffer::~Buffer() {
  device_.functions().vkDestroyBuffer(device_.handle(), buffer_, nullptr);
  device_.functions().vkFreeMemory(device_.handle(), allocation_, nullptr);
}

// --- DescriptorSets

DescriptorSets::DescriptorSets(const Device& device, const ComputePipeline& pipeline,
                               std::span<const BufferBinding> buffers)
    : device_(device) {
  const Functions& functions = device.functions();
  const std::vector<VkDescriptorSetLayout>& layouts = pipeline.setLayouts();
  if (layouts.empty()) return;
  const uint32_t count = static_cast<uint32_t>(buffers.size()) + 1;
  std::vector<VkDescriptorPoolSize> sizes;
  for (VkDescriptorType type :
       {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC}) {
    sizes.push_back({type, count});
  }
  uint32_t inline_bytes = 0, inline_blocks = 0;
  for (const BufferBinding& buffer : buffers) {
    inline_bytes += static_cast<uint32_t>(buffer.inline_data.size());
    inline_blocks += !buffer.inline_data.empty();
  }
  VkDescriptorPoolInlineUniformBlockCreateInfo inline_pool{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO};
  inline_pool.maxInlineUniformBlockBindings = inline_blocks;
  if (inline_blocks != 0) sizes.push_back({VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, inline_bytes});
  VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  if (inline_blocks != 0) pool.pNext = &inline_pool;
  pool.maxSets = static_cast<uint32_t>(layouts.size());
  pool.poolSizeCount = static_cast<uint32_t>(sizes.size());
  pool.pPoolSizes = sizes.data();
  check(functions.vkCreateDescriptorPool(device.handle(), &pool, nullptr, &pool_),
        "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = pool_;
  info.descriptorSetCount = static_cast<uint32_t>(layouts.size());
  info.pSetLayouts = layouts.data();
  sets_.resize(layouts.size());
  const VkResult result = functions.vkAllocateDescriptorSets(device.handle(), &info, sets_.data());
  if (result != VK_SUCCESS) {
    functions.vkDestroyDescriptorPool(device.handle(), pool_, nullptr);
    throw VulkanError("vkAllocateDescriptorSets", result);
  }
  for (const BufferBinding& buffer : buffers) {
    const VkDescriptorBufferInfo where{buffer.buffer, buffer.offset, buffer.range};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = sets_[buffer.set];
    write.dstBinding = buffer.binding;
    write.dstArrayElement = buffer.element;
    write.descriptorCount = 1;
    write.descriptorType = buffer.type;
    write.pBufferInfo = &where;
    VkWriteDescriptorSetInlineUniformBlock block{
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK};
    block.dataSize = static_cast<uint32_t>(buffer.inline_data.size());
    block.pData = buffer.inline_data.data();
    if (!buffer.inline_data.empty()) {
      write.pNext = &block;
      write.descriptorCount = block.dataSize;
    }
    functions.vkUpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
  }
}

DescriptorSets::~DescriptorSets() {
  if (pool_) device_.functions().vkDestroyDescriptorPool(device_.handle(), pool_, nullptr);
}

}  // namespace host

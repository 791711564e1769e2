// SPDX-License-Identifier: Apache-2.0

#include "icd/descriptor_write.h"

#include <algorithm>
#include <cstring>

#include "icd/buffer.h"
#include "icd/chain.h"

namespace icd {
namespace {

// Copies bytes of an inline uniform block.
void writeInline(DescriptorCursor to, std::span<const std::byte> data) {
  while (!data.empty() && to.isInline()) {
    const auto count = static_cast<uint32_t>(std::min<size_t>(to.left(), data.size()));
    std::span<std::byte> target = to.take(count);
    std::memcpy(target.data(), data.data(), target.size());
    data = data.subspan(count);
  }
}

}  // namespace

DescriptorCursor::DescriptorCursor(const DescriptorMemory& memory, uint32_t binding,
                                   uint32_t element)
    : memory_(memory), element_(element) {
  const DescriptorBinding* found = memory.layout.find(binding);
  index_ = found != nullptr ? static_cast<size_t>(found - memory.layout.bindings.data())
                            : memory.layout.bindings.size();
  skipFullBindings();
}

uint32_t DescriptorCursor::countOf(size_t index) const {
  const auto& bindings = memory_.layout.bindings;
  const bool is_last = index + 1 == bindings.size();
  return is_last ? std::min(bindings[index].count, memory_.last_count) : bindings[index].count;
}

void DescriptorCursor::skipFullBindings() {
  for (; index_ < memory_.layout.bindings.size() && element_ >= countOf(index_); ++index_)
    element_ -= countOf(index_);
}

uint32_t DescriptorCursor::left() const {
  if (index_ >= memory_.layout.bindings.size()) return 0;
  return countOf(index_) - element_;
}

std::span<std::byte> DescriptorCursor::take(uint32_t count) {
  const DescriptorBinding& binding = memory_.layout.bindings[index_];
  const size_t bytes = elementBytes(binding.type);
  auto taken = memory_.bytes.subspan(binding.offset + element_ * bytes, count * bytes);
  element_ += count;
  skipFullBindings();
  return taken;
}

void writeBuffer(const VkDescriptorBufferInfo& info, std::span<std::byte> bytes) {
  rt::BufferDescriptor descriptor{};
  const Buffer* buffer = Buffer::from(info.buffer);
  if (buffer != nullptr && buffer->address != nullptr) {
    VkDeviceSize size = buffer->clip(info.offset, info.range);
    descriptor = {.address = size != 0 ? buffer->address + info.offset : nullptr, .size = size};
  }
  std::memcpy(bytes.data(), &descriptor, sizeof descriptor);
}

void writeDescriptors(const DescriptorMemory& memory, const VkWriteDescriptorSet& write) {
  DescriptorCursor to(memory, write.dstBinding, write.dstArrayElement);
  if (isInline(write.descriptorType)) {
    auto* block = findInChain<VkWriteDescriptorSetInlineUniformBlock>(
        write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
    if (block != nullptr)
      writeInline(to, {static_cast<const std::byte*>(block->pData), block->dataSize});
    return;
  }
  for (uint32_t i = 0; i < write.descriptorCount && to.isBuffer(); ++i)
    writeBuffer(write.pBufferInfo[i], to.take(1));
}

DescriptorTemplate::DescriptorTemplate(const VkDescriptorUpdateTemplateCreateInfo& info)
    : entries_(info.pDescriptorUpdateEntries,
               info.pDescriptorUpdateEntries + info.descriptorUpdateEntryCount) {}

void DescriptorTemplate::write(const DescriptorMemory& memory, const void* data) const {
  for (const VkDescriptorUpdateTemplateEntry& entry : entries_) {
    DescriptorCursor to(memory, entry.dstBinding, entry.dstArrayElement);
    auto* from = static_cast<const std::byte*>(data) + entry.offset;
    if (isInline(entry.descriptorType)) {
      writeInline(to, {from, entry.descriptorCount});
      continue;
    }
    for (uint32_t i = 0; i < entry.descriptorCount && to.isBuffer(); ++i) {
      VkDescriptorBufferInfo info;  // the application's memory need not be aligned
      std::memcpy(&info, from + i * entry.stride, sizeof info);
      writeBuffer(info, to.take(1));
    }
  }
}

}  // namespace icd

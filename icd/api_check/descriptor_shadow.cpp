// SPDX-License-Identifier: Apache-2.0

#include "icd/api_check/descriptor_shadow.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "icd/chain.h"

namespace icd {

namespace {

static_assert(sizeof(ObjectId) == sizeof(rt::BufferDescriptor));

// What a null descriptor that was written is.
constexpr ObjectId kNullBuffer{.handle = 0, .serial = ~uint64_t{0}};

void markBuffer(VkBuffer buffer, std::span<std::byte> descriptor, ObjectUses& objects) {
  const ObjectId id = buffer != VK_NULL_HANDLE
                          ? objects.find(VK_OBJECT_TYPE_BUFFER, numberOf(buffer))
                          : kNullBuffer;
  std::memcpy(descriptor.data(), &id, sizeof id);
}

void markInline(DescriptorCursor to, uint32_t bytes) {
  while (bytes != 0 && to.isInline()) {
    const uint32_t count = std::min(to.left(), bytes);
    std::ranges::fill(to.take(count), std::byte{1});
    bytes -= count;
  }
}

}  // namespace

DescriptorShadow::DescriptorShadow(std::shared_ptr<const DescriptorLayout> layout,
                                   uint32_t last_count)
    : layout_(std::move(layout)), last_count_(last_count), bytes_(layout_->bytes) {}

void DescriptorShadow::write(const VkWriteDescriptorSet& write, ObjectUses& objects) {
  DescriptorCursor to(memory(), write.dstBinding, write.dstArrayElement);
  if (icd::isInline(write.descriptorType)) {
    auto* block = findInChain<VkWriteDescriptorSetInlineUniformBlock>(
        write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
    if (block != nullptr) markInline(to, block->dataSize);
    return;
  }
  for (uint32_t i = 0; i < write.descriptorCount && to.isBuffer(); ++i)
    markBuffer(write.pBufferInfo[i].buffer, to.take(1), objects);
}

void DescriptorShadow::write(const VkDescriptorUpdateTemplateEntry& entry, const void* data,
                             ObjectUses& objects) {
  DescriptorCursor to(memory(), entry.dstBinding, entry.dstArrayElement);
  if (icd::isInline(entry.descriptorType)) return markInline(to, entry.descriptorCount);
  auto* from = static_cast<const std::byte*>(data) + entry.offset;
  for (uint32_t i = 0; i < entry.descriptorCount && to.isBuffer(); ++i) {
    VkDescriptorBufferInfo info;  // the application's memory need not be aligned
    std::memcpy(&info, from + i * entry.stride, sizeof info);
    markBuffer(info.buffer, to.take(1), objects);
  }
}

void DescriptorShadow::copy(DescriptorShadow& from_set, const VkCopyDescriptorSet& copy) {
  DescriptorCursor from(from_set.memory(), copy.srcBinding, copy.srcArrayElement);
  DescriptorCursor to(memory(), copy.dstBinding, copy.dstArrayElement);
  for (uint32_t rest = copy.descriptorCount; rest != 0;) {
    const uint32_t count = std::min({rest, from.left(), to.left()});
    if (count == 0 || from.isInline() != to.isInline()) break;
    const std::span<std::byte> source = from.take(count), target = to.take(count);
    std::memmove(target.data(), source.data(), source.size());
    rest -= count;
  }
}

uint32_t DescriptorShadow::countOf(const DescriptorBinding& binding) const {
  const bool is_last = &binding == &layout_->bindings.back();
  return is_last ? std::min(binding.count, last_count_) : binding.count;
}

ObjectId DescriptorShadow::at(const DescriptorBinding& binding, uint32_t element) const {
  ObjectId id;
  std::memcpy(&id, bytes_.data() + binding.offset + element * sizeof id, sizeof id);
  return id;
}

DescriptorShadow::State DescriptorShadow::stateOf(const DescriptorBinding& binding,
                                                  uint32_t element) const {
  if (icd::isInline(binding.type))
    return bytes_[binding.offset + element] != std::byte{0} ? State::Written : State::NeverWritten;
  const ObjectId id = at(binding, element);
  if (id.serial == 0) return State::NeverWritten;
  return id == kNullBuffer ? State::Null : State::Written;
}

ObjectId DescriptorShadow::bufferOf(const DescriptorBinding& binding, uint32_t element) const {
  return at(binding, element);
}

}  // namespace icd

// SPDX-License-Identifier: Apache-2.0

#include "icd/memory_events.h"

#include <algorithm>

#include "icd/capture.h"
#include "runtime/printable.h"

namespace icd {
namespace {

uint64_t numberOf(const void* handle) { return reinterpret_cast<uintptr_t>(handle); }

void report(Device& device, VkObjectType type, uint64_t object, const std::byte* address,
            VkDeviceSize bytes, VkDeviceAddressBindingTypeEXT what) {
  if (!device.options.reports_bindings || address == nullptr) return;
  device.physical_device.instance.messengers.submitBinding(
      type, object,
      {.sType = VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT,
       .baseAddress = numberOf(address),
       .size = bytes,
       .bindingType = what});
}

}  // namespace

namespace {

// Who knows of memory by its addresses.
template <typename Function>
void forEachMap(Device& device, Function function) {
  if (rt::Checker* checker = device.checker()) function(checker->memory());
  if (device.capture != nullptr) function(device.capture->memory());
}

rt::ShadowMemory* shadowOf(Device& device) {
  rt::Checker* checker = device.checker();
  return checker != nullptr && checker->has(rt::Check::Uninit) ? &checker->shadow() : nullptr;
}

}  // namespace

bool memoryIsThere(Device& device, DeviceMemory& memory, bool is_defined) {
  const uint64_t object = numberOf(memory.handle());
  const uint64_t begin = numberOf(memory.allocation.address());
  const uint64_t bytes = memory.allocation.bytes();
  if (rt::ShadowMemory* shadow = shadowOf(device))
    if (!shadow->add(begin, bytes, is_defined)) return false;
  forEachMap(device, [&](rt::MemoryMap& map) {
    map.addAllocation({.object = object, .begin = begin, .end = begin + bytes});
  });
  report(device, VK_OBJECT_TYPE_DEVICE_MEMORY, object, memory.allocation.address(), bytes,
         VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
  return true;
}

void hostWrites(Device& device, const DeviceMemory& memory, VkDeviceSize offset,
                VkDeviceSize bytes) {
  const rt::Allocation& allocation = memory.allocation;
  if (rt::ShadowMemory* shadow = shadowOf(device))
    shadow->define(numberOf(allocation.address()) + offset,
                   std::min<VkDeviceSize>(bytes, allocation.bytes() - offset));
}

void memoryGoes(Device& device, DeviceMemory& memory) {
  if (rt::ShadowMemory* shadow = shadowOf(device))
    shadow->remove(numberOf(memory.allocation.address()), memory.allocation.bytes());
  const uint64_t object = numberOf(memory.handle());
  forEachMap(device, [&](rt::MemoryMap& map) { map.remove(object); });
  report(device, VK_OBJECT_TYPE_DEVICE_MEMORY, object, memory.allocation.address(),
         memory.allocation.bytes(), VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
}

void bufferIsThere(Device& device, Buffer& buffer) {
  const uint64_t object = numberOf(buffer.handle()), begin = numberOf(buffer.address);
  forEachMap(device, [&](rt::MemoryMap& map) {
    map.addBuffer({.object = object, .begin = begin, .end = begin + buffer.size});
  });
  report(device, VK_OBJECT_TYPE_BUFFER, object, buffer.address, buffer.size,
         VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
}

void bufferGoes(Device& device, Buffer& buffer) {
  const uint64_t object = numberOf(buffer.handle());
  forEachMap(device, [&](rt::MemoryMap& map) { map.remove(object); });
  report(device, VK_OBJECT_TYPE_BUFFER, object, buffer.address, buffer.size,
         VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
}

void memoryIsNamed(Device& device, uint64_t object, const char* name) {
  forEachMap(device, [&](rt::MemoryMap& map) {
    map.rename(object, rt::printable(name != nullptr ? name : ""));
  });
}

}  // namespace icd

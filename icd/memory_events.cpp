// SPDX-License-Identifier: Apache-2.0

#include "icd/memory_events.h"

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

void memoryIsThere(Device& device, DeviceMemory& memory) {
  const uint64_t object = numberOf(memory.handle());
  const uint64_t begin = numberOf(memory.allocation.address());
  const uint64_t bytes = memory.allocation.bytes();
  if (rt::Checker* checker = device.checker())
    checker->memory().addAllocation({.object = object, .begin = begin, .end = begin + bytes});
  report(device, VK_OBJECT_TYPE_DEVICE_MEMORY, object, memory.allocation.address(), bytes,
         VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
}

void memoryGoes(Device& device, DeviceMemory& memory) {
  const uint64_t object = numberOf(memory.handle());
  if (rt::Checker* checker = device.checker()) checker->memory().remove(object);
  report(device, VK_OBJECT_TYPE_DEVICE_MEMORY, object, memory.allocation.address(),
         memory.allocation.bytes(), VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
}

void bufferIsThere(Device& device, Buffer& buffer) {
  const uint64_t object = numberOf(buffer.handle()), begin = numberOf(buffer.address);
  if (rt::Checker* checker = device.checker())
    checker->memory().addBuffer({.object = object, .begin = begin, .end = begin + buffer.size});
  report(device, VK_OBJECT_TYPE_BUFFER, object, buffer.address, buffer.size,
         VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
}

void bufferGoes(Device& device, Buffer& buffer) {
  const uint64_t object = numberOf(buffer.handle());
  if (rt::Checker* checker = device.checker()) checker->memory().remove(object);
  report(device, VK_OBJECT_TYPE_BUFFER, object, buffer.address, buffer.size,
         VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
}

}  // namespace icd

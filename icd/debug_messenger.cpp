// SPDX-License-Identifier: Apache-2.0

#include "icd/debug_messenger.h"

#include <string>

#include "icd/command_buffer.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/instance.h"
#include "icd/memory_events.h"
#include "icd/pipeline.h"
#include "icd/queue.h"
#include "icd/shader_module.h"
#include "icd/shader_object.h"
#include "runtime/printable.h"

namespace icd {
namespace {

VkDebugUtilsMessageSeverityFlagBitsEXT severityOf(rt::LogLevel level) {
  switch (level) {
    case rt::LogLevel::Off:
    case rt::LogLevel::Error:
      return VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    case rt::LogLevel::Warning:
      return VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
    case rt::LogLevel::Info:
      return VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
    case rt::LogLevel::Remark:
      break;
  }
  return VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT;
}

std::string textOf(const VkDebugUtilsLabelEXT& label) {
  return rt::printable(label.pLabelName != nullptr ? label.pLabelName : "");
}

void nameKernel(const Program& program, const std::string& name) {
  program.kernel->given_name.set(name);
  if (const auto& profile = program.kernel->profile) profile->given_name.set(name);
}

// Of what messages and the timeline speak of while commands run.
void nameForTools(const VkDebugUtilsObjectNameInfoEXT& info) {
  const std::string name = rt::printable(info.pObjectName != nullptr ? info.pObjectName : "");
  if (info.objectType == VK_OBJECT_TYPE_PIPELINE)
    nameKernel(*Pipeline::from(reinterpret_cast<VkPipeline>(info.objectHandle)), name);
  if (info.objectType == VK_OBJECT_TYPE_SHADER_EXT)
    nameKernel(*ShaderObject::from(reinterpret_cast<VkShaderEXT>(info.objectHandle)), name);
  if (info.objectType == VK_OBJECT_TYPE_COMMAND_BUFFER)
    CommandBuffer::from(reinterpret_cast<VkCommandBuffer>(info.objectHandle))->name = name;
}

}  // namespace

void DebugMessengers::add(const DebugMessenger& messenger) {
  std::lock_guard lock(mutex_);
  messengers_.push_back(&messenger);
}

void DebugMessengers::remove(const DebugMessenger& messenger) {
  std::lock_guard lock(mutex_);
  std::erase(messengers_, &messenger);
}

void DebugMessengers::submit(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                             VkDebugUtilsMessageTypeFlagsEXT types,
                             const VkDebugUtilsMessengerCallbackDataEXT& data) const {
  std::vector<DebugMessenger> receivers;
  {
    std::lock_guard lock(mutex_);
    for (const DebugMessenger* messenger : messengers_) {
      if ((messenger->severities & severity) != 0 && (messenger->types & types) != 0) {
        receivers.push_back(*messenger);
      }
    }
  }
  for (const DebugMessenger& receiver : receivers) {
    receiver.callback(severity, types, &data, receiver.user_data);
  }
}

void DebugMessengers::submit(rt::LogLevel level, std::string_view message) const {
  std::string text(message);
  VkDebugUtilsMessengerCallbackDataEXT data{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pMessageIdName = "Tessera",
      .pMessage = text.c_str()};
  submit(severityOf(level), VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, data);
}

// Severity, type, name and number are those that the validation layer's messages of debugPrintf
// have, by which tools find them.
void DebugMessengers::submitPrintf(std::string_view message) const {
  std::string text(message);
  VkDebugUtilsMessengerCallbackDataEXT data{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pMessageIdName = "WARNING-DEBUG-PRINTF",
      .messageIdNumber = 0x76589099,
      .pMessage = text.c_str()};
  submit(VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
         VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, data);
}

void DebugMessengers::submitBinding(VkObjectType type, uint64_t object,
                                    const VkDeviceAddressBindingCallbackDataEXT& binding) const {
  const VkDebugUtilsObjectNameInfoEXT about{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = type,
      .objectHandle = object};
  const VkDebugUtilsMessengerCallbackDataEXT data{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pNext = &binding,
      .pMessageIdName = "Tessera",
      .pMessage = binding.bindingType == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT
                      ? "an object has got a device address"
                      : "an object leaves its device address",
      .objectCount = 1,
      .pObjects = &about};
  submit(VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
         VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, data);
}

void DebugMessengers::submitFinding(std::string_view message_id, std::string_view text) const {
  const std::string message(text), id(message_id);
  VkDebugUtilsMessengerCallbackDataEXT data{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pMessageIdName = id.c_str(),
      .pMessage = message.c_str()};
  submit(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
         VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, data);
}

VkResult vkCreateDebugUtilsMessengerEXT(VkInstance instance,
                                        const VkDebugUtilsMessengerCreateInfoEXT* info,
                                        const VkAllocationCallbacks*,
                                        VkDebugUtilsMessengerEXT* messenger) {
  auto created = std::make_unique<DebugMessenger>(*info);
  Instance::from(instance)->messengers.add(*created);
  *messenger = created.release()->handle();
  return VK_SUCCESS;
}

void vkDestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT messenger,
                                     const VkAllocationCallbacks*) {
  if (messenger == VK_NULL_HANDLE) return;
  Instance::from(instance)->messengers.remove(*DebugMessenger::from(messenger));
  destroyObject<DebugMessenger>(messenger);
}

void vkSubmitDebugUtilsMessageEXT(VkInstance instance,
                                  VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                  VkDebugUtilsMessageTypeFlagsEXT types,
                                  const VkDebugUtilsMessengerCallbackDataEXT* data) {
  Instance::from(instance)->messengers.submit(severity, types, *data);
}

// Names are kept where messages and dumps use them.
VkResult vkSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
  const bool is_memory =
      info->objectType == VK_OBJECT_TYPE_BUFFER || info->objectType == VK_OBJECT_TYPE_DEVICE_MEMORY;
  if (is_memory) memoryIsNamed(*Device::from(device), info->objectHandle, info->pObjectName);
  if (info->objectType == VK_OBJECT_TYPE_SHADER_MODULE) {
    ShaderModule* module = ShaderModule::from(reinterpret_cast<VkShaderModule>(info->objectHandle));
    module->name = info->pObjectName != nullptr ? info->pObjectName : "";
  }
  nameForTools(*info);
  return VK_SUCCESS;
}

// Tags mean something to tools only, and none reads them here.
VkResult vkSetDebugUtilsObjectTagEXT(VkDevice, const VkDebugUtilsObjectTagInfoEXT*) {
  return VK_SUCCESS;
}

// Of labels there is the timeline: regions of a queue, which any thread may begin and end, are
// moments there.
void vkQueueBeginDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT* label) {
  vkQueueInsertDebugUtilsLabelEXT(queue, label);
}
void vkQueueEndDebugUtilsLabelEXT(VkQueue) {}
void vkQueueInsertDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT* label) {
  if (rt::Trace* trace = Queue::from(queue)->device.trace.get())
    trace->instant(rt::TraceTrack::Application, "label", textOf(*label));
}
void vkCmdBeginDebugUtilsLabelEXT(VkCommandBuffer handle, const VkDebugUtilsLabelEXT* label) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  if (buffer.device.trace != nullptr) buffer.record(rt::BeginLabel{textOf(*label)});
}
void vkCmdEndDebugUtilsLabelEXT(VkCommandBuffer handle) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  if (buffer.device.trace != nullptr) buffer.record(rt::EndLabel{});
}
void vkCmdInsertDebugUtilsLabelEXT(VkCommandBuffer handle, const VkDebugUtilsLabelEXT* label) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  if (buffer.device.trace != nullptr) buffer.record(rt::InsertLabel{textOf(*label)});
}

}  // namespace icd

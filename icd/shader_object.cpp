// SPDX-License-Identifier: Apache-2.0

// Shader objects (VK_EXT_shader_object). Their binaries hold SPIR-V, which every build of the
// driver takes; what else compiling depends on is given again when one is created, and code that
// was compiled before is in the cache on disk.
#include "icd/shader_object.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "runtime/checksum.h"
#include "runtime/parallel_calls.h"

namespace icd {
namespace {

// At the start of a binary; the words follow.
struct BinaryHeader {
  std::array<uint8_t, VK_UUID_SIZE> uuid;
  uint32_t version;
  uint32_t word_count;
  uint64_t checksum;
};

BinaryHeader headerOf(VkDevice device, std::span<const uint32_t> words) {
  const VkPhysicalDeviceShaderObjectPropertiesEXT& own =
      Device::from(device)->physical_device.properties.shader_object;
  BinaryHeader header{.uuid = {},
                      .version = own.shaderBinaryVersion,
                      .word_count = static_cast<uint32_t>(words.size()),
                      .checksum = rt::checksum(std::as_bytes(words))};
  std::ranges::copy(own.shaderBinaryUUID, header.uuid.begin());
  return header;
}

// Nothing if the code is a binary that is not, or not wholly, this driver's.
std::optional<std::vector<uint32_t>> wordsOf(VkDevice device, const VkShaderCreateInfoEXT& info) {
  std::span code(static_cast<const std::byte*>(info.pCode), info.codeSize);
  const bool binary = info.codeType == VK_SHADER_CODE_TYPE_BINARY_EXT;
  BinaryHeader header;
  if (binary) {
    if (code.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, code.data(), sizeof header);
    code = code.subspan(sizeof header);
  }
  std::vector<uint32_t> words(code.size() / sizeof(uint32_t));
  std::memcpy(words.data(), code.data(), words.size() * sizeof(uint32_t));
  if (binary) {
    const BinaryHeader expected = headerOf(device, words);
    if (std::memcmp(&header, &expected, sizeof header) != 0) return std::nullopt;
  }
  return words;
}

VkResult createShader(VkDevice device, const VkShaderCreateInfoEXT& info, VkShaderEXT* shader) {
  constexpr const char* kCommand = "vkCreateShadersEXT";
  if (info.stage != VK_SHADER_STAGE_COMPUTE_BIT)
    return failCommand<VkResult>(kCommand, "this device has compute shaders only",
                                 VK_ERROR_INITIALIZATION_FAILED, device);
  const VkPipelineLayoutCreateInfo layout_info{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = info.setLayoutCount,
      .pSetLayouts = info.pSetLayouts,
      .pushConstantRangeCount = info.pushConstantRangeCount,
      .pPushConstantRanges = info.pPushConstantRanges};
  if (const char* reason = obstacle(*Device::from(device), layout_info))
    return failCommand<VkResult>(kCommand, reason, VK_ERROR_OUT_OF_DEVICE_MEMORY, device);
  std::optional<std::vector<uint32_t>> words = wordsOf(device, info);
  if (!words) return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
  const PipelineLayout layout(layout_info);
  const PipelineRequest request(*Device::from(device), info, *words, layout);
  auto program = makeProgram(kCommand, *Device::from(device), request, layout);
  // Of an invalid shader this command has no result that says so.
  if (auto* failure = std::get_if<VkResult>(&program))
    return *failure == VK_ERROR_INVALID_SHADER_NV ? VK_ERROR_INITIALIZATION_FAILED : *failure;
  Program& made = std::get<Program>(program);
  made.coverage = Device::from(device)->coverageFor(request.kernel());
  made.captured_shader = capturedShader(*Device::from(device), request, layout);
  return createObject<ShaderObject>(shader, std::move(made), std::move(*words));
}

}  // namespace

// The result belongs to the first that is not made. One thread for each shader, as far as the
// device has processors.
VkResult vkCreateShadersEXT(VkDevice device, uint32_t count, const VkShaderCreateInfoEXT* infos,
                            const VkAllocationCallbacks*, VkShaderEXT* shaders) {
  std::fill_n(shaders, count, VkShaderEXT{VK_NULL_HANDLE});
  std::vector<VkResult> results(count, VK_SUCCESS);
  rt::TraceSpan span(Device::from(device)->trace.get(), rt::TraceTrack::Application, "api",
                     "vkCreateShadersEXT");
  span.add("shaders", uint64_t{count});
  rt::callInParallel(count, Device::from(device)->physical_device.threads, [&](uint32_t i) {
    results[i] = Guarded<&createShader, "vkCreateShadersEXT">::call(device, infos[i], &shaders[i]);
  });
  for (VkResult result : results)
    if (result != VK_SUCCESS) return result;
  return VK_SUCCESS;
}

void vkDestroyShaderEXT(VkDevice, VkShaderEXT shader, const VkAllocationCallbacks*) {
  destroyObject<ShaderObject>(shader);
}

VkResult vkGetShaderBinaryDataEXT(VkDevice device, VkShaderEXT shader, size_t* size, void* data) {
  const std::vector<uint32_t>& words = ShaderObject::from(shader)->words;
  const BinaryHeader header = headerOf(device, words);
  const size_t word_bytes = words.size() * sizeof(uint32_t);
  const size_t bytes = sizeof header + word_bytes;
  const bool fits = data == nullptr || *size >= bytes;
  *size = fits ? bytes : 0;
  if (data == nullptr) return VK_SUCCESS;
  if (!fits) return VK_INCOMPLETE;
  std::memcpy(data, &header, sizeof header);
  std::memcpy(static_cast<std::byte*>(data) + sizeof header, words.data(), word_bytes);
  return VK_SUCCESS;
}

}  // namespace icd

// SPDX-License-Identifier: Apache-2.0

// Pipeline binaries: captured, damaged, and brought back.
#include <array>

#include "tests/fuzz/api_objects.h"

namespace fuzz {

void ApiObjects::useBinaries() {
  if (layouts.empty() || oneIn(2)) return;  // what is stored is compiled, which takes long
  if (stored.size() < 2 || oneIn(8)) {
    storeBinary();
  } else {
    restoreBinary();
  }
}

void ApiObjects::storeBinary() {
  const Layout* layout = any(layouts)->get();
  const VkPipelineCreateFlags2CreateInfo flags{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
      .flags = mistake(8) ? 0 : VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
  VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .pNext = &flags,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = modules[below(modules.size())],
                .pName = "main"},
      .layout = layout->handle};
  const VkPipelineCreateInfoKHR wrapped{.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR,
                                        .pNext = &info};
  VkPipelineBinaryKeyKHR key{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
  expectGood("vkGetPipelineKeyKHR",
             vk.vkGetPipelineKeyKHR(device, oneIn(2) ? &wrapped : nullptr, &key));
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline) < 0) return;
  pipelines.push_back({pipeline, layout});
  VkPipelineBinaryKHR binary = makeBinary(
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline});
  if (binary == VK_NULL_HANDLE) return;
  const VkPipelineBinaryDataInfoKHR from{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR,
                                         .pipelineBinary = binary};
  size_t size = 0;
  vk.vkGetPipelineBinaryDataKHR(device, &from, &key, &size, nullptr);
  std::vector<std::byte> data(size);
  if (oneIn(4)) size = below(size);
  if (vk.vkGetPipelineBinaryDataKHR(device, &from, &key, &size, data.data()) == VK_SUCCESS)
    stored.push_back({key, std::move(data)});
  vk.vkDestroyPipelineBinaryKHR(device, binary, nullptr);
  if (oneIn(2)) {
    const VkReleaseCapturedPipelineDataInfoKHR release{
        .sType = VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR, .pipeline = pipeline};
    expectGood("vkReleaseCapturedPipelineDataKHR",
               vk.vkReleaseCapturedPipelineDataKHR(device, &release, nullptr));
  }
}

// A pipeline of any layout, of which the driver has to see whether it is the right one.
void ApiObjects::restoreBinary() {
  const Stored& chosen = *any(stored);
  std::vector<std::byte> bytes = chosen.data;
  if (mistake(3)) bytes[below(bytes.size())] ^= std::byte{1} << below(8);
  if (mistake(6)) bytes.resize(below(bytes.size()));
  const VkPipelineBinaryDataKHR data{bytes.size(), bytes.data()};
  const VkPipelineBinaryKeysAndDataKHR both{1, &(mistake(6) ? *any(stored) : chosen).key, &data};
  const VkPipelineBinaryKHR binary = makeBinary(
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pKeysAndDataInfo = &both});
  if (binary == VK_NULL_HANDLE) return;
  const std::array<VkPipelineBinaryKHR, 2> twice{binary, binary};
  const VkPipelineBinaryInfoKHR binaries{.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
                                         .binaryCount = mistake(10) ? 2u : 1u,
                                         .pPipelineBinaries = twice.data()};
  const Layout* layout = any(layouts)->get();
  const VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .pNext = &binaries,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .pName = "main"},
      .layout = layout->handle};
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline) >= 0)
    pipelines.push_back({pipeline, layout});
  vk.vkDestroyPipelineBinaryKHR(device, binary, nullptr);
}

VkPipelineBinaryKHR ApiObjects::makeBinary(const VkPipelineBinaryCreateInfoKHR& info) {
  VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
  VkPipelineBinaryHandlesInfoKHR handles{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR,
      .pipelineBinaryCount = static_cast<uint32_t>(oneIn(8) ? 0 : 1),
      .pPipelineBinaries = oneIn(8) ? nullptr : &binary};
  vk.vkCreatePipelineBinariesKHR(device, &info, nullptr, &handles);
  return binary;
}

}  // namespace fuzz

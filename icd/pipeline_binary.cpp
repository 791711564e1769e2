// SPDX-License-Identifier: Apache-2.0

// VK_KHR_pipeline_binary. A pipeline is one binary: that of its kernel, as the caches hold it too.
#include "icd/pipeline_binary.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <variant>
#include <vector>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/pipeline.h"

namespace icd {
namespace {

constexpr const char* kCreate = "vkCreatePipelineBinariesKHR";

// The data of a binary: this, and the kernel's bytes. These are code, so they come with an
// authentication code of all behind it (docs/architecture/process.md).
struct DataHeader {
  jit::Mac mac;
  jit::KernelKey key;
  jit::KernelKey compatibility;
};

jit::Mac macOf(VkDevice device, std::span<const std::byte> data) {
  return Device::from(device)->physical_device.macOf(jit::MacPurpose::PipelineBinary,
                                                     {data.subspan(sizeof(jit::Mac))});
}

std::vector<std::byte> dataOf(VkDevice device, const CapturedKernel& kernel) {
  std::vector<std::byte> data(sizeof(DataHeader) + kernel.binary->size());
  DataHeader header{.mac = {}, .key = kernel.key, .compatibility = kernel.compatibility};
  std::memcpy(data.data(), &header, sizeof header);
  std::ranges::copy(*kernel.binary, data.begin() + sizeof header);
  header.mac = macOf(device, data);
  std::memcpy(data.data(), &header.mac, sizeof header.mac);
  return data;
}

void writeKey(const jit::KernelKey& from, VkPipelineBinaryKeyKHR& to) {
  static_assert(sizeof from <= VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR);
  to.keySize = static_cast<uint32_t>(from.size());
  std::ranges::copy(from, to.key);
}

// What a binary is made of, or why it is not.
using Source = std::variant<CapturedKernel, VkResult>;

Source fromData(VkDevice device, const VkPipelineBinaryKeyKHR& key,
                const VkPipelineBinaryDataKHR& given) {
  auto refuse = [&](const char* reason) {
    return failCommand<VkResult>(kCreate, reason, VK_ERROR_INITIALIZATION_FAILED, device);
  };
  // A copy, because what the application gives may be a mapped file, which others can write to.
  const auto* bytes = static_cast<const std::byte*>(given.pData);
  const std::vector<std::byte> data(bytes, bytes + given.dataSize);
  DataHeader header;
  if (data.size() <= sizeof header) return refuse("the data is too short for a pipeline binary");
  std::memcpy(&header, data.data(), sizeof header);
  if (!jit::areEqual(header.mac, macOf(device, data)))
    return refuse(
        "the data is not as vkGetPipelineBinaryDataKHR gave it to this user on this machine (the "
        "key "
        "that vkGetPipelineKeyKHR gives for no pipeline tells users and machines apart)");
  if (key.keySize != header.key.size() ||
      !std::ranges::equal(std::span(key.key, key.keySize), header.key))
    return refuse("the key is of other data");
  const std::span code = std::span(data).subspan(sizeof header);
  return CapturedKernel{
      .key = header.key,
      .compatibility = header.compatibility,
      .binary = std::make_shared<const std::vector<std::byte>>(code.begin(), code.end())};
}

Source fromPipeline(VkDevice device, VkPipeline pipeline) {
  const CapturedKernel& captured = Pipeline::from(pipeline)->captured;
  if (captured.binary == nullptr)
    return failCommand<VkResult>(kCreate,
                                 "the pipeline's data was not captured, or has been released",
                                 VK_ERROR_INITIALIZATION_FAILED, device);
  return captured;
}

const VkComputePipelineCreateInfo* computeInfoOf(const VkPipelineCreateInfoKHR& info) {
  return findInChain<VkComputePipelineCreateInfo>(info.pNext,
                                                  VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
}

Source fromInternalCache(VkDevice device, const VkPipelineCreateInfoKHR& info) {
  const VkComputePipelineCreateInfo* compute = computeInfoOf(info);
  if (compute == nullptr) return VK_PIPELINE_BINARY_MISSING_KHR;  // graphics pipelines are not made
  auto found = findInternally(kCreate, *Device::from(device),
                              PipelineRequest(*Device::from(device), *compute),
                              *PipelineLayout::from(compute->layout));
  return found.binary != nullptr ? Source(std::move(found)) : VK_PIPELINE_BINARY_MISSING_KHR;
}

std::vector<Source> sourcesOf(VkDevice device, const VkPipelineBinaryCreateInfoKHR& info) {
  std::vector<Source> sources;
  if (info.pKeysAndDataInfo != nullptr) {
    const VkPipelineBinaryKeysAndDataKHR& given = *info.pKeysAndDataInfo;
    for (uint32_t i = 0; i < given.binaryCount; ++i)
      sources.push_back(
          fromData(device, given.pPipelineBinaryKeys[i], given.pPipelineBinaryData[i]));
  } else if (info.pipeline != VK_NULL_HANDLE) {
    sources.push_back(fromPipeline(device, info.pipeline));
  } else if (info.pPipelineCreateInfo != nullptr) {
    sources.push_back(fromInternalCache(device, *info.pPipelineCreateInfo));
  }
  return sources;
}

}  // namespace

VkResult vkCreatePipelineBinariesKHR(VkDevice device, const VkPipelineBinaryCreateInfoKHR* info,
                                     const VkAllocationCallbacks*,
                                     VkPipelineBinaryHandlesInfoKHR* handles) {
  std::vector<Source> sources = sourcesOf(device, *info);
  const bool count_only = handles->pPipelineBinaries == nullptr;
  const size_t room = count_only ? sources.size() : handles->pipelineBinaryCount;
  VkResult first_failure = VK_SUCCESS;
  handles->pipelineBinaryCount = 0;
  for (size_t i = 0; i < std::min(room, sources.size()); ++i) {
    if (!count_only) handles->pPipelineBinaries[i] = VK_NULL_HANDLE;
    if (const auto* failure = std::get_if<VkResult>(&sources[i])) {
      if (first_failure == VK_SUCCESS) first_failure = *failure;
      continue;
    }
    ++handles->pipelineBinaryCount;
    if (count_only) continue;
    createObject<PipelineBinary>(&handles->pPipelineBinaries[i],
                                 std::get<CapturedKernel>(std::move(sources[i])));
  }
  if (first_failure != VK_SUCCESS) return first_failure;
  return room < sources.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

void vkDestroyPipelineBinaryKHR(VkDevice, VkPipelineBinaryKHR binary,
                                const VkAllocationCallbacks*) {
  destroyObject<PipelineBinary>(binary);
}

VkResult vkGetPipelineBinaryDataKHR(VkDevice device, const VkPipelineBinaryDataInfoKHR* info,
                                    VkPipelineBinaryKeyKHR* key, size_t* size, void* data) {
  const CapturedKernel& kernel = PipelineBinary::from(info->pipelineBinary)->kernel;
  const size_t room = *size;
  *size = sizeof(DataHeader) + kernel.binary->size();
  if (data != nullptr && room < *size) return VK_ERROR_NOT_ENOUGH_SPACE_KHR;
  writeKey(kernel.key, *key);
  if (data != nullptr) std::ranges::copy(dataOf(device, kernel), static_cast<std::byte*>(data));
  return VK_SUCCESS;
}

// Without a create info the key of everything that binaries of all pipelines depend on: the build
// of the driver, the instruction set, and the user's key, by which they are known again.
VkResult vkGetPipelineKeyKHR(VkDevice device, const VkPipelineCreateInfoKHR* info,
                             VkPipelineBinaryKeyKHR* key) {
  constexpr const char* kCommand = "vkGetPipelineKeyKHR";
  auto compiler = Device::from(device)->compiler();
  if (auto* error = std::get_if<jit::CompileError>(&compiler))
    return failCommand<VkResult>(kCommand, error->message.c_str(), VK_ERROR_UNKNOWN, device);
  const jit::Compiler& made = *std::get<jit::Compiler*>(compiler);
  if (info == nullptr) {
    const jit::KernelKey everything = made.keyOf({});
    writeKey(Device::from(device)->physical_device.macOf(jit::MacPurpose::GlobalBinaryKey,
                                                         {std::as_bytes(std::span(everything))}),
             *key);
    return VK_SUCCESS;
  }
  const VkComputePipelineCreateInfo* compute = computeInfoOf(*info);
  if (compute == nullptr)
    return failCommand<VkResult>(kCommand, "this device has compute pipelines only",
                                 VK_ERROR_UNKNOWN, device);
  writeKey(made.keyOf(PipelineRequest(*Device::from(device), *compute).kernel()), *key);
  return VK_SUCCESS;
}

VkResult vkReleaseCapturedPipelineDataKHR(VkDevice,
                                          const VkReleaseCapturedPipelineDataInfoKHR* info,
                                          const VkAllocationCallbacks*) {
  Pipeline::from(info->pipeline)->captured = {};
  return VK_SUCCESS;
}

}  // namespace icd

// SPDX-License-Identifier: Apache-2.0

// Images and samplers, of which this device has none: queries say so, creation fails, and commands
// on them, which nothing valid can reach, make the recording fail.
#include "icd/chain.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"

namespace icd {
namespace {

constexpr const char* kReason = "this device has no images";

VkResult refuse(const char* command, VkDevice device) {
  return failCommand<VkResult>(command, kReason, VK_ERROR_FEATURE_NOT_PRESENT, device);
}

void refuse(const char* command, VkCommandBuffer buffer) {
  failCommand<void>(command, kReason, VK_ERROR_FEATURE_NOT_PRESENT, buffer);
}

}  // namespace

void vkGetPhysicalDeviceFormatProperties(VkPhysicalDevice, VkFormat,
                                         VkFormatProperties* properties) {
  *properties = {};
}

void vkGetPhysicalDeviceFormatProperties2(VkPhysicalDevice, VkFormat,
                                          VkFormatProperties2* properties) {
  properties->formatProperties = {};
  auto* flags =
      findInChain<VkFormatProperties3>(properties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
  if (flags == nullptr) return;
  flags->linearTilingFeatures = 0;
  flags->optimalTilingFeatures = 0;
  flags->bufferFeatures = 0;
}

VkResult vkGetPhysicalDeviceImageFormatProperties(VkPhysicalDevice, VkFormat, VkImageType,
                                                  VkImageTiling, VkImageUsageFlags,
                                                  VkImageCreateFlags,
                                                  VkImageFormatProperties* properties) {
  *properties = {};
  return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

VkResult vkGetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice,
                                                   const VkPhysicalDeviceImageFormatInfo2*,
                                                   VkImageFormatProperties2* properties) {
  properties->imageFormatProperties = {};
  return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

void vkGetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice, VkFormat, VkImageType,
                                                    VkSampleCountFlagBits, VkImageUsageFlags,
                                                    VkImageTiling, uint32_t* count,
                                                    VkSparseImageFormatProperties*) {
  *count = 0;
}

void vkGetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice,
                                                     const VkPhysicalDeviceSparseImageFormatInfo2*,
                                                     uint32_t* count,
                                                     VkSparseImageFormatProperties2*) {
  *count = 0;
}

VkResult vkCreateImage(VkDevice device, const VkImageCreateInfo*, const VkAllocationCallbacks*,
                       VkImage*) {
  return refuse("vkCreateImage", device);
}

void vkDestroyImage(VkDevice, VkImage, const VkAllocationCallbacks*) {}

VkResult vkCreateImageView(VkDevice device, const VkImageViewCreateInfo*,
                           const VkAllocationCallbacks*, VkImageView*) {
  return refuse("vkCreateImageView", device);
}

void vkDestroyImageView(VkDevice, VkImageView, const VkAllocationCallbacks*) {}

VkResult vkCreateSampler(VkDevice device, const VkSamplerCreateInfo*, const VkAllocationCallbacks*,
                         VkSampler*) {
  return refuse("vkCreateSampler", device);
}

void vkDestroySampler(VkDevice, VkSampler, const VkAllocationCallbacks*) {}

VkResult vkCreateSamplerYcbcrConversion(VkDevice device, const VkSamplerYcbcrConversionCreateInfo*,
                                        const VkAllocationCallbacks*, VkSamplerYcbcrConversion*) {
  return refuse("vkCreateSamplerYcbcrConversion", device);
}

void vkDestroySamplerYcbcrConversion(VkDevice, VkSamplerYcbcrConversion,
                                     const VkAllocationCallbacks*) {}

VkResult vkBindImageMemory(VkDevice device, VkImage, VkDeviceMemory, VkDeviceSize) {
  return refuse("vkBindImageMemory", device);
}

VkResult vkBindImageMemory2(VkDevice device, uint32_t, const VkBindImageMemoryInfo*) {
  return refuse("vkBindImageMemory2", device);
}

void vkGetImageMemoryRequirements(VkDevice, VkImage, VkMemoryRequirements* requirements) {
  *requirements = {};
}

void vkGetImageMemoryRequirements2(VkDevice, const VkImageMemoryRequirementsInfo2*,
                                   VkMemoryRequirements2* requirements) {
  requirements->memoryRequirements = {};
}

void vkGetDeviceImageMemoryRequirements(VkDevice, const VkDeviceImageMemoryRequirements*,
                                        VkMemoryRequirements2* requirements) {
  requirements->memoryRequirements = {};
}

void vkGetImageSparseMemoryRequirements(VkDevice, VkImage, uint32_t* count,
                                        VkSparseImageMemoryRequirements*) {
  *count = 0;
}

void vkGetImageSparseMemoryRequirements2(VkDevice, const VkImageSparseMemoryRequirementsInfo2*,
                                         uint32_t* count, VkSparseImageMemoryRequirements2*) {
  *count = 0;
}

void vkGetDeviceImageSparseMemoryRequirements(VkDevice, const VkDeviceImageMemoryRequirements*,
                                              uint32_t* count, VkSparseImageMemoryRequirements2*) {
  *count = 0;
}

void vkGetImageSubresourceLayout(VkDevice, VkImage, const VkImageSubresource*,
                                 VkSubresourceLayout* layout) {
  *layout = {};
}

void vkGetImageSubresourceLayout2KHR(VkDevice, VkImage, const VkImageSubresource2*,
                                     VkSubresourceLayout2* layout) {
  layout->subresourceLayout = {};
}

void vkGetDeviceImageSubresourceLayoutKHR(VkDevice, const VkDeviceImageSubresourceInfo*,
                                          VkSubresourceLayout2* layout) {
  layout->subresourceLayout = {};
}

// Of attachments, of which no area is better than another.
void vkGetRenderingAreaGranularityKHR(VkDevice, const VkRenderingAreaInfo*,
                                      VkExtent2D* granularity) {
  *granularity = {1, 1};
}

void vkCmdCopyImage(VkCommandBuffer buffer, VkImage, VkImageLayout, VkImage, VkImageLayout,
                    uint32_t, const VkImageCopy*) {
  refuse("vkCmdCopyImage", buffer);
}

void vkCmdCopyImage2(VkCommandBuffer buffer, const VkCopyImageInfo2*) {
  refuse("vkCmdCopyImage2", buffer);
}

void vkCmdCopyBufferToImage(VkCommandBuffer buffer, VkBuffer, VkImage, VkImageLayout, uint32_t,
                            const VkBufferImageCopy*) {
  refuse("vkCmdCopyBufferToImage", buffer);
}

void vkCmdCopyBufferToImage2(VkCommandBuffer buffer, const VkCopyBufferToImageInfo2*) {
  refuse("vkCmdCopyBufferToImage2", buffer);
}

void vkCmdCopyImageToBuffer(VkCommandBuffer buffer, VkImage, VkImageLayout, VkBuffer, uint32_t,
                            const VkBufferImageCopy*) {
  refuse("vkCmdCopyImageToBuffer", buffer);
}

void vkCmdCopyImageToBuffer2(VkCommandBuffer buffer, const VkCopyImageToBufferInfo2*) {
  refuse("vkCmdCopyImageToBuffer2", buffer);
}

void vkCmdCopyMemoryToImageKHR(VkCommandBuffer buffer, const VkCopyDeviceMemoryImageInfoKHR*) {
  refuse("vkCmdCopyMemoryToImageKHR", buffer);
}

void vkCmdCopyImageToMemoryKHR(VkCommandBuffer buffer, const VkCopyDeviceMemoryImageInfoKHR*) {
  refuse("vkCmdCopyImageToMemoryKHR", buffer);
}

void vkCmdCopyMemoryToImageIndirectKHR(VkCommandBuffer buffer,
                                       const VkCopyMemoryToImageIndirectInfoKHR*) {
  refuse("vkCmdCopyMemoryToImageIndirectKHR", buffer);
}

void vkCmdClearColorImage(VkCommandBuffer buffer, VkImage, VkImageLayout, const VkClearColorValue*,
                          uint32_t, const VkImageSubresourceRange*) {
  refuse("vkCmdClearColorImage", buffer);
}

}  // namespace icd

// SPDX-License-Identifier: Apache-2.0

#include "icd/device_report.h"

#include <iterator>

#include "icd/features.h"
#include "icd/instance.h"
#include "icd/physical_device.h"
#include "runtime/cpu_name.h"
#include "runtime/quantity.h"

namespace icd {
namespace {

std::string absentFeatures(const DeviceFeatures& features) {
  std::string names;
  for (const FeatureStructure& structure : features.structures()) {
    if (structure.kind != FeatureStructure::Kind::Version) continue;
    for (const Feature& feature : structure.features) {
      if (feature.is_supported) continue;
      names += names.empty() ? "" : ", ";
      names += feature.name;
    }
  }
  return names;
}

const char* typeName(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return "an integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return "a discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return "a virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return "a CPU";
    default:
      return "of another type";
  }
}

}  // namespace

const char* nameOf(CodeOrigin origin) {
  switch (origin) {
    case CodeOrigin::Compiler:
      return "compiled";
    case CodeOrigin::PipelineCache:
      return "found in the application's pipeline cache";
    case CodeOrigin::DiskCache:
      return "found in the cache folder";
    case CodeOrigin::PipelineBinary:
      break;
  }
  return "made from a pipeline binary";
}

void reportPhysicalDevice(const PhysicalDevice& device, rt::Log& log) {
  const VkPhysicalDeviceProperties& properties = device.properties.v10.properties;
  log.info(
      std::string("the device ") + properties.deviceName + " says that it is " +
      typeName(properties.deviceType) +
      (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU
           ? "; clients that look for a GPU pass over it, unless TESSERA_DEVICE_TYPE says another "
             "type"
           : ""));
  log.info(
      "it has one queue, for compute and transfer; clients that need graphics, images, samplers or "
      "texel buffers cannot use it. Features of Vulkan 1.0 to 1.3 that it does not have: " +
      absentFeatures(device.features));
  if (const ImitationLacks* lacks = device.imitationLacks())
    reportImitation(device.instance.config.imitate, *lacks, log);
}

void reportDevice(const PhysicalDevice& device, rt::Isa isa, bool keeps_kernels, rt::Log& log) {
  std::string cache = "compiled shaders are kept for this process only";
  if (keeps_kernels)
    cache = "compiled shaders are kept in " + device.cache_folder + ", up to " +
            rt::describeBytes(static_cast<uint64_t>(device.instance.config.cache_size));
  log.info("vkCreateDevice: instruction set " + std::string(rt::isaName(isa)) + " (this " +
           rt::hostCpuName() + " has " + std::string(rt::isaName(rt::hostIsa())) + "), " +
           std::to_string(device.threads) + (device.threads == 1 ? " thread, " : " threads, ") +
           rt::describeBytes(device.heap->bytes()) + " of memory; " + cache);
}

void ShaderReport::add(const char* command, const std::string& name, CodeOrigin origin,
                       uint64_t nanoseconds, uint64_t code_bytes) {
  Sum& sum = sums_[static_cast<size_t>(origin)];
  sum.count.fetch_add(1, std::memory_order_relaxed);
  sum.nanoseconds.fetch_add(nanoseconds, std::memory_order_relaxed);
  log_.info(std::string(command) + ": " + name + ": " + nameOf(origin) + " in " +
            rt::describeTime(nanoseconds) + ", " + rt::describeBytes(code_bytes) + " of code");
}

void ShaderReport::sumUp(const char* command) const {
  std::string text;
  for (size_t origin = 0; origin < std::size(sums_); ++origin) {
    const uint64_t count = sums_[origin].count.load(std::memory_order_relaxed);
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " +
            nameOf(static_cast<CodeOrigin>(origin)) + " in " +
            rt::describeTime(sums_[origin].nanoseconds.load(std::memory_order_relaxed));
  }
  if (!text.empty()) log_.info(std::string(command) + ": of this device's shaders " + text);
}

}  // namespace icd

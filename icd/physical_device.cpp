// SPDX-License-Identifier: Apache-2.0

#include "icd/physical_device.h"

#include <algorithm>
#include <span>
#include <utility>

#include "icd/chain.h"
#include "icd/entrypoints.h"
#include "icd/enumerate.h"
#include "icd/features.h"
#include "icd/guarded.h"
#include "icd/instance.h"
#include "icd/shaped_limits.h"
#include "runtime/build_id.h"
#include "runtime/disk_cache.h"
#include "runtime/host.h"

namespace icd {
namespace {

constexpr rt::SubgroupSize kDefaultSubgroupSize{32};

uint32_t threadsOf(const rt::Config& config) {
  uint32_t usable = rt::usableCpus();
  if (config.threads == rt::ThreadCount::Automatic) return usable;
  return std::min(static_cast<uint32_t>(config.threads), usable);
}

uint64_t heapBytesOf(const rt::Config& config) {
  if (config.memory == rt::ByteCount::Automatic) return rt::defaultHeapBytes();
  return static_cast<uint64_t>(config.memory);
}

// None without a build id either: nothing would tell other builds' kernels apart.
std::string cacheFolderOf(const rt::Config& config) {
  if (config.cache == "off" || rt::buildId().empty()) return "";
  return config.cache.empty() ? rt::defaultCacheFolder() : config.cache;
}

// Pipeline caches hold code as this build makes it, and are known again by the user's key: another
// build, another user or another machine has another number, and nobody can tell the key from it.
// What is refused is part of it, so a device that is like another has another number, too.
std::array<uint8_t, VK_UUID_SIZE> cacheUuidOf(const rt::SecretKey& key,
                                              const std::string& imitated) {
  const jit::Mac mac =
      jit::macOf(key, jit::MacPurpose::CacheUuid,
                 {std::as_bytes(rt::buildId()), std::as_bytes(std::span(imitated))});
  std::array<uint8_t, VK_UUID_SIZE> uuid;
  std::copy_n(mac.begin(), uuid.size(), uuid.begin());
  return uuid;
}

Machine machineOf(const rt::Config& config, uint32_t threads, uint64_t heap_bytes,
                  bool keeps_kernels, const rt::SecretKey& key) {
  // A ceiling above the machine's shows as the machine's; vkCreateDevice refuses it.
  const rt::Isa isa = std::min(config.isa.value_or(rt::hostIsa()), rt::hostIsa());
  return {
      .isa = isa,
      .threads = threads,
      .heap_bytes = heap_bytes,
      .subgroup_size = static_cast<uint32_t>(config.subgroup_size.value_or(kDefaultSubgroupSize)),
      .device_type = config.device_type,
      .features = rt::featuresAt(isa),
      .keeps_kernels = keeps_kernels,
      .cache_uuid = cacheUuidOf(key, config.imitate)};
}

std::optional<Imitation> imitationOf(const rt::Config& config, const Properties& own,
                                     std::vector<std::string>& problems) {
  if (config.imitate.empty()) return std::nullopt;
  auto imitation = imitate(config.imitate, own, config.subgroup_size.has_value());
  if (auto* found = std::get_if<Imitation>(&imitation)) return std::move(*found);
  problems.push_back(std::get<std::string>(std::move(imitation)));
  return std::nullopt;
}

jit::coopmat::Mapping mappingOf(rt::ComponentLayout layout) {
  switch (layout) {
    case rt::ComponentLayout::Native:
      return jit::coopmat::Mapping::Native;
    case rt::ComponentLayout::Nvidia:
      return jit::coopmat::Mapping::Nvidia;
    case rt::ComponentLayout::Ptx:
      return jit::coopmat::Mapping::Ptx;
  }
  return jit::coopmat::Mapping::Native;
}

jit::coopmat::Mapping mappingOf(const rt::Config& config,
                                const std::optional<Imitation>& imitation) {
  if (config.component_layout) return mappingOf(*config.component_layout);
  const auto imitated = imitation ? imitation->component_layout : std::nullopt;
  return imitated.value_or(jit::coopmat::Mapping::Native);
}

}  // namespace

PhysicalDevice::PhysicalDevice(Instance& instance)
    : instance(instance),
      threads(threadsOf(instance.config)),
      heap(rt::Heap::ofProcess(heapBytesOf(instance.config))),
      cache_folder(cacheFolderOf(instance.config)),
      cache_key(rt::findSecretKey(cache_folder)),
      problems(instance.config.problems),
      own_properties_(makeProperties(machineOf(instance.config, threads, heap->bytes(),
                                               !cache_folder.empty(), cache_key.key))),
      imitation_(imitationOf(instance.config, own_properties_, problems)),
      properties(shapeLimits(own_properties_, imitation_ ? imitation_->properties : own_properties_,
                             instance.config.limits, problems)),
      extensions(imitation_ ? imitation_->extensions : allExtensions()),
      features(imitation_ ? imitation_->features : DeviceFeatures()),
      component_layout(mappingOf(instance.config, imitation_)) {
  if (!instance.config.log_file.empty() && instance.log_file == nullptr)
    problems.push_back("TESSERA_LOG_FILE=" + instance.config.log_file + " cannot be opened");
}

void PhysicalDevice::warnOnce() {
  std::call_once(warned_, [this] {
    rt::Log& log = *instance.log;
    if (!cache_key.folder_complaint.empty())
      log.warning("shaders are not cached: " + cache_folder + ": " + cache_key.folder_complaint +
                  "; make it a folder of this user's alone, choose another one with TESSERA_CACHE, "
                  "or set that to off");
    if (!cache_key.file_complaint.empty())
      log.warning(cache_folder + "/" + rt::kSecretKeyFile + ": " + cache_key.file_complaint +
                  "; pipeline caches and binaries that applications have kept are made anew");
  });
}

rt::Log* logOf(VkPhysicalDevice physical_device) {
  return PhysicalDevice::from(physical_device)->instance.log.get();
}

void vkGetPhysicalDeviceFeatures(VkPhysicalDevice physical_device,
                                 VkPhysicalDeviceFeatures* features) {
  *features = PhysicalDevice::from(physical_device)->features.core();
}

void vkGetPhysicalDeviceFeatures2(VkPhysicalDevice physical_device,
                                  VkPhysicalDeviceFeatures2* features) {
  PhysicalDevice::from(physical_device)->features.fill(features);
}

void vkGetPhysicalDeviceProperties(VkPhysicalDevice physical_device,
                                   VkPhysicalDeviceProperties* properties) {
  *properties = PhysicalDevice::from(physical_device)->properties.v10.properties;
}

void vkGetPhysicalDeviceProperties2(VkPhysicalDevice physical_device,
                                    VkPhysicalDeviceProperties2* properties) {
  fillProperties(properties, PhysicalDevice::from(physical_device)->properties);
}

void vkGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice, uint32_t* count,
                                              VkQueueFamilyProperties* properties) {
  const VkQueueFamilyProperties only[] = {
      {.queueFlags = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
       .queueCount = 1,
       .timestampValidBits = 64,
       .minImageTransferGranularity = {1, 1, 1}}};
  enumerate<VkQueueFamilyProperties>(only, count, properties);
}

void vkGetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physical_device, uint32_t* count,
                                               VkQueueFamilyProperties2* properties) {
  VkQueueFamilyProperties only[1];
  uint32_t one = 1;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &one, only);
  enumerate(only, count, properties,
            [](VkQueueFamilyProperties2& to, const VkQueueFamilyProperties& from) {
              to.queueFamilyProperties = from;
              auto* transfer = findInChain<VkQueueFamilyOwnershipTransferPropertiesKHR>(
                  to.pNext, VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR);
              // To itself.
              if (transfer != nullptr) transfer->optimalImageTransferToQueueFamilies = 1;
            });
}

void vkGetPhysicalDeviceMemoryProperties(VkPhysicalDevice physical_device,
                                         VkPhysicalDeviceMemoryProperties* properties) {
  *properties = {.memoryTypeCount = 1,
                 .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                                   VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                   VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                                   VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                                  .heapIndex = 0}},
                 .memoryHeapCount = 1,
                 .memoryHeaps = {{.size = PhysicalDevice::from(physical_device)->heap->bytes(),
                                  .flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}}};
}

void vkGetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physical_device,
                                          VkPhysicalDeviceMemoryProperties2* properties) {
  vkGetPhysicalDeviceMemoryProperties(physical_device, &properties->memoryProperties);
  auto* budget = findInChain<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
      properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  if (budget == nullptr) return;
  const rt::Heap& heap = *PhysicalDevice::from(physical_device)->heap;
  std::ranges::fill(budget->heapBudget, 0);
  std::ranges::fill(budget->heapUsage, 0);
  budget->heapUsage[0] = heap.usedBytes();
  budget->heapBudget[0] = std::min(heap.bytes(), budget->heapUsage[0] + heap.freeBytes());
}

VkResult vkEnumerateDeviceExtensionProperties(VkPhysicalDevice physical_device, const char* layer,
                                              uint32_t* count, VkExtensionProperties* properties) {
  if (layer != nullptr) return VK_ERROR_LAYER_NOT_PRESENT;
  return enumerateExtensions(ExtensionKind::Device,
                             PhysicalDevice::from(physical_device)->extensions, count, properties);
}

VkResult vkEnumerateDeviceLayerProperties(VkPhysicalDevice, uint32_t* count, VkLayerProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VkResult vkGetPhysicalDeviceToolProperties(VkPhysicalDevice, uint32_t* count,
                                           VkPhysicalDeviceToolProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

}  // namespace icd

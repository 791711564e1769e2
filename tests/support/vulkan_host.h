// SPDX-License-Identifier: Apache-2.0

// A small host for compute: what tests, tools and benchmarks need of Vulkan, and no more. One
// queue, memory that the host sees, one submission at a time. Commands that fail throw VulkanError.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/device_features.h"
#include "tests/support/finding.h"
#include "tests/support/vulkan_loader.h"

namespace host {

// What a device says about itself.
struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::string name;
  std::string driver;  // VkPhysicalDeviceDriverProperties::driverName and driverInfo
  uint32_t api_version = 0;
  VkPhysicalDeviceLimits limits{};
  VkPhysicalDeviceSubgroupProperties subgroup{};
  uint32_t min_subgroup_size = 0, max_subgroup_size = 0;
  std::set<std::string, std::less<>> extensions;
  std::vector<VkCooperativeMatrixPropertiesKHR> matrices;
  std::vector<VkCooperativeMatrixFlexibleDimensionsPropertiesNV> flexible_matrices;
  VkPhysicalDeviceCooperativeMatrix2PropertiesNV matrix_limits{};  // 0 without the extension
  std::string describe() const;                                    // one line for people
};

// Names and values of Tessera's variables, without TESSERA_ and in small letters.
using Settings = std::vector<std::pair<std::string, std::string>>;

class Instance {
 public:
  // The settings go to the driver through VK_EXT_layer_settings; others than Tessera ignore them.
  explicit Instance(const Settings& settings = {});
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Functions& functions() const { return functions_; }
  const std::vector<PhysicalDevice>& devices() const { return devices_; }
  // The first device whose name or driver contains `text`; without a text the first of Tessera, or
  // else the first of all. Throws std::runtime_error when there is none.
  const PhysicalDevice& choose(const std::string& text = "") const;
  // What the debug-utils messenger has been told since the last call, besides findings.
  std::vector<std::string> takeMessages();
  // What shaders printed with debugPrintfEXT since the last call.
  std::vector<std::string> takePrints();
  // What the driver's checks found since the last call.
  std::vector<Finding> takeFindings();

 private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT types,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                void* instance);
  PhysicalDevice describe(VkPhysicalDevice handle) const;

  Functions functions_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::vector<PhysicalDevice> devices_;
  std::mutex mutex_;
  std::vector<std::string> messages_, prints_;
  std::vector<Finding> findings_;
};

// A buffer in memory of its own, mapped as long as it lives, or, if not `is_mapped`, from map() on.
// `guard` bytes of the memory are behind the buffer.
class Buffer {
 public:
  Buffer(const class Device& device, VkDeviceSize bytes, VkDeviceSize guard = 0,
         bool is_mapped = true);
  // In memory that is there already, at this device address (tests/support/placed_memory.h).
  // Throws std::runtime_error where it would have another one.
  Buffer(const class Device& device, VkDeviceSize bytes, const class PlacedMemory& memory,
         uint64_t address);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void map();
  // For messages of drivers and layers.
  void setName(const std::string& name);

  VkBuffer handle() const { return buffer_; }
  std::span<std::byte> memory() const { return memory_; }  // with the guard
  uint64_t address() const { return address_; }            // 0 without bufferDeviceAddress

 private:
  const Device& device_;
  const VkDeviceSize bytes_;  // with the guard
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory allocation_ = VK_NULL_HANDLE;  // null: it is another's
  std::span<std::byte> memory_;
  uint64_t address_ = 0;
};

struct Binding {
  uint32_t set = 0, binding = 0, count = 1;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
};

struct SpecializationEntry {
  uint32_t id;
  uint64_t value;  // in the low bytes
  uint32_t bytes;  // 1, 2, 4 or 8
};

struct PipelineDescription {
  std::span<const uint32_t> spirv;
  std::string entry_point = "main";
  std::vector<Binding> bindings;
  uint32_t push_bytes = 0;
  std::vector<SpecializationEntry> specializations;
  uint32_t subgroup_size = 0;  // 0: the device's own
  bool full_subgroups = false;
  bool statistics = false;  // are to be asked for
  bool robust = false;      // robust buffer access 2, through VK_EXT_pipeline_robustness
};

class ComputePipeline {
 public:
  ComputePipeline(const Device& device, const PipelineDescription& description);
  ~ComputePipeline();
  ComputePipeline(const ComputePipeline&) = delete;
  ComputePipeline& operator=(const ComputePipeline&) = delete;

  VkPipeline handle() const { return pipeline_; }
  VkPipelineLayout layout() const { return layout_; }
  // Whole numbers that VK_KHR_pipeline_executable_properties has of it, by name; none where the
  // device lacks the extension.
  std::map<std::string, uint64_t> statistics() const;
  const std::vector<VkDescriptorSetLayout>& setLayouts() const { return set_layouts_; }

 private:
  void destroy();

  const Device& device_;
  VkShaderModule module_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorSetLayout> set_layouts_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

struct BufferBinding {
  uint32_t set = 0, binding = 0, element = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, range = VK_WHOLE_SIZE;
  std::span<const std::byte> inline_data = {};  // of an inline uniform block, instead of a buffer
};

// Descriptor sets 0.. of a pipeline's layout with buffers in them.
class DescriptorSets {
 public:
  DescriptorSets(const Device& device, const ComputePipeline& pipeline,
                 std::span<const BufferBinding> buffers);
  ~DescriptorSets();
  DescriptorSets(const DescriptorSets&) = delete;
  DescriptorSets& operator=(const DescriptorSets&) = delete;
  const std::vector<VkDescriptorSet>& handles() const { return sets_; }

 private:
  const Device& device_;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorSet> sets_;
};

class Device {
 public:
  // Creates the device with everything that `features` has on and their extensions.
  Device(Instance& instance, const PhysicalDevice& physical, const DeviceFeatures& features);
  // With every feature it has, except the robust ones unless asked for.
  static std::unique_ptr<Device> withAllFeatures(Instance& instance, const PhysicalDevice& physical,
                                                 bool robust);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Instance& instance() const { return instance_; }
  const Functions& functions() const { return functions_; }
  VkDevice handle() const { return device_; }
  const PhysicalDevice& physical() const { return physical_; }
  const DeviceFeatures& features() const { return features_; }
  uint32_t memoryType(uint32_t allowed) const;
  // What vkGetPhysicalDeviceCooperativeMatrixProperties2EXT answers; nothing where the feature is
  // not on, and for what may not be asked.
  std::vector<VkCooperativeMatrixProperties2EXT> matricesFor(
      const VkPhysicalDeviceCooperativeMatrixInfo2EXT& info) const;

  // A command buffer in the recording state; freed with the device.
  VkCommandBuffer begin() const;
  void end(VkCommandBuffer commands) const;
  // Everything before is visible to everything after, the host included.
  void barrier(VkCommandBuffer commands) const;
  void submitAndWait(VkCommandBuffer commands) const;

 private:
  void destroy();

  Instance& instance_;
  Functions functions_;
  PhysicalDevice physical_;
  DeviceFeatures features_;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
};

}  // namespace host

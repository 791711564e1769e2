// SPDX-License-Identifier: Apache-2.0

#include "icd/device.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "icd/api_check/api_check.h"
#include "icd/api_version.h"
#include "icd/capture.h"
#include "icd/chain.h"
#include "icd/entrypoints.h"
#include "icd/features.h"
#include "icd/guarded.h"
#include "runtime/executable_pages.h"

namespace icd {
namespace {

// Whether everything that the create info enables is supported.
VkResult checkFeatures(const VkDeviceCreateInfo& info, const DeviceFeatures& features,
                       rt::Log& log) {
  const Feature* missing = features.findUnsupported(info);
  if (missing == nullptr) return VK_SUCCESS;
  log.error("vkCreateDevice: the feature " + std::string(missing->name) +
            " is not supported; ask vkGetPhysicalDeviceFeatures2 first");
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

bool requestsRobustBufferAccess(const VkDeviceCreateInfo& info) {
  auto* features = findInChain<VkPhysicalDeviceFeatures2>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  if (features != nullptr) return features->features.robustBufferAccess != VK_FALSE;
  return info.pEnabledFeatures != nullptr && info.pEnabledFeatures->robustBufferAccess != VK_FALSE;
}

bool requestsNullDescriptor(const VkDeviceCreateInfo& info) {
  auto* features = findInChain<VkPhysicalDeviceRobustness2FeaturesKHR>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_KHR);
  return features != nullptr && features->nullDescriptor != VK_FALSE;
}

bool requestsBindingReports(const VkDeviceCreateInfo& info) {
  auto* features = findInChain<VkPhysicalDeviceAddressBindingReportFeaturesEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT);
  return features != nullptr && features->reportAddressBinding != VK_FALSE;
}

bool requestsPlacedMaps(const VkDeviceCreateInfo& info) {
  auto* features = findInChain<VkPhysicalDeviceMapMemoryPlacedFeaturesEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT);
  return features != nullptr && features->memoryMapPlaced != VK_FALSE;
}

// With maintenance5 commands beyond the version that the application asked for are not there.
uint32_t newestCore(const VkDeviceCreateInfo& info, const PhysicalDevice& device) {
  auto* features = findInChain<VkPhysicalDeviceMaintenance5Features>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES);
  const bool limited = features != nullptr && features->maintenance5 != VK_FALSE;
  const uint32_t newest = device.properties.v10.properties.apiVersion;
  return limited ? std::min(device.instance.api_version, newest) : newest;
}

// VK_KHR_pipeline_binary: an application may keep compiled kernels by itself.
bool wantsInternalCache(const VkDeviceCreateInfo& info) {
  auto* control = findInChain<VkDevicePipelineBinaryInternalCacheControlKHR>(
      info.pNext, VK_STRUCTURE_TYPE_DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR);
  return control == nullptr || control->disableInternalCache == VK_FALSE;
}

// Of the only queue. It takes submissions from any thread (runtime/queue.h), so that the flag which
// asks for it has to be remembered and no more.
VkDeviceQueueCreateFlags queueFlags(const VkDeviceCreateInfo& info) {
  return info.queueCreateInfoCount != 0 ? info.pQueueCreateInfos->flags : 0;
}

// A line each on stderr, and a message to those who registered for them.
rt::DebugPrintf::Sink printfSink(Instance& instance) {
  const bool to_stderr = instance.config.printf != rt::PrintfOutput::Messenger;
  const bool to_messenger = instance.config.printf != rt::PrintfOutput::Stderr;
  return [&instance, to_stderr, to_messenger](std::string_view message) {
    if (to_stderr) {
      const bool ends = message.ends_with('\n');
      std::fprintf(stderr, ends ? "%.*s" : "%.*s\n", static_cast<int>(message.size()),
                   message.data());
    }
    if (to_messenger) instance.messengers.submitPrintf(message);
  };
}

// The configuration cannot be honoured: better no device than another one than asked for.
VkResult checkConfig(const PhysicalDevice& physical_device, rt::Log& log) {
  const rt::Config& config = physical_device.instance.config;
  for (const std::string& problem : physical_device.problems)
    log.error("vkCreateDevice: " + problem);
  if (!physical_device.problems.empty()) return VK_ERROR_INITIALIZATION_FAILED;
  if (config.isa.value_or(rt::Isa::Reference) > rt::hostIsa()) {
    log.error("vkCreateDevice: TESSERA_ISA asks for " + std::string(rt::isaName(*config.isa)) +
              ", but this machine has no more than " + std::string(rt::isaName(rt::hostIsa())));
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  return VK_SUCCESS;
}

std::optional<rt::DiskCache> diskCacheOf(const PhysicalDevice& physical_device,
                                         const Device::Options& options) {
  const std::string& folder = physical_device.cache_folder;
  if (folder.empty() || !options.internal_cache) return std::nullopt;
  const Instance& instance = physical_device.instance;
  return std::optional<rt::DiskCache>(std::in_place, folder,
                                      static_cast<uint64_t>(instance.config.cache_size));
}

}  // namespace

namespace {

std::shared_ptr<ApiCheck> apiCheckFor(Device& device) {
  if (!device.physical_device.instance.config.check.has(rt::Check::Api)) return nullptr;
  return std::make_shared<ApiCheck>(device);
}

// Races are found on one thread, the same ones each time (runtime/check/race_detector.h).
uint32_t threadsFor(const PhysicalDevice& physical_device) {
  const bool is_ordered = physical_device.instance.config.check.has(rt::Check::Race);
  return is_ordered ? 1 : physical_device.threads;
}

// That a file of such a variable cannot be written, with errno.
void sayUnwritable(rt::Log& log, const char* variable, const std::string& path) {
  log.error("vkCreateDevice: " + std::string(variable) + "=" + path +
            " cannot be written: " + std::strerror(errno));
}

// Nothing where one cannot be made, which has been said.
std::optional<Device::Reports> reportsFor(Instance& instance) {
  const rt::Config& config = instance.config;
  Device::Reports reports;
  std::string problem;
  reports.checks = CheckReport::create(instance, problem);
  if (!problem.empty()) {
    instance.log->error("vkCreateDevice: " + problem);
    return std::nullopt;
  }
  if (!config.coverage.empty()) {
    reports.coverage = CoverageFile::open(config.coverage);
    if (reports.coverage == nullptr) {
      sayUnwritable(*instance.log, "TESSERA_COVERAGE", config.coverage);
      return std::nullopt;
    }
  }
  if (!config.trace.empty()) {
    reports.trace = rt::Trace::open(config.trace, static_cast<uint64_t>(config.trace_size));
    if (reports.trace == nullptr) {
      sayUnwritable(*instance.log, "TESSERA_TRACE", config.trace);
      return std::nullopt;
    }
  }
  if (config.profile == rt::Profiling::On) reports.profile = std::make_unique<ProfileReport>();
  return reports;
}

}  // namespace

// What a kernel sets is read once more by the file, at the end of the process.
Device::~Device() {
  if (coverage != nullptr && !coverage->write())
    log().error("TESSERA_COVERAGE=" + physical_device.instance.config.coverage +
                " cannot be written");
}

std::byte* Device::coverageFor(const jit::KernelRequest& request) {
  if (coverage == nullptr) return nullptr;
  std::optional<jit::CoverageMap> map = jit::coverageOf(request);
  if (!map) return CoverageFile::ofUnknownKernels();
  if (map->files.empty()) {
    std::call_once(no_lines_, [&] {
      log().warning("a shader has no lines for TESSERA_COVERAGE" +
                    (request.name.empty() ? "" : " (" + request.name + ")") +
                    ": compile it with debug information (glslang -gV)");
    });
  }
  return coverage->add(std::move(*map));
}

Device::Device(PhysicalDevice& physical_device, const Options& options, Reports reports)
    : physical_device(physical_device),
      options(options),
      debug_printf(printfSink(physical_device.instance),
                   [this](const std::string& reason, std::span<const std::byte> message) {
                     abort_message.set(message);
                     runtime.requestLoss(reason);
                   }),
      check_report(std::move(reports.checks)),
      coverage(std::move(reports.coverage)),
      trace(std::move(reports.trace)),
      profile(std::move(reports.profile)),
      capture(Capture::create(physical_device.instance.config, physical_device.instance.log)),
      shaders(*physical_device.instance.log),
      disk_cache_(diskCacheOf(physical_device, options)),
      api_check(apiCheckFor(*this)),
      runtime({.threads = threadsFor(physical_device),
               .log = physical_device.instance.log,
               .watchdog = static_cast<uint64_t>(physical_device.instance.config.watchdog),
               .checker = checker(),
               .trace = trace}),
      queue(*this) {
  if (rt::Checker* own = checker())
    own->setStop([this](const std::string& reason) { runtime.requestLoss(reason); });
}

// What runs still is in it as far as it has come. The system is not asked for tiles that kernels do
// not use.
void Device::printProfile() {
  if (profile == nullptr) return;
  const bool has_tiles = physical_device.instance.config.tiles == rt::Tiles::Hardware;
  profile->print(log(), has_tiles ? options.isa : std::min(options.isa, rt::Isa::Avx512),
                 runtime.workers().threads());
}

void Device::warnNotKept(const std::string& why) {
  // Of a folder that cannot be used it has been said when the device was made.
  if (!physical_device.cache_key.folder_complaint.empty()) return;
  std::call_once(not_kept_, [&] {
    log().warning("compiled shaders are not kept: " + physical_device.cache_folder + ": " + why +
                  "; make room there, or choose another folder with TESSERA_CACHE");
  });
}

std::variant<jit::Compiler*, jit::CompileError> Device::compiler() {
  std::lock_guard lock(compiler_mutex_);
  if (compiler_ == nullptr) {
    auto made = jit::Compiler::create(
        {.isa = options.isa,
         .tiles = physical_device.instance.config.tiles,
         .exact = physical_device.instance.config.numerics == rt::Numerics::Exact,
         .checks_shapes = physical_device.instance.config.check_shapes == rt::ShapeCheck::On,
         .interruptible = physical_device.instance.config.watchdog != rt::Duration::Unlimited,
         .time_limit = static_cast<uint64_t>(physical_device.instance.config.compile_limit),
         .perf_dump = physical_device.instance.config.perf == rt::PerfSupport::JitDump,
         .debuggers = physical_device.instance.config.debug == rt::Debugging::On,
         .dump_directory = physical_device.instance.config.dump,
         .warn = [log = physical_device.instance.log](std::string_view message) {
           log->warning(message);
         }});
    if (auto* error = std::get_if<jit::CompileError>(&made)) return std::move(*error);
    compiler_ = std::get<std::unique_ptr<jit::Compiler>>(std::move(made));
  }
  return compiler_.get();
}

rt::Log* logOf(VkDevice device) {
  return device != nullptr ? &Device::from(device)->log() : nullptr;
}

VkResult vkCreateDevice(VkPhysicalDevice handle, const VkDeviceCreateInfo* info,
                        const VkAllocationCallbacks*, VkDevice* device) {
  PhysicalDevice& physical_device = *PhysicalDevice::from(handle);
  Instance& instance = physical_device.instance;
  instance.device_use.wasAskedFor();
  Device::Options options{
      .extensions = instance.extensions,
      .isa = instance.config.isa.value_or(rt::hostIsa()),
      .robust_buffer_access = requestsRobustBufferAccess(*info),
      .null_descriptor = requestsNullDescriptor(*info),
      .reports_bindings = requestsBindingReports(*info),
      .placed_maps = requestsPlacedMaps(*info),
      .internal_cache = wantsInternalCache(*info),
      .queue_flags = queueFlags(*info),
      .newest_core = newestCore(*info, physical_device),
  };
  VkResult result = checkConfig(physical_device, *instance.log);
  if (result != VK_SUCCESS) return result;
  physical_device.warnOnce();
  std::string_view missing;
  result = enableExtensions(ExtensionKind::Device, physical_device.extensions,
                            {info->ppEnabledExtensionNames, info->enabledExtensionCount},
                            &options.extensions, &missing);
  if (result != VK_SUCCESS) {
    instance.log->error("vkCreateDevice: no extension " + std::string(missing));
    return result;
  }
  result = checkFeatures(*info, physical_device.features, *instance.log);
  if (result != VK_SUCCESS) return result;
  if (!rt::canMakeExecutable()) {
    instance.log->error(
        "vkCreateDevice: this process may have no code of its own: the system refuses to make "
        "memory executable, and to map a file in memory (memfd_create) so; allow one of them "
        "(PR_SET_MDWE allows the second; seccomp and SELinux can forbid both)");
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  std::optional<Device::Reports> reports = reportsFor(instance);
  if (!reports) return VK_ERROR_INITIALIZATION_FAILED;
  result = createObject<Device>(device, physical_device, options, std::move(*reports));
  if (result != VK_SUCCESS) return result;
  if (instance.config.perf != rt::PerfSupport::Off) {
    // Now, and not when a shader comes.
    auto compiler = Device::from(*device)->compiler();
    if (auto* error = std::get_if<jit::CompileError>(&compiler)) {
      instance.log->error("vkCreateDevice: TESSERA_PERF=jitdump: " + error->message);
      destroyObject<Device>(*device);
      return VK_ERROR_INITIALIZATION_FAILED;
    }
  }
  const bool keeps_kernels = Device::from(*device)->diskCache() != nullptr &&
                             physical_device.cache_key.folder_complaint.empty();
  reportDevice(physical_device, options.isa, keeps_kernels, *instance.log);
  return VK_SUCCESS;
}

void vkDestroyDevice(VkDevice device, const VkAllocationCallbacks*) {
  if (device == VK_NULL_HANDLE || !Device::from(device)->runtime.isHere()) return;
  Device::from(device)->shaders.sumUp("vkDestroyDevice");
  Device::from(device)->printProfile();
  destroyObject<Device>(device);
}

void vkGetDeviceQueue(VkDevice device, uint32_t, uint32_t, VkQueue* queue) {
  *queue = Device::from(device)->queue.handle();
}

// A queue that was made with other flags is another queue, which there is not.
void vkGetDeviceQueue2(VkDevice handle, const VkDeviceQueueInfo2* info, VkQueue* queue) {
  Device& device = *Device::from(handle);
  *queue = info->flags == device.options.queue_flags ? device.queue.handle() : VK_NULL_HANDLE;
}

void vkGetDeviceGroupPeerMemoryFeatures(VkDevice, uint32_t, uint32_t, uint32_t,
                                        VkPeerMemoryFeatureFlags* features) {
  *features = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT | VK_PEER_MEMORY_FEATURE_COPY_DST_BIT |
              VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT | VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}

}  // namespace icd

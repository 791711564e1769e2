// SPDX-License-Identifier: Apache-2.0

// VkDevice: a runtime device, and the compiler for it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "icd/check_report.h"
#include "icd/coverage.h"
#include "icd/device_report.h"
#include "icd/extensions.h"
#include "icd/handles.h"
#include "icd/instance.h"
#include "icd/profile_report.h"
#include "icd/queue.h"
#include "jit/compiler.h"
#include "runtime/device.h"
#include "runtime/disk_cache.h"
#include "runtime/kernel_library/debug_printf.h"
#include "runtime/trace/trace.h"

namespace icd {

class ApiCheck;
class Capture;

// What the first shader that aborted had to say (VK_KHR_shader_abort). Thread-safe.
class AbortMessage {
 public:
  void set(std::span<const std::byte> message) {
    std::lock_guard lock(mutex_);
    if (!message_) message_.emplace(message.begin(), message.end());
  }
  std::optional<std::vector<std::byte>> get() const {
    std::lock_guard lock(mutex_);
    return message_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<std::vector<std::byte>> message_;  // under mutex_
};

struct Device : Dispatchable<Device, VkDevice> {
  struct Options {
    ExtensionSet extensions;  // enabled here or at the instance
    rt::Isa isa;
    bool robust_buffer_access;
    bool null_descriptor;
    bool reports_bindings;  // of memory and buffers, to messengers
    bool placed_maps;       // mapped memory may be asked for at certain addresses
    bool internal_cache;
    VkDeviceQueueCreateFlags queue_flags;
    uint32_t newest_core;  // version whose commands vkGetDeviceProcAddr hands out
  };

  // What it reports to, besides the log. Null: there is none.
  struct Reports {
    std::unique_ptr<CheckReport> checks;
    std::shared_ptr<CoverageFile> coverage;
    std::shared_ptr<rt::Trace> trace;
    std::unique_ptr<ProfileReport> profile;
  };

  Device(PhysicalDevice& physical_device, const Options& options, Reports reports);
  ~Device();

  // The bytes that the kernel of a request sets where it runs; null where nobody is to know.
  std::byte* coverageFor(const jit::KernelRequest& request);

  // Made when first asked for: clients that only look round do not pay for it. Thread-safe.
  std::variant<jit::Compiler*, jit::CompileError> compiler();

  // Null when there is none.
  const rt::DiskCache* diskCache() const { return disk_cache_ ? &*disk_cache_ : nullptr; }

  // Where somebody wants it.
  void printProfile();

  // That a compiled shader could not be kept on disk, and why: the first time only.
  void warnNotKept(const std::string& why);

  // Null: no shader is checked.
  rt::Checker* checker() { return check_report ? &check_report->checker() : nullptr; }

  rt::Log& log() { return *physical_device.instance.log; }
  // VK_ERROR_DEVICE_LOST, or VK_SUCCESS.
  VkResult status() const { return runtime.lost() ? VK_ERROR_DEVICE_LOST : VK_SUCCESS; }

  PhysicalDevice& physical_device;
  const Options options;
  const rt::DebugPrintf debug_printf;
  AbortMessage abort_message;
  const std::unique_ptr<CheckReport> check_report;  // null: no shader is checked
  const std::shared_ptr<CoverageFile> coverage;     // null: nobody is to know what is reached
  const std::shared_ptr<rt::Trace> trace;           // null: nobody wants a timeline
  const std::unique_ptr<ProfileReport> profile;     // null: nobody wants a profile
  const std::shared_ptr<Capture> capture;           // null: no dispatch is captured
  ShaderReport shaders;
  std::mutex private_data_mutex;                       // over PrivateData of all its objects
  std::atomic_flag fault_reported = ATOMIC_FLAG_INIT;  // VK_KHR_device_fault: once, to anybody

 private:
  const std::optional<rt::DiskCache> disk_cache_;
  std::once_flag not_kept_, no_lines_;
  std::mutex compiler_mutex_;
  std::unique_ptr<jit::Compiler> compiler_;

 public:
  const std::shared_ptr<ApiCheck> api_check;  // null: the API is not checked
  rt::Device runtime;  // after the compiler, so that it ends before the code it runs does
  Queue queue;
};

}  // namespace icd

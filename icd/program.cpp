// SPDX-License-Identifier: Apache-2.0

#include "icd/program.h"

#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "icd/compile_trace.h"
#include "runtime/clock.h"
#include "runtime/disk_cache.h"

namespace icd {
namespace {

// The one place where errors of the compiler become results of the API.
VkResult resultOf(jit::CompileError::Kind kind) {
  switch (kind) {
    case jit::CompileError::Kind::Malformed:
    case jit::CompileError::Kind::Unsupported:
    case jit::CompileError::Kind::TimeLimit:
      return VK_ERROR_INVALID_SHADER_NV;
    case jit::CompileError::Kind::OutOfMemory:
      return VK_ERROR_OUT_OF_HOST_MEMORY;
    case jit::CompileError::Kind::Internal:
      break;
  }
  return VK_ERROR_UNKNOWN;
}

VkResult report(const char* command, const jit::CompileError& error, rt::Log& log) {
  log.error(std::string(command) + ": " + error.message);
  return resultOf(error.kind);
}

// The device's compiler, or why there is none, which has been said.
std::variant<jit::Compiler*, VkResult> compilerOf(const char* command, Device& device) {
  if (!device.runtime.isHere()) return VK_ERROR_DEVICE_LOST;
  auto compiler = device.compiler();
  if (auto* error = std::get_if<jit::CompileError>(&compiler))
    return report(command, *error, device.log());
  return std::get<jit::Compiler*>(compiler);
}

// Why the device, which may have stricter limits than the compiler, cannot run the kernel; or null.
const char* obstacle(const PhysicalDevice& physical_device, const jit::Kernel& kernel) {
  const VkPhysicalDeviceLimits& limits = physical_device.properties.v10.properties.limits;
  uint64_t invocations = 1;
  for (int i = 0; i < 3; ++i) {
    if (kernel.workgroup_size[i] > limits.maxComputeWorkGroupSize[i])
      return "the workgroup is larger than maxComputeWorkGroupSize";
    invocations *= kernel.workgroup_size[i];
  }
  if (invocations > limits.maxComputeWorkGroupInvocations)
    return "the workgroup has more invocations than maxComputeWorkGroupInvocations";
  if (kernel.declared_shared_bytes > limits.maxComputeSharedMemorySize)
    return "the shared variables are larger than maxComputeSharedMemorySize";
  return nullptr;
}

// The same before it is made.
const char* obstacle(const PhysicalDevice& physical_device, const jit::KernelRequest& request) {
  const auto& limits = physical_device.properties.v13;
  if (request.subgroup_size < limits.minSubgroupSize ||
      request.subgroup_size > limits.maxSubgroupSize)
    return "the required subgroup size is not from minSubgroupSize to maxSubgroupSize";
  return nullptr;
}

std::shared_ptr<rt::KernelImage> imageOf(const jit::Kernel& kernel, std::string name) {
  auto image = std::make_shared<rt::KernelImage>();
  image->entry = kernel.entry;
  image->workgroup_size = kernel.workgroup_size;
  image->shared_bytes = kernel.shared_bytes;
  image->scratch_bytes = kernel.scratch_bytes;
  image->shares_panels = kernel.shares_panels;
  image->runs_rows = kernel.runs_rows;
  image->is_unordered = kernel.is_unordered;
  image->in_order = kernel.in_order;
  image->code = kernel.code;
  image->name = std::move(name);
  return image;
}

std::array<std::shared_ptr<const DescriptorLayout>, rt::kMaxDescriptorSets> layoutsOf(
    const jit::Kernel& kernel, const PipelineLayout& layout) {
  auto result = layout.sets;
  for (size_t set = 0; set < result.size(); ++set)
    if ((kernel.used_sets >> set & 1) == 0) result[set] = nullptr;
  return result;
}

// Of the kernels that may run with a layout: what a kernel reads from a set is where the layout has
// it, whether they say which of their code runs or count their products, and which matrices they
// may have.
jit::KernelKey compatibilityOf(const Device& device, const jit::Compiler& compiler,
                               const PipelineLayout& layout) {
  return compiler.keyOf({.bindings = layout.bindings,
                         .checks = instrumentationOf(device),
                         .matrices = device.physical_device.matrices()});
}

// A message for each line.
void logRemarks(std::span<const jit::Remark> remarks, const std::string& name, rt::Log& log) {
  std::istringstream lines(jit::describeRemarks(remarks));
  for (std::string line; std::getline(lines, line);)
    log.write(rt::LogLevel::Remark,
              (name.empty() ? "a shader without a name" : name) + ": " + line);
}

// A kernel, from wherever it came, and when somebody began to look for it.
struct Made {
  uint64_t start;
  CompileTrace& trace;
  std::shared_ptr<const jit::Kernel> kernel;
  CodeOrigin origin;
  std::vector<jit::Representation> representations = {};
  CapturedKernel captured = {};
};

std::variant<Program, VkResult> programOf(const char* command, Device& device,
                                          const std::string& name, const PipelineLayout& layout,
                                          Made made) {
  if (const char* reason = obstacle(device.physical_device, *made.kernel))
    return report(command, {jit::CompileError::Kind::Unsupported, reason}, device.log());
  made.trace.made(made.origin, *made.kernel);
  const uint64_t nanoseconds = rt::now() - made.start;
  device.shaders.add(command, name.empty() ? "a shader without a name" : name, made.origin,
                     nanoseconds, made.kernel->code_bytes);
  std::shared_ptr<rt::KernelImage> image = imageOf(*made.kernel, name);
  if (device.profile != nullptr)
    device.profile->add(*image, *made.kernel, made.origin, nanoseconds);
  return Program{.kernel = std::move(image),
                 .dynamic_ranges = layout.dynamic_ranges,
                 .set_layouts = layoutsOf(*made.kernel, layout),
                 .origin = made.origin,
                 .executable = {std::move(made.kernel), std::move(made.representations)},
                 .captured = std::move(made.captured)};
}

// Whose caches to look into for a kernel, in order, and where to put it.
class Caches {
 public:
  Caches(Device& device, const CompileOptions& options, const jit::KernelKey& key)
      : device_(device),
        disk_(device.diskCache()),
        application_(options.cache),
        keeps_on_disk_(!options.capture),
        key_(key) {}

  struct Found {
    std::shared_ptr<const jit::Kernel> kernel;  // null: none
    PipelineCache::Binary binary;
    CodeOrigin origin;
  };
  // The kernel of the first that has it.
  Found find(jit::Compiler& compiler, const std::string& name) {
    if (application_ != nullptr) {
      if (PipelineCache::Binary binary = application_->find(key_))
        if (auto kernel = load(compiler, *binary, name))
          return {std::move(kernel), std::move(binary), CodeOrigin::PipelineCache};
    }
    if (disk_ != nullptr) {
      if (auto bytes = disk_->find(key_))
        if (auto kernel = load(compiler, *bytes, name)) {
          auto binary = std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
          if (application_ != nullptr) application_->insert(key_, binary);
          return {std::move(kernel), std::move(binary), CodeOrigin::DiskCache};
        }
    }
    return {};
  }

  void keep(const PipelineCache::Binary& binary) {
    std::string why;
    if (disk_ != nullptr && keeps_on_disk_ && !disk_->insert(key_, *binary, &why))
      device_.warnNotKept(why);
    if (application_ != nullptr) application_->insert(key_, binary);
  }

 private:
  // What cannot be loaded is compiled again.
  static std::shared_ptr<const jit::Kernel> load(jit::Compiler& compiler,
                                                 std::span<const std::byte> binary,
                                                 const std::string& name) {
    auto loaded = compiler.load(binary, name);
    auto* kernel = std::get_if<std::shared_ptr<const jit::Kernel>>(&loaded);
    return kernel != nullptr ? std::move(*kernel) : nullptr;
  }

  Device& device_;
  const rt::DiskCache* const disk_;
  PipelineCache* const application_;
  const bool keeps_on_disk_;
  const jit::KernelKey key_;
};

}  // namespace

std::variant<Program, VkResult> makeProgram(const char* command, Device& device,
                                            const PipelineRequest& request,
                                            const PipelineLayout& layout,
                                            const CompileOptions& options) {
  const uint64_t start = rt::now();
  const std::string name = nameOf(request.kernel());
  if (const char* reason = obstacle(device.physical_device, request.kernel()))
    return report(command, {jit::CompileError::Kind::Unsupported, reason}, device.log());
  CompileTrace trace(device.trace.get(), name);
  auto found_compiler = compilerOf(command, device);
  if (auto* failure = std::get_if<VkResult>(&found_compiler)) return *failure;
  jit::Compiler& compiler = *std::get<jit::Compiler*>(found_compiler);
  const jit::KernelKey key = compiler.keyOf(request.kernel());
  Caches caches(device, options, key);
  auto captured = [&](PipelineCache::Binary binary) -> CapturedKernel {
    if (!options.capture) return {};
    return {.key = key,
            .compatibility = compatibilityOf(device, compiler, layout),
            .binary = std::move(binary)};
  };

  // Dumps, representations and remarks are made by compiling.
  const bool wants_remarks = device.log().level() >= rt::LogLevel::Remark;
  if (device.physical_device.instance.config.dump.empty() && !options.representations &&
      !wants_remarks) {
    if (auto found = caches.find(compiler, name); found.kernel != nullptr)
      return programOf(command, device, name, layout,
                       {.start = start,
                        .trace = trace,
                        .kernel = std::move(found.kernel),
                        .origin = found.origin,
                        .captured = captured(std::move(found.binary))});
  }
  if (!options.may_compile) return VK_PIPELINE_COMPILE_REQUIRED;
  std::vector<std::byte> bytes;
  std::vector<jit::Representation> representations;
  std::vector<jit::Remark> remarks;
  auto compiled = compiler.compile(
      request.kernel(), {.binary = &bytes,
                         .representations = options.representations ? &representations : nullptr,
                         .remarks = wants_remarks ? &remarks : nullptr,
                         .stages = trace.stages()});
  if (auto* error = std::get_if<jit::CompileError>(&compiled))
    return report(command, *error, device.log());
  auto binary = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  caches.keep(binary);
  logRemarks(remarks, name, device.log());
  return programOf(command, device, name, layout,
                   {.start = start,
                    .trace = trace,
                    .kernel = std::get<std::shared_ptr<const jit::Kernel>>(std::move(compiled)),
                    .origin = CodeOrigin::Compiler,
                    .representations = std::move(representations),
                    .captured = captured(std::move(binary))});
}

std::variant<Program, VkResult> loadProgram(const char* command, Device& device,
                                            const std::string& name, const CapturedKernel& kernel,
                                            const PipelineLayout& layout, bool capture) {
  const uint64_t start = rt::now();
  CompileTrace trace(device.trace.get(), name);
  auto found_compiler = compilerOf(command, device);
  if (auto* failure = std::get_if<VkResult>(&found_compiler)) return *failure;
  jit::Compiler& compiler = *std::get<jit::Compiler*>(found_compiler);
  if (kernel.compatibility != compatibilityOf(device, compiler, layout))
    return report(command,
                  {jit::CompileError::Kind::Unsupported,
                   "the pipeline binary was made for another pipeline layout, by another build of "
                   "the driver, or for another instruction set (these two change the key that "
                   "vkGetPipelineKeyKHR gives for no pipeline)"},
                  device.log());
  auto loaded = compiler.load(*kernel.binary, name);
  if (auto* error = std::get_if<jit::CompileError>(&loaded))
    return report(command, *error, device.log());
  return programOf(command, device, name, layout,
                   {.start = start,
                    .trace = trace,
                    .kernel = std::get<std::shared_ptr<const jit::Kernel>>(std::move(loaded)),
                    .origin = CodeOrigin::PipelineBinary,
                    .captured = capture ? kernel : CapturedKernel{}});
}

CapturedKernel findInternally(const char* command, Device& device, const PipelineRequest& request,
                              const PipelineLayout& layout) {
  if (device.diskCache() == nullptr) return {};
  auto found_compiler = compilerOf(command, device);
  if (std::holds_alternative<VkResult>(found_compiler)) return {};
  const jit::Compiler& compiler = *std::get<jit::Compiler*>(found_compiler);
  const jit::KernelKey key = compiler.keyOf(request.kernel());
  auto bytes = device.diskCache()->find(key);
  if (!bytes) return {};
  return {.key = key,
          .compatibility = compatibilityOf(device, compiler, layout),
          .binary = std::make_shared<const std::vector<std::byte>>(std::move(*bytes))};
}

}  // namespace icd

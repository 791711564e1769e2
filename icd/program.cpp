#include "icd/program.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/disk_cache.h"

namespace icd {
namespace {

// The one place where errors of the compiler become results of the API.
VkResult resultOf(jit::CompileError::Kind kind) {
  switch (kind) {
    case jit::CompileError::Kind::Malformed:
    case jit::CompileError::Kind::Unsupported:
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

std::shared_ptr<const rt::KernelImage> imageOf(const jit::Kernel& kernel, std::string name) {
  auto image = std::make_shared<rt::KernelImage>();
  image->entry = kernel.entry;
  image->workgroup_size = kernel.workgroup_size;
  image->shared_bytes = kernel.shared_bytes;
  image->scratch_bytes = kernel.scratch_bytes;
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

// Whose caches to look into for a kernel, in order, and where to put it.
class Caches {
 public:
  Caches(Device& device, PipelineCache* application, const jit::KernelKey& key)
      : disk_(device.diskCache()), application_(application), key_(key) {}

  // The kernel of the first that has it.
  std::shared_ptr<const jit::Kernel> find(jit::Compiler& compiler, CodeOrigin& origin) {
    if (application_ != nullptr) {
      origin = CodeOrigin::PipelineCache;
      if (PipelineCache::Binary binary = application_->find(key_))
        if (auto kernel = load(compiler, *binary)) return kernel;
    }
    if (disk_ != nullptr) {
      origin = CodeOrigin::DiskCache;
      if (auto binary = disk_->find(key_))
        if (auto kernel = load(compiler, *binary)) {
          keepForApplication(std::move(*binary));
          return kernel;
        }
    }
    return nullptr;
  }

  void keep(std::vector<std::byte> binary) {
    if (disk_ != nullptr) disk_->insert(key_, binary);
    keepForApplication(std::move(binary));
  }

 private:
  // What cannot be loaded is compiled again.
  static std::shared_ptr<const jit::Kernel> load(jit::Compiler& compiler,
                                                 std::span<const std::byte> binary) {
    auto loaded = compiler.load(binary);
    auto* kernel = std::get_if<std::shared_ptr<const jit::Kernel>>(&loaded);
    return kernel != nullptr ? std::move(*kernel) : nullptr;
  }

  void keepForApplication(std::vector<std::byte> binary) {
    if (application_ == nullptr) return;
    application_->insert(key_, std::make_shared<const std::vector<std::byte>>(std::move(binary)));
  }

  const rt::DiskCache* const disk_;
  PipelineCache* const application_;
  const jit::KernelKey key_;
};

}  // namespace

std::variant<Program, VkResult> makeProgram(const char* command, Device& device,
                                            const PipelineRequest& request,
                                            const PipelineLayout& layout,
                                            const CompileOptions& options) {
  auto made = device.compiler();
  if (auto* error = std::get_if<jit::CompileError>(&made))
    return report(command, *error, device.log());
  jit::Compiler& compiler = *std::get<jit::Compiler*>(made);
  Caches caches(device, options.cache, compiler.keyOf(request.kernel()));
  auto programOf =
      [&](std::shared_ptr<const jit::Kernel> kernel, CodeOrigin origin,
          std::vector<jit::Representation> representations) -> std::variant<Program, VkResult> {
    if (const char* reason = obstacle(device.physical_device, *kernel))
      return report(command, {jit::CompileError::Kind::Unsupported, reason}, device.log());
    return Program{.kernel = imageOf(*kernel, request.kernel().name),
                   .dynamic_ranges = layout.dynamic_ranges,
                   .set_layouts = layoutsOf(*kernel, layout),
                   .origin = origin,
                   .executable = {std::move(kernel), std::move(representations)}};
  };

  // Dumps and representations are made by compiling.
  if (device.physical_device.instance.config.dump.empty() && !options.representations) {
    CodeOrigin origin;
    if (auto kernel = caches.find(compiler, origin))
      return programOf(std::move(kernel), origin, {});
  }
  if (!options.may_compile) return VK_PIPELINE_COMPILE_REQUIRED;
  std::vector<std::byte> binary;
  std::vector<jit::Representation> representations;
  auto compiled = compiler.compile(
      request.kernel(),
      {.binary = &binary, .representations = options.representations ? &representations : nullptr});
  if (auto* error = std::get_if<jit::CompileError>(&compiled))
    return report(command, *error, device.log());
  caches.keep(std::move(binary));
  return programOf(std::get<std::shared_ptr<const jit::Kernel>>(std::move(compiled)),
                   CodeOrigin::Compiler, std::move(representations));
}

}  // namespace icd

#include "icd/program.h"

#include <string>

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

std::shared_ptr<const rt::KernelImage> imageOf(const jit::Kernel& kernel) {
  auto image = std::make_shared<rt::KernelImage>();
  image->entry = kernel.entry;
  image->workgroup_size = kernel.workgroup_size;
  image->shared_bytes = kernel.shared_bytes;
  image->scratch_bytes = kernel.scratch_bytes;
  image->code = kernel.code;
  return image;
}

}  // namespace

std::variant<Program, VkResult> compile(const char* command, Device& device,
                                        const PipelineRequest& request,
                                        const PipelineLayout& layout) {
  auto compiler = device.compiler();
  if (auto* error = std::get_if<jit::CompileError>(&compiler))
    return report(command, *error, device.log());
  auto compiled = std::get<jit::Compiler*>(compiler)->compile(request.kernel());
  if (auto* error = std::get_if<jit::CompileError>(&compiled))
    return report(command, *error, device.log());
  const auto& kernel = std::get<std::shared_ptr<const jit::Kernel>>(compiled);
  return Program{.kernel = imageOf(*kernel), .dynamic_ranges = layout.dynamic_ranges};
}

}  // namespace icd

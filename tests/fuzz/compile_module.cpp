#include "tests/fuzz/compile_module.h"

#include "tools/module_interface.h"

namespace fuzz {

std::string compileModule(jit::Compiler& compiler, std::span<const uint32_t> words) {
  uint32_t choice = 0;
  for (uint32_t word : words) choice = choice * 31 + word;
  const tools::ModuleInterface interface = tools::interfaceOf(words);
  for (const std::string& entry_point : interface.compute_entry_points) {
    jit::KernelRequest request;
    request.spirv = words;
    request.entry_point = entry_point;
    request.bindings = interface.bindings;
    request.subgroup_size = choice & 1 ? 8 : 32;
    request.robust_storage_buffers = (choice & 2) != 0;
    request.robust_uniform_buffers = (choice & 2) != 0;
    auto result = compiler.compile(request);
    const auto* error = std::get_if<jit::CompileError>(&result);
    if (error != nullptr && error->kind == jit::CompileError::Kind::Internal) return error->message;
  }
  return "";
}

}  // namespace fuzz

// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/compile_module.h"

#include <algorithm>

#include "jit/base/debug.h"
#include "tools/module_interface.h"

namespace fuzz {
namespace {

constexpr uint32_t kInlineBlockBytes = 256;

// Choices for a module: bits of a number made of all its words.
class Choices {
 public:
  explicit Choices(std::span<const uint32_t> words) {
    for (uint32_t word : words) bits_ = (bits_ ^ word) * 0x9e3779b97f4a7c15u;
    bits_ ^= bits_ >> 32;
  }

  uint32_t below(uint32_t power_of_two) {
    const auto chosen = static_cast<uint32_t>(bits_ % power_of_two);
    bits_ /= power_of_two;
    return chosen;
  }

 private:
  uint64_t bits_ = 0;
};

}  // namespace

jit::Compiler& ModuleCompiler::compiler(rt::Isa isa, bool exact) {
  auto& place = compilers_[static_cast<size_t>(isa)][exact];
  if (!place) {
    jit::Compiler::Options options;
    options.isa = isa;
    options.exact = exact;
    place = std::get<0>(jit::Compiler::create(std::move(options)));
  }
  return *place;
}

std::string ModuleCompiler::compile(std::span<const uint32_t> words) {
  tools::ModuleInterface interface = tools::interfaceOf(words);
  Choices choices(words);
  jit::KernelRequest request;
  request.spirv = words;
  request.subgroup_size = jit::kMinSubgroupSize << choices.below(4);
  request.robust_storage_buffers = choices.below(2);
  request.robust_uniform_buffers = choices.below(2);
  request.require_full_subgroups = choices.below(2);
  if (choices.below(4) == 0)
    request.component_layout = static_cast<jit::coopmat::Mapping>(choices.below(3));
  // Half of the time all of the instruction set and the default numerics: they have the most code.
  const bool lesser = choices.below(2);
  const auto lesser_isa = static_cast<rt::Isa>(choices.below(kIsas));
  const rt::Isa isa = lesser ? std::min(lesser_isa, rt::hostIsa()) : rt::hostIsa();
  const bool exact = choices.below(4) == 0;
  if (choices.below(4) == 0) {
    for (jit::BindingLayout& binding : interface.bindings) {
      if (binding.kind != jit::DescriptorKind::UniformBuffer || binding.count != 1) continue;
      binding.kind = jit::DescriptorKind::InlineUniformBlock;
      binding.count = kInlineBlockBytes;
    }
  }
  // Last, so that findings keep what they were found with.
  request.robust_variables = choices.below(2);
  if (choices.below(2)) request.checks.add(jit::kDebug);
  request.bindings = interface.bindings;
  for (const std::string& entry_point : interface.compute_entry_points) {
    request.entry_point = entry_point;
    auto result = compiler(isa, exact).compile(request);
    const auto* error = std::get_if<jit::CompileError>(&result);
    if (error != nullptr && error->kind == jit::CompileError::Kind::Internal) return error->message;
  }
  return "";
}

}  // namespace fuzz

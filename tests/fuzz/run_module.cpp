// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/run_module.h"

#include <spirv/unified1/spirv.hpp11>

#include "tools/module_interface.h"

namespace fuzz {
namespace {

constexpr size_t kHeaderWords = 5;

bool declares(std::span<const uint32_t> words, spv::Capability capability) {
  constexpr uint32_t kCapability = 2u << 16 | static_cast<uint32_t>(spv::Op::OpCapability);
  for (size_t at = kHeaderWords; at + 1 < words.size() && words[at] == kCapability; at += 2)
    if (words[at + 1] == static_cast<uint32_t>(capability)) return true;
  return false;
}

uint64_t seedOf(std::span<const uint32_t> words) {
  uint64_t bits = 0;
  for (uint32_t word : words) bits = (bits ^ word) * 0x9e3779b97f4a7c15u;
  return bits ^ bits >> 32;
}

}  // namespace

jit::Compiler& ModuleRunner::compiler(rt::Isa isa) {
  auto& place = compilers_[isa != rt::Isa::Reference];
  if (!place) {
    jit::Compiler::Options options;
    options.isa = isa;
    options.exact = true;
    options.interruptible = true;
    place = std::get<0>(jit::Compiler::create(std::move(options)));
  }
  return *place;
}

std::shared_ptr<const jit::Kernel> ModuleRunner::compile(rt::Isa isa,
                                                         const jit::KernelRequest& request,
                                                         std::string& defect) {
  auto result = compiler(isa).compile(request);
  if (auto* kernel = std::get_if<0>(&result)) return *kernel;
  const auto& error = std::get<1>(result);
  if (error.kind == jit::CompileError::Kind::Internal) defect = error.message;
  return nullptr;
}

Verdict ModuleRunner::run(std::span<const uint32_t> words) {
  using End = Verdict::End;
  // Addresses are never checked, and clocks tell another time whenever one looks.
  if (declares(words, spv::Capability::PhysicalStorageBufferAddresses)) return {End::Skipped, ""};
  const bool repeatable = !declares(words, spv::Capability::ShaderClockKHR);
  const tools::ModuleInterface interface = tools::interfaceOf(words);
  const uint64_t seed = seedOf(words);
  jit::KernelRequest request;
  request.spirv = words;
  request.subgroup_size = jit::kMinSubgroupSize << seed % 4;
  request.bindings = interface.bindings;
  request.robust_variables = true;  // as it is for buffers unless said otherwise

  Verdict verdict{End::Refused, ""};
  for (const std::string& entry_point : interface.compute_entry_points) {
    request.entry_point = entry_point;
    std::string defect;
    const rt::Isa isas[] = {rt::Isa::Reference, rt::hostIsa()};
    const auto reference = compile(isas[0], request, defect);
    const auto best = compile(isas[1], request, defect);
    if (!defect.empty()) return {End::Failed, defect};
    if (reference == nullptr || best == nullptr) continue;
    Execution one(*reference, interface.bindings, seed), other(*best, interface.bindings, seed);
    bool stopped = false;
    for (Execution* execution : {&one, &other}) {
      const Execution::End end = execution->run();
      if (end == Execution::End::Failed)
        return {End::Failed, execution->failure() + " (" + entry_point + " on " +
                                 std::string(rt::isaName(isas[execution == &other])) + ")"};
      stopped |= end == Execution::End::Stopped;
    }
    if (stopped) {
      verdict.end = End::Stopped;
      continue;
    }
    if (verdict.end == End::Refused) verdict.end = End::Ran;
    if (!repeatable) continue;
    if (const std::string text = Execution::difference(one, other); !text.empty())
      return {End::Differs, text + " (" + entry_point + ")"};
  }
  return verdict;
}

}  // namespace fuzz

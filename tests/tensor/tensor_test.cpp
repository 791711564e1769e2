// SPDX-License-Identifier: Apache-2.0

// Shaders that load and store matrices through random tensor layouts and views: every element must
// be where the specification's pseudo-code has it, and nothing else may change.
//
// TESSERA_TEST_TENSOR_CASES: how many instead of kCases. TESSERA_TEST_SEED: the first one's seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/cpu_features.h"
#include "tests/support/environment.h"
#include "tests/support/shader_compiler.h"
#include "tests/support/vulkan_host.h"
#include "tests/tensor/shader.h"

namespace tensors {
namespace {

constexpr uint64_t kCases = 150;
constexpr size_t kGuardBytes = 256;

using Bytes = std::vector<std::byte>;

Bytes randomBytes(size_t count, uint64_t seed) {
  matrices::Random random(seed);
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.bits());
  return bytes;
}

uint32_t wordAt(const Bytes& memory, size_t offset, size_t bytes) {
  uint32_t word = 0;
  std::memcpy(&word, &memory[offset], bytes);
  return word;
}

// The contents of the buffers before the run; after it, what they must be and what they are.
struct Memory {
  Bytes tensor, matrix, result;
};

class ShaderRun {
 public:
  ShaderRun(const host::Device& device, const Program& program, uint64_t seed)
      : device_(device), program_(program) {
    const size_t unit = program.access == Access::Decode ? program.block_words * 4 : program.bytes;
    const size_t matrix = size_t{program.c.rows} * program.c.columns * program.bytes;
    before_ = {randomBytes(elementsOf(program.c) * unit + kGuardBytes, seed),
               randomBytes(matrix + kGuardBytes, seed + 1),
               randomBytes(matrix + kGuardBytes, seed + 2)};
  }

  void check() {
    Memory expected = before_;
    const Memory found = execute();
    for (uint32_t row = 0; row < program_.c.rows; ++row)
      for (uint32_t column = 0; column < program_.c.columns; ++column)
        expect(expected, found, row, column);
    // Of several that a view takes to one place, any may win.
    for (const auto& [index, values] : written_) {
      const size_t place = size_t{index} * program_.bytes;
      const uint32_t left = wordAt(found.tensor, place, program_.bytes);
      const bool won = std::find(values.begin(), values.end(), left) != values.end();
      std::memcpy(&expected.tensor[place], won ? &left : &values.back(), program_.bytes);
    }
    compare("tensor", expected.tensor, found.tensor);
    compare("matrix", expected.matrix, found.matrix);
    compare("result", expected.result, found.result);
  }

 private:
  Memory execute() const {
    const std::vector<uint32_t> spirv = host::compileGlsl(program_.text, "tensor.comp", {});
    host::PipelineDescription description;
    description.spirv = spirv;
    description.subgroup_size = 32;
    Bytes numbers(std::max<size_t>(program_.numbers.size(), 1) * sizeof(uint32_t));
    const auto given = std::as_bytes(std::span(program_.numbers));
    std::copy(given.begin(), given.end(), numbers.begin());
    const Bytes* contents[] = {&before_.tensor, &before_.matrix, &before_.result, &numbers};
    std::vector<std::unique_ptr<host::Buffer>> buffers;
    std::vector<host::BufferBinding> bindings;
    for (const Bytes* bytes : contents) {
      buffers.push_back(std::make_unique<host::Buffer>(device_, bytes->size()));
      std::copy(bytes->begin(), bytes->end(), buffers.back()->memory().begin());
      host::BufferBinding binding;
      binding.binding = static_cast<uint32_t>(bindings.size());
      binding.buffer = buffers.back()->handle();
      description.bindings.push_back({0, binding.binding, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER});
      bindings.push_back(binding);
    }
    const host::ComputePipeline pipeline(device_, description);
    const host::DescriptorSets sets(device_, pipeline, bindings);
    const VkCommandBuffer commands = device_.begin();
    const host::Functions& functions = device_.functions();
    functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    functions.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout(),
                                      0, 1, sets.handles().data(), 0, nullptr);
    functions.vkCmdDispatch(commands, 1, 1, 1);
    device_.barrier(commands);
    device_.end(commands);
    device_.submitAndWait(commands);
    auto contentsOf = [&](size_t k) {
      const auto memory = buffers[k]->memory();
      return Bytes(memory.begin(), memory.end());
    };
    return {contentsOf(0), contentsOf(1), contentsOf(2)};
  }

  void expect(Memory& expected, const Memory& found, uint32_t row, uint32_t column) {
    const bool stores = program_.access == Access::Store;
    const Case& c = program_.c;
    const Element e = locate(c.layout, c.view, row, column, c.columns, stores);
    const size_t bytes = program_.bytes;
    const size_t at = (size_t{row} * c.columns + column) * bytes;
    // A store leaves the matrix as it is.
    uint32_t value = wordAt(before_.matrix, at, bytes);
    if (stores) {
      if (e.where == Where::Inside) written_[e.index].push_back(value);
    } else if (e.where == Where::Outside) {
      value = c.layout.clamp_value;
    } else if (e.where == Where::Inside && program_.access == Access::Decode) {
      const size_t block = size_t{e.index} * program_.block_words * 4;
      value = decoded(program_, wordAt(before_.tensor, block, 4), e);
    } else if (e.where == Where::Inside) {
      value = wordAt(before_.tensor, size_t{e.index} * bytes, bytes);
    } else if (e.where == Where::Undefined) {
      value = wordAt(found.result, at, bytes);
    }
    std::memcpy(&expected.result[at], &value, bytes);
  }

  void compare(const char* name, const Bytes& expected, const Bytes& found) const {
    const auto [e, f] = std::mismatch(expected.begin(), expected.end(), found.begin());
    if (e == expected.end()) return;
    const auto at = static_cast<size_t>(e - expected.begin());
    ADD_FAILURE() << name << " differs at byte " << at << " (component " << at / program_.bytes
                  << "): " << static_cast<int>(*f) << ", expected " << static_cast<int>(*e);
  }

  const host::Device& device_;
  const Program& program_;
  Memory before_;
  std::map<uint32_t, std::vector<uint32_t>> written_;  // what goes to each element of the tensor
};

// Whether the device has such accumulators.
bool hasMatrix(const host::PhysicalDevice& device, const Program& program) {
  const VkComponentTypeKHR type = program.bytes == 1   ? VK_COMPONENT_TYPE_UINT8_KHR
                                  : program.bytes == 2 ? VK_COMPONENT_TYPE_UINT16_KHR
                                                       : VK_COMPONENT_TYPE_UINT32_KHR;
  const VkScopeKHR scope = program.workgroup ? VK_SCOPE_WORKGROUP_KHR : VK_SCOPE_SUBGROUP_KHR;
  return std::any_of(device.flexible_matrices.begin(), device.flexible_matrices.end(),
                     [&](const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& row) {
                       return (row.CType == type || row.ResultType == type) && row.scope == scope &&
                              (!program.workgroup || row.workgroupInvocations == kWorkgroupSize) &&
                              program.c.rows % row.MGranularity == 0 &&
                              program.c.columns % row.NGranularity == 0;
                     });
}

TEST(Tensor, RandomLayoutsAndViews) {
  const char* isa = std::getenv("TESSERA_ISA");
  const std::optional<rt::Isa> wanted = rt::parseIsa(isa ? isa : "");
  if (wanted && *wanted > rt::hostIsa()) GTEST_SKIP() << "this machine has no " << isa;
  host::Instance instance;
  const std::unique_ptr<host::Device> device =
      host::Device::withAllFeatures(instance, instance.choose(), false);
  for (const char* feature : {"cooperativeMatrixTensorAddressing", "cooperativeMatrixBlockLoads",
                              "cooperativeMatrixFlexibleDimensions"})
    if (!device->features().find(feature).value_or(false))
      GTEST_SKIP() << "the device has no " << feature;
  const uint64_t first = test::numberFromEnvironment("TESSERA_TEST_SEED", 1);
  const uint64_t count = test::numberFromEnvironment("TESSERA_TEST_TENSOR_CASES", kCases);
  std::cout << "seeds " << first << " to " << first + count - 1 << "\n";
  uint64_t run = 0;
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    matrices::Random random(seed);
    const Program program = randomProgram(random);
    if (!hasMatrix(device->physical(), program)) continue;
    ++run;
    SCOPED_TRACE("TESSERA_TEST_TENSOR_CASES=1 TESSERA_TEST_SEED=" + std::to_string(seed) + ": " +
                 program.describe());
    try {
      ShaderRun(*device, program, seed).check();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
      for (const std::string& message : instance.takeMessages()) ADD_FAILURE() << message;
    }
  }
  std::cout << run << " of " << count << " run\n";
}

}  // namespace
}  // namespace tensors

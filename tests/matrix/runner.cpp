// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/runner.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "tests/matrix/program_text.h"
#include "tests/support/shader_compiler.h"

namespace matrices {
namespace {

using kernels::elementInfo;

// Nothing behind a region may change.
constexpr uint64_t kGuardBytes = 256;
constexpr std::byte kGuard{0xa5};

uint64_t bitsAt(ElementType type, std::span<const std::byte> memory, size_t index) {
  uint64_t bits = 0;
  const uint32_t bytes = elementInfo(type).bytes();
  std::memcpy(&bits, memory.subspan(index * bytes, bytes).data(), bytes);
  return bits;
}

class Run {
 public:
  Run(const host::Device& device, const Program& program) : device_(device), program_(program) {
    source_ = writeProgram(program);
    makeBuffers();
  }

  const std::string& text() const { return source_.text; }
  std::span<const std::byte> memory(uint32_t region) const { return buffers_[region]->memory(); }

  void execute() {
    const std::vector<uint32_t> spirv = host::assembleSpirv(source_.text, "program");
    const std::string invalid = host::validateSpirv(spirv);
    if (!invalid.empty()) throw host::ShaderError("the module is not valid: " + invalid);
    host::PipelineDescription description;
    description.spirv = spirv;
    description.specializations = source_.specializations;
    if (program_.required_size) {
      description.subgroup_size = program_.subgroup_size;
      description.full_subgroups = true;
    }
    std::vector<host::BufferBinding> bindings;
    auto bind = [&](uint32_t binding, const host::Buffer& buffer, VkDeviceSize bytes) {
      description.bindings.push_back({0, binding, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER});
      host::BufferBinding& made = bindings.emplace_back();
      made.binding = binding;
      made.buffer = buffer.handle();
      made.range = bytes;
    };
    bind(0, *numbers_, numbers_->memory().size());
    for (uint32_t k = 0; k < program_.regions.size(); ++k) {
      const Region& region = program_.regions[k];
      if (region.storage == Storage::StorageBuffer)
        bind(k + 1, *buffers_[k], region.bound != 0 ? region.bound : region.bytes);
    }
    const host::ComputePipeline pipeline(device_, description);
    const host::DescriptorSets sets(device_, pipeline, bindings);
    const VkCommandBuffer commands = device_.begin();
    const host::Functions& functions = device_.functions();
    functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    functions.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout(),
                                      0, 1, sets.handles().data(), 0, nullptr);
    functions.vkCmdDispatch(commands, program_.workgroups, 1, 1);
    device_.barrier(commands);
    device_.end(commands);
    device_.submitAndWait(commands);
  }

 private:
  void makeBuffers() {
    for (const Region& region : program_.regions) {
      std::unique_ptr<host::Buffer>& buffer = buffers_.emplace_back();
      if (region.storage == Storage::Workgroup) continue;
      buffer = std::make_unique<host::Buffer>(device_, region.bytes + kGuardBytes);
      const std::span<std::byte> memory = buffer->memory();
      std::fill(memory.begin(), memory.end(), kGuard);
      const uint32_t bytes = region.componentBytes();
      for (size_t k = 0; k < region.initial.size(); ++k)
        std::memcpy(memory.subspan(k * bytes, bytes).data(), &region.initial[k], bytes);
    }
    for (const ProgramText::Address& address : source_.addresses) {
      const uint64_t where = buffers_[address.region]->address();
      source_.numbers[address.first] = static_cast<uint32_t>(where);
      source_.numbers[address.first + 1] = static_cast<uint32_t>(where >> 32);
    }
    const size_t bytes = std::max<size_t>(source_.numbers.size(), 1) * sizeof(uint32_t);
    numbers_ = std::make_unique<host::Buffer>(device_, bytes);
    std::memcpy(numbers_->memory().data(), source_.numbers.data(),
                source_.numbers.size() * sizeof(uint32_t));
  }

  const host::Device& device_;
  const Program& program_;
  ProgramText source_;
  std::vector<std::unique_ptr<host::Buffer>> buffers_;  // none for Workgroup
  std::unique_ptr<host::Buffer> numbers_;
};

// Where the first wrong component of a region is, and what it should be.
std::string checkRegion(const Program& program, uint32_t index, const std::vector<Number>& expected,
                        std::span<const std::byte> memory, Promise promise, Verdict& verdict) {
  const Region& region = program.regions[index];
  std::string first;
  size_t wrong = 0;
  for (size_t k = 0; k < expected.size(); ++k) {
    const uint64_t bits = bitsAt(region.component, memory, k);
    ++verdict.components;
    verdict.settled +=
        !expected[k].unknown && (!isFloat(region.component) || expected[k].low >= expected[k].high);
    if (allows(region.component, expected[k], bits, promise)) continue;
    if (wrong++ == 0) {
      first = "component " + std::to_string(k) + " (byte " +
              std::to_string(k * region.componentBytes()) + ", " +
              elementInfo(region.component).name + ") is " +
              format(kernels::decode(region.component, bits)) + ", expected " +
              describe(region.component, expected[k]);
    }
  }
  if (wrong != 0) {
    return "region " + std::to_string(index) + ": " + std::to_string(wrong) + " of " +
           std::to_string(expected.size()) + " components are wrong, the first: " + first + "\n";
  }
  const auto guard = memory.subspan(region.bytes);
  if (std::any_of(guard.begin(), guard.end(), [](std::byte b) { return b != kGuard; }))
    return "region " + std::to_string(index) + ": written behind its end\n";
  return "";
}

// Each element of the matrix must belong to a component of an invocation that is no other's, and be
// there what it is in the matrix. (Of workgroups, several may hold copies of it.)
std::string checkHolders(const Program& program, const Held& held, const Run& run,
                         Promise promise) {
  const uint32_t size = held.invocations, elements = held.type.size();
  const ElementType type = held.type.component;
  auto fail = [&](const std::string& what) {
    return "who holds what, matrix " + std::to_string(held.instance) + ": " + what + "\n";
  };
  auto lengthOf = [&](uint32_t lane) {
    return bitsAt(ElementType::U32, run.memory(held.lengths), held.instance * size + lane);
  };
  const uint64_t length = lengthOf(0);
  for (uint32_t lane = 1; lane < size; ++lane)
    if (lengthOf(lane) != length) return fail("invocations do not agree on the length");
  if (length == 0 || length > elements || length * size < elements || length > kMaxHeld)
    return fail("a length of " + std::to_string(length));
  std::vector<bool> taken(size * length);
  for (uint32_t row = 0; row < held.type.rows; ++row) {
    for (uint32_t column = 0; column < held.type.columns; ++column) {
      auto number = [&](const Place& place) {
        const Region& region = program.regions[place.region];
        const size_t at = componentAt(region, place, held.instance, {}, row, column);
        return bitsAt(region.component, run.memory(place.region), at) - 1;
      };
      const std::string where = "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
      const uint64_t lane = number(*held.lanes), index = number(*held.indices);
      if (lane >= size || index >= length) return fail("nobody holds " + where);
      if (taken[lane * length + index])
        return fail("one component is " + where + " and another element");
      taken[lane * length + index] = true;
      const uint64_t bits =
          bitsAt(type, run.memory(held.held), (held.instance * size + lane) * kMaxHeld + index);
      const Number& expected = held.matrix[row * held.type.columns + column];
      if (!allows(type, expected, bits, promise)) {
        return fail("invocation " + std::to_string(lane) + " sees " +
                    format(kernels::decode(type, bits)) + " at " + where + ", expected " +
                    describe(type, expected));
      }
    }
  }
  return "";
}

}  // namespace

Verdict runProgram(const host::Device& device, const Program& program, Promise promise) {
  Verdict verdict;
  Run run(device, program);
  try {
    run.execute();
    const Outcome outcome = compute(program, promise);
    for (uint32_t k = 0; k < program.regions.size(); ++k) {
      if (program.regions[k].storage == Storage::Workgroup) continue;
      verdict.failure +=
          checkRegion(program, k, outcome.memory[k], run.memory(k), promise, verdict);
    }
    for (const Held& held : outcome.held)
      verdict.failure += checkHolders(program, held, run, promise);
  } catch (const std::exception& error) {
    verdict.failure = std::string(error.what()) + "\n";
    for (const std::string& message : device.instance().takeMessages())
      verdict.failure += message + "\n";
  }
  if (!verdict.failure.empty()) {
    verdict.failure += "subgroups of " + std::to_string(program.subgroup_size) + ", " +
                       std::to_string(program.subgroups) + " in each of " +
                       std::to_string(program.workgroups) + " workgroups\n" + run.text();
  }
  return verdict;
}

}  // namespace matrices

// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/overlap_runner.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "tests/matrix/overlap_model.h"
#include "tests/matrix/overlap_writer.h"
#include "tests/matrix/random.h"
#include "tests/support/shader_compiler.h"

namespace matrices::overlaps {
namespace {

// Nothing behind a buffer's last part may change.
constexpr size_t kGuardBytes = 256;

class Run {
 public:
  Run(const host::Device& device, const Program& program)
      : device_(device), program_(program), source_(writeProgram(program)) {
    Random random(program.seed ^ 0x6f766572);
    const size_t bytes = size_t{program.part()} * program.workgroups;
    for (size_t m = 0; m < kMemories; ++m) {
      buffers_.push_back(std::make_unique<host::Buffer>(device, bytes + kGuardBytes));
      for (std::byte& byte : buffers_[m]->memory()) byte = static_cast<std::byte>(random.bits());
      const auto memory = buffers_[m]->memory();
      before_.memory[m].assign(memory.begin(), memory.begin() + static_cast<ptrdiff_t>(bytes));
      guards_.emplace_back(memory.begin() + static_cast<ptrdiff_t>(bytes), memory.end());
    }
    const uint64_t address = buffers_[0]->address();
    source_.numbers[0] = static_cast<uint32_t>(address);
    source_.numbers[1] = static_cast<uint32_t>(address >> 32);
    const size_t words = source_.numbers.size() * sizeof(uint32_t);
    numbers_ = std::make_unique<host::Buffer>(device, words);
    std::memcpy(numbers_->memory().data(), source_.numbers.data(), words);
  }

  const std::string& text() const { return source_.text; }

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
    auto bind = [&](uint32_t binding, const host::Buffer& buffer, size_t bytes) {
      description.bindings.push_back({0, binding, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER});
      host::BufferBinding& made = bindings.emplace_back();
      made.binding = binding;
      made.buffer = buffer.handle();
      made.range = bytes;
    };
    const size_t all = before_.memory[0].size();
    auto reach = [&](Path path) { return program_.bound(path) != 0 ? program_.bound(path) : all; };
    bind(0, *numbers_, numbers_->memory().size());
    bind(1, *buffers_[0], reach(Path::First));
    bind(2, *buffers_[0], reach(Path::Second));
    bind(3, *buffers_[1], all);
    bind(4, *buffers_[2], all);
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

  std::string check() const {
    Contents expected = compute(program_, before_);
    // Workgroup memory that there is not leaves its buffer alone.
    if (!program_.has_shared) expected.memory[2] = before_.memory[2];
    constexpr const char* kWhat[] = {"the buffer", "the other buffer", "Workgroup memory"};
    std::string failure;
    for (size_t m = 0; m < kMemories; ++m) {
      const auto memory = buffers_[m]->memory();
      const Bytes& wanted = expected.memory[m];
      const auto wrong = std::mismatch(wanted.begin(), wanted.end(), memory.begin());
      if (wrong.first != wanted.end()) {
        size_t count = 0;
        for (size_t k = 0; k < wanted.size(); ++k) count += wanted[k] != memory[k];
        failure += std::string(kWhat[m]) + ": " + std::to_string(count) + " of " +
                   std::to_string(wanted.size()) + " bytes are wrong, the first: byte " +
                   std::to_string(wrong.first - wanted.begin()) + "\n";
      }
      if (!std::equal(guards_[m].begin(), guards_[m].end(), memory.begin() + std::ssize(wanted)))
        failure += std::string(kWhat[m]) + ": written behind its end\n";
    }
    return failure;
  }

 private:
  const host::Device& device_;
  const Program& program_;
  ProgramText source_;
  std::vector<std::unique_ptr<host::Buffer>> buffers_;  // memory by memory
  std::vector<Bytes> guards_;
  std::unique_ptr<host::Buffer> numbers_;
  Contents before_;
};

}  // namespace

std::string failureOf(const host::Device& device, const Program& program) {
  Run run(device, program);
  std::string failure;
  try {
    run.execute();
    failure = run.check();
  } catch (const std::exception& error) {
    failure = std::string(error.what()) + "\n";
    for (const std::string& message : device.instance().takeMessages()) failure += message + "\n";
  }
  if (failure.empty()) return failure;
  return failure + "subgroups of " + std::to_string(program.subgroup_size) + ", " +
         std::to_string(program.subgroups) + " in each of " + std::to_string(program.workgroups) +
         " workgroups\n" + run.text();
}

}  // namespace matrices::overlaps

// SPDX-License-Identifier: Apache-2.0

#include "tests/support/kernel_runner.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <map>

#include "tests/support/kernel_check.h"
#include "tests/support/message_pattern.h"
#include "tests/support/placed_memory.h"

namespace kernels {
namespace {

// Bytes behind every buffer that no kernel may touch.
constexpr uint64_t kGuardBytes = 256;

double processSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

VkDescriptorType descriptorType(const Buffer& buffer) {
  if (buffer.inline_block) return VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  if (buffer.uniform) {
    return buffer.dynamic_offset ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                                 : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  }
  return buffer.dynamic_offset ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC
                               : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

VkDescriptorType descriptorType(const ExtraDescriptor& extra) {
  return extra.uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

std::vector<host::Binding> bindings(const Kernel& kernel) {
  std::map<std::pair<uint32_t, uint32_t>, host::Binding> found;
  for (const Buffer& buffer : kernel.buffers) {
    if (!buffer.binding) continue;
    host::Binding& binding = found[{buffer.set, *buffer.binding}];
    binding.set = buffer.set;
    binding.binding = *buffer.binding;
    binding.type = descriptorType(buffer);
    binding.count = buffer.inline_block ? static_cast<uint32_t>(buffer.bytes)
                                        : std::max(binding.count, buffer.array_element + 1);
  }
  for (const ExtraDescriptor& extra : kernel.extra_descriptors) {
    host::Binding& binding = found[{extra.set, extra.binding}];
    binding.set = extra.set;
    binding.binding = extra.binding;
    binding.type = descriptorType(extra);
    binding.count = std::max(binding.count, extra.array_element + 1);
  }
  std::vector<host::Binding> result;
  for (const auto& [place, binding] : found) result.push_back(binding);
  return result;
}

// In the order in which vkCmdBindDescriptorSets wants them: by set, binding, array element.
std::vector<uint32_t> dynamicOffsets(const Kernel& kernel) {
  std::map<std::array<uint32_t, 3>, uint32_t> offsets;
  for (const Buffer& buffer : kernel.buffers) {
    if (buffer.binding && buffer.dynamic_offset) {
      offsets[{buffer.set, *buffer.binding, buffer.array_element}] = *buffer.dynamic_offset;
    }
  }
  std::vector<uint32_t> result;
  for (const auto& [place, offset] : offsets) result.push_back(offset);
  return result;
}

host::PipelineDescription describePipeline(const Kernel& kernel, const Dispatch& dispatch,
                                           std::span<const uint32_t> spirv) {
  host::PipelineDescription description;
  description.spirv = spirv;
  description.entry_point = dispatch.entry_point;
  description.bindings = bindings(kernel);
  description.push_bytes = dispatch.push_bytes;
  description.subgroup_size = dispatch.subgroup_size;
  description.full_subgroups = dispatch.full_subgroups;
  description.robust = kernel.robust_pipelines;
  description.statistics = !kernel.remarks.empty();
  for (const SpecializationValue& value : dispatch.specializations) {
    description.specializations.push_back(
        {value.id, encode(value.type, value.value), elementInfo(value.type).bytes()});
  }
  return description;
}

// Whether the driver's checks are in the kernel's code: of its own setting, or of the
// environment's.
bool isInstrumented(const Kernel& kernel) {
  const auto setting =
      std::ranges::find(kernel.settings, "check", &host::Settings::value_type::first);
  if (setting != kernel.settings.end()) return !setting->second.empty();
  const char* environment = std::getenv("TESSERA_CHECK");
  return environment != nullptr && *environment != '\0';
}

// Everything that one kernel has on the device.
class KernelRun {
 public:
  KernelRun(host::Device& device, const Kernel& kernel, std::span<const uint32_t> spirv)
      : device_(device), kernel_(kernel) {
    scope_.subgroup_size = device.physical().subgroup.subgroupSize;
    for (const Dispatch& dispatch : kernel.dispatches) {
      const double start = processSeconds();
      pipelines_.push_back(std::make_unique<host::ComputePipeline>(
          device, describePipeline(kernel, dispatch, spirv)));
      compile_seconds_ = std::max(compile_seconds_, processSeconds() - start);
      if (dispatch.subgroup_size != 0) scope_.subgroup_size = dispatch.subgroup_size;
    }
  }

  void makeBuffers() {
    std::vector<host::PlacedMemory::Range> placed;
    for (const Buffer& buffer : kernel_.buffers)
      if (buffer.address) placed.push_back({*buffer.address, buffer.bytes});
    if (!placed.empty()) placed_ = std::make_unique<host::PlacedMemory>(device_, placed);
    for (const Buffer& buffer : kernel_.buffers) {
      if (buffer.address)
        buffers_.push_back(
            std::make_unique<host::Buffer>(device_, buffer.bytes, *placed_, *buffer.address));
      else
        buffers_.push_back(std::make_unique<host::Buffer>(device_, buffer.bytes,
                                                          buffer.unwritten ? 0 : kGuardBytes,
                                                          /*is_mapped=*/!buffer.unwritten));
      buffers_.back()->setName(buffer.name);
      addresses_.push_back(buffers_.back()->address());
      before_.emplace_back(buffer.bytes, kUnwritten);
    }
    scope_.before = before_;
    if (device_.features().find("bufferDeviceAddress").value_or(false)) {
      scope_.addresses = addresses_;
    }
    for (size_t k = 0; k < buffers_.size(); ++k) {
      if (kernel_.buffers[k].unwritten) continue;
      fillBuffer(kernel_, k, scope_, before_[k]);
      const std::span<std::byte> memory = buffers_[k]->memory();
      std::copy(before_[k].begin(), before_[k].end(), memory.begin());
      std::fill(memory.begin() + static_cast<ptrdiff_t>(before_[k].size()), memory.end(),
                kUnwritten);
    }
  }

  VkCommandBuffer record() {
    makeDescriptors();
    const VkCommandBuffer commands = device_.begin();
    for (size_t k = 0; k < kernel_.dispatches.size(); ++k) {
      if (k != 0 && !kernel_.dispatches[k].unordered) device_.barrier(commands);
      recordDispatch(commands, k);
    }
    device_.barrier(commands);
    device_.end(commands);
    return commands;
  }

  // Messages; empty when no more was said of the pipelines than is expected. Drivers without such
  // statistics say nothing. Code with the driver's checks in it is made differently: nothing is
  // expected of it.
  std::vector<std::string> checkRemarks() const {
    std::vector<std::string> failures;
    if (isInstrumented(kernel_) || isDebugged()) return failures;
    const std::string device = device_.physical().name + (kernel_.robust ? ", robust access" : "") +
                               (std::getenv("TESSERA_CHECK_SHAPES") ? ", checked shapes" : "");
    for (const auto& pipeline : pipelines_) {
      if (kernel_.remarks.empty()) break;
      const std::map<std::string, uint64_t> statistics = pipeline->statistics();
      for (const RemarkExpectation& expected : kernel_.remarks) {
        const bool is_other = std::any_of(
            expected.other_devices.begin(), expected.other_devices.end(),
            [&](const std::string& part) { return device.find(part) != std::string::npos; });
        if (is_other) continue;
        const auto found = statistics.find(expected.name);
        if (found == statistics.end() || found->second <= expected.most) continue;
        failures.push_back(kernel_.source.path.filename().string() + ":" +
                           std::to_string(expected.line) + ": remarks \"" + expected.name +
                           "\": " + std::to_string(found->second) + ", at most " +
                           std::to_string(expected.most) + " are expected");
      }
    }
    return failures;
  }

  // Messages; empty when the results are right.
  std::vector<std::string> check() {
    std::vector<std::string> failures;
    for (size_t k = 0; k < buffers_.size(); ++k) {
      if (kernel_.buffers[k].unwritten) buffers_[k]->map();
      const std::span<std::byte> memory = buffers_[k]->memory();
      const auto end = memory.begin() + static_cast<ptrdiff_t>(before_[k].size());
      after_.emplace_back(memory.begin(), end);
      const auto touched =
          std::find_if(end, memory.end(), [](std::byte b) { return b != kUnwritten; });
      if (touched != memory.end()) {
        failures.push_back("the kernel wrote " + std::to_string(touched - end) +
                           " bytes behind the end of buffer '" + kernel_.buffers[k].name + "'");
      }
    }
    scope_.after = after_;
    for (std::string& failure : checkKernel(kernel_, scope_))
      failures.push_back(std::move(failure));
    return failures;
  }

  std::vector<std::vector<std::byte>>& after() { return after_; }
  double compileSeconds() const { return compile_seconds_; }

 private:
  void makeDescriptors() {
    std::vector<host::BufferBinding> written;
    for (size_t k = 0; k < kernel_.buffers.size(); ++k) {
      const Buffer& buffer = kernel_.buffers[k];
      if (!buffer.binding) continue;
      host::BufferBinding& binding = written.emplace_back();
      binding.set = buffer.set;
      binding.binding = *buffer.binding;
      binding.element = buffer.array_element;
      binding.type = descriptorType(buffer);
      if (buffer.inline_block) binding.inline_data = before_[k];
      binding.range = VK_WHOLE_SIZE;
      if (buffer.null) continue;
      const uint64_t skipped = buffer.descriptor_offset + buffer.dynamic_offset.value_or(0);
      binding.buffer = buffers_[k]->handle();
      binding.offset = buffer.descriptor_offset;
      binding.range = buffer.descriptor_range.value_or(buffer.bytes - skipped);
    }
    for (const ExtraDescriptor& extra : kernel_.extra_descriptors) {
      const uint64_t bytes = kernel_.buffers[extra.buffer].bytes;
      written.push_back({.set = extra.set,
                         .binding = extra.binding,
                         .element = extra.array_element,
                         .type = descriptorType(extra),
                         .buffer = buffers_[extra.buffer]->handle(),
                         .offset = extra.offset,
                         .range = extra.range.value_or(bytes - extra.offset)});
    }
    for (const auto& pipeline : pipelines_) {
      descriptors_.push_back(std::make_unique<host::DescriptorSets>(device_, *pipeline, written));
    }
  }

  void recordDispatch(VkCommandBuffer commands, size_t index) {
    const host::Functions& functions = device_.functions();
    const Dispatch& dispatch = kernel_.dispatches[index];
    const host::ComputePipeline& pipeline = *pipelines_[index];
    functions.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    const std::vector<VkDescriptorSet>& sets = descriptors_[index]->handles();
    const std::vector<uint32_t> offsets = dynamicOffsets(kernel_);
    if (!sets.empty()) {
      functions.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout(),
                                        0, static_cast<uint32_t>(sets.size()), sets.data(),
                                        static_cast<uint32_t>(offsets.size()), offsets.data());
    }
    if (dispatch.push_bytes != 0) {
      std::vector<std::byte> data(dispatch.push_bytes);
      scope_.variables.assign({0, 0});
      for (const PackedValue& value : dispatch.push) {
        const uint64_t bits = encode(value.type, value.value(scope_));
        std::memcpy(data.data() + value.offset, &bits, elementInfo(value.type).bytes());
      }
      functions.vkCmdPushConstants(commands, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                   dispatch.push_bytes, data.data());
    }
    const auto& [x, y, z] = dispatch.groups;
    if (dispatch.indirect) {
      functions.vkCmdDispatchIndirect(commands, buffers_[dispatch.indirect->first]->handle(),
                                      dispatch.indirect->second);
    } else if (dispatch.base != std::array<uint32_t, 3>{}) {
      functions.vkCmdDispatchBase(commands, dispatch.base[0], dispatch.base[1], dispatch.base[2], x,
                                  y, z);
    } else {
      functions.vkCmdDispatch(commands, x, y, z);
    }
  }

  host::Device& device_;
  const Kernel& kernel_;
  double compile_seconds_ = 0;
  std::vector<std::unique_ptr<host::ComputePipeline>> pipelines_;
  std::unique_ptr<host::PlacedMemory> placed_;
  std::vector<std::unique_ptr<host::Buffer>> buffers_;
  std::vector<std::unique_ptr<host::DescriptorSets>> descriptors_;
  std::vector<uint64_t> addresses_;
  std::vector<std::vector<std::byte>> before_, after_;
  Scope scope_;
};

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

RunReport checkRefusal(host::Device& device, const Kernel& kernel,
                       std::span<const uint32_t> spirv) {
  device.instance().takeMessages();
  try {
    KernelRun run(device, kernel, spirv);
  } catch (const host::VulkanError& error) {
    const std::string message = join(device.instance().takeMessages());
    if (matchesPattern(message, *kernel.refusal)) {
      return {Verdict::Passed, message};
    }
    return {Verdict::Failed, std::string("refused as it must be (") + error.what() +
                                 "), but the message \"" + message + "\" does not match \"" +
                                 *kernel.refusal + "\""};
  }
  return {Verdict::Failed, "must be refused, but the pipeline was created"};
}

}  // namespace

host::Device& KernelDevice::device(bool robust, const host::Settings& settings) {
  if (settings.empty()) {
    std::unique_ptr<host::Device>& device = devices_[robust];
    if (!device) device = host::Device::withAllFeatures(instance_, physical_, robust);
    return *device;
  }
  Configured& configured = configured_.try_emplace(settings, settings).first->second;
  std::unique_ptr<host::Device>& device = configured.devices[robust];
  if (!device) {
    // By the driver's name: settings change the device's, which has the number of threads in it.
    device = host::Device::withAllFeatures(configured.instance,
                                           configured.instance.choose(physical_.driver), robust);
  }
  return *device;
}

RunReport runKernel(KernelDevice& kernel_device, const Kernel& kernel, uint32_t timed_runs) {
  RunReport report;
  try {
    host::Device& device = kernel_device.device(kernel.robust, kernel.settings);
    const std::string unmet = findUnmetRequirement(kernel, device);
    if (!unmet.empty()) return {Verdict::Skipped, unmet};
    const std::vector<uint32_t> spirv = compileKernel(kernel);
    if (kernel.refusal) return checkRefusal(device, kernel, spirv);

    device.instance().takeMessages();
    device.instance().takeFindings();
    KernelRun run(device, kernel, spirv);
    report.compile = run.compileSeconds();
    run.makeBuffers();
    const VkCommandBuffer commands = run.record();
    device.instance().takePrints();
    device.submitAndWait(commands);
    std::vector<std::string> failures = run.check();
    for (std::string& failure : run.checkRemarks()) failures.push_back(std::move(failure));
    for (std::string& failure : checkPrints(kernel, device.instance().takePrints()))
      failures.push_back(std::move(failure));
    FindingFailures found = checkFindings(kernel, device.instance().takeFindings());
    report.unexpected_findings = found.unexpected;
    std::ranges::move(found.failures, std::back_inserter(failures));
    if (!failures.empty()) {
      report.verdict = Verdict::Failed;
      report.detail = join(failures);
    }
    for (uint32_t k = 0; k < timed_runs; ++k) {
      const double cpu = processSeconds();
      const auto start = std::chrono::steady_clock::now();
      device.submitAndWait(commands);
      report.wall.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      report.cpu.push_back(processSeconds() - cpu);
    }
    report.after = std::move(run.after());
  } catch (const std::exception& error) {
    report.verdict = Verdict::Failed;
    report.detail = error.what();
    try {
      host::Instance& instance = kernel_device.device(kernel.robust, kernel.settings).instance();
      for (const std::string& message : instance.takeMessages()) report.detail += "\n" + message;
      for (const host::Finding& finding : instance.takeFindings())
        report.detail += "\n" + finding.text;
    } catch (const std::exception&) {
      // The device itself could not be made; the first error says so.
    }
  }
  return report;
}

}  // namespace kernels

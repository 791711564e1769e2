// SPDX-License-Identifier: Apache-2.0

// Runs a kernel file on a Vulkan device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/kernel_file.h"
#include "tests/support/vulkan_host.h"

namespace kernels {

enum class Verdict : uint8_t { Passed, Failed, Skipped };

struct RunReport {
  Verdict verdict = Verdict::Passed;
  std::string detail;  // why it failed or was skipped; for a refusal, the driver's message
  // What the driver's checks found that the file does not expect; the detail has it in full.
  uint32_t unexpected_findings = 0;
  std::vector<std::vector<std::byte>> after;  // contents of the buffers after the run
  // Processor time that the pipeline which took longest to make has taken, all threads of the
  // process together, in seconds.
  double compile = 0;
  // Of each timed run, all dispatches together, in seconds.
  std::vector<double> wall, cpu;
};

// A physical device with its logical devices, made when first needed: one without robust buffer
// access and one with, and such two more in an instance of their own for each combination of
// settings.
class KernelDevice {
 public:
  KernelDevice(host::Instance& instance, const host::PhysicalDevice& physical)
      : instance_(instance), physical_(physical) {}
  host::Device& device(bool robust, const host::Settings& settings = {});
  const host::PhysicalDevice& physical() const { return physical_; }

 private:
  host::Instance& instance_;
  const host::PhysicalDevice& physical_;
  std::unique_ptr<host::Device> devices_[2];

  struct Configured {
    explicit Configured(const host::Settings& settings) : instance(settings) {}
    host::Instance instance;
    std::unique_ptr<host::Device> devices[2];
  };
  std::map<host::Settings, Configured> configured_;
};

// SPIR-V of the kernel, with its patches. Throws host::ShaderError.
std::vector<uint32_t> compileKernel(const Kernel& kernel);
// Whether debuggers are to stop in kernels (TESSERA_DEBUG): then files are compiled for that.
bool isDebugged();

// Never throws for what the kernel or the driver does wrong: that is in the report.
// timed_runs: how many times the dispatches run again after the checked run.
RunReport runKernel(KernelDevice& device, const Kernel& kernel, uint32_t timed_runs = 0);

// Empty, or the requirement that the device does not meet.
std::string findUnmetRequirement(const Kernel& kernel, const host::Device& device);

}  // namespace kernels

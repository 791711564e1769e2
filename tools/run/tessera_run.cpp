// SPDX-License-Identifier: Apache-2.0

// tessera-run: runs shaders through the system's Vulkan loader.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/array_file.h"
#include "tests/support/kernel_runner.h"
#include "tests/support/lexer.h"
#include "tests/support/matrix_rows.h"
#include "tests/support/shader_compiler.h"
#include "tools/run/comparison.h"
#include "tools/run/debugger.h"
#include "tools/run/options.h"
#include "tools/run/output.h"

namespace {

using kernels::Kernel;
using kernels::RunReport;
using kernels::Verdict;
using run::Options;
using run::UsageError;

// What exit statuses above this mean is the shell's.
constexpr uint32_t kMostFindings = 125;

struct Variant {
  std::string name;
  Kernel kernel;
};

// What is wrong with files is wrong usage.
std::vector<Variant> readVariants(const Options& options) {
  std::vector<Variant> variants;
  try {
    for (std::filesystem::path file : options.files) {
      // Of a captured dispatch.
      if (std::filesystem::is_directory(file)) file /= "dispatch.kernel";
      for (kernels::KernelSource& source : kernels::readKernelSources(file, options.directives)) {
        if (!options.variant.empty() && source.variant != options.variant) continue;
        std::string name = source.name(".");
        variants.push_back(
            {std::move(name), kernels::parseKernel(std::move(source), kernels::Aim::Run)});
      }
    }
  } catch (const std::exception& error) {
    throw UsageError(error.what());
  }
  if (variants.empty()) throw UsageError("no variant '" + options.variant + "'; --list shows them");
  return variants;
}

const kernels::Buffer& bufferOf(const Kernel& kernel, const std::string& name) {
  for (const kernels::Buffer& buffer : kernel.buffers)
    if (buffer.name == name) return buffer;
  std::string names;
  for (const kernels::Buffer& buffer : kernel.buffers)
    names += (names.empty() ? "" : ", ") + buffer.name;
  throw UsageError("no buffer '" + name + "'" +
                   (names.empty() ? "; there are none" : "; there are " + names));
}

uint64_t countOf(const kernels::Buffer& buffer) {
  return buffer.bytes / kernels::elementInfo(buffer.type).bytes();
}

void checkOutput(const Kernel& kernel, const run::Output& output) {
  const uint64_t count = countOf(bufferOf(kernel, output.buffer));
  run::checkShape(output.buffer, count, output.shape);
  if (output.minus.empty() || output.minus == run::kCompared) return;
  const uint64_t others = countOf(bufferOf(kernel, output.minus));
  run::checkShape(output.minus, others, output.shape);
  if (!output.shape && count != others)
    throw UsageError("'" + output.buffer + "' has " + std::to_string(count) + " elements and '" +
                     output.minus + "' " + std::to_string(others) +
                     "; --save NAME-OTHER:ROWSxCOLUMNS=PATH takes the first ones of both");
}

// Before anything runs.
void checkNames(const Options& options, const std::vector<Variant>& variants) {
  if (!options.outputs.empty() && variants.size() > 1)
    throw UsageError("--save writes the buffers of one variant, and there are " +
                     std::to_string(variants.size()) + "; --variant NAME takes one of them");
  for (const Variant& variant : variants) {
    for (const run::Output& output : options.outputs) checkOutput(variant.kernel, output);
    if (!options.dump.empty() && options.dump != "all") bufferOf(variant.kernel, options.dump);
  }
}

void dumpBuffers(const Kernel& kernel, const RunReport& report, const Options& options) {
  for (size_t k = 0; k < report.after.size(); ++k) {
    const kernels::Buffer& buffer = kernel.buffers[k];
    if (options.dump != "all" && options.dump != buffer.name) continue;
    const size_t count = countOf(buffer);
    std::printf("%s, %s[%zu]:", buffer.name.c_str(), kernels::elementInfo(buffer.type).name, count);
    for (size_t element = 0; element < count; ++element) {
      if (element % 16 == 0) std::printf("\n%8zu:", element);
      std::printf(
          " %s",
          kernels::format(kernels::loadElement(buffer.type, report.after[k], element)).c_str());
    }
    std::printf("\n");
  }
}

run::Array arrayOf(const Kernel& kernel, const RunReport& report, const std::string& name,
                   const run::Output& output) {
  const kernels::Buffer& buffer = bufferOf(kernel, name);
  const auto index = static_cast<size_t>(&buffer - kernel.buffers.data());
  return run::arrayOf(buffer.type, report.after.at(index), output.shape);
}

// `there`: with the other driver, if there is one.
void saveBuffers(const Kernel& kernel, const RunReport& here, const RunReport* there,
                 const Options& options) {
  for (const run::Output& output : options.outputs) {
    run::Array array = arrayOf(kernel, here, output.buffer, output);
    if (output.minus == run::kCompared)
      array = run::difference(array, arrayOf(kernel, *there, output.buffer, output));
    else if (!output.minus.empty())
      array = run::difference(array, arrayOf(kernel, here, output.minus, output));
    const std::string written = run::save(array, output.path);
    std::printf("         %s: %s\n", output.path.c_str(), written.c_str());
  }
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void writeSpirv(const Kernel& kernel, const std::filesystem::path& path) {
  const std::vector<uint32_t> spirv = kernels::compileKernel(kernel);
  kernels::writeBytes(path, std::as_bytes(std::span(spirv)));
}

// Named after file and variant.
void writeModules(const std::vector<Variant>& variants, const Options& options) {
  for (const Variant& variant : variants) {
    const kernels::KernelSource& source = variant.kernel.source;
    std::string name = source.path.stem();
    if (!source.variant.empty()) name += "." + source.variant;
    writeSpirv(variant.kernel, std::filesystem::path(options.modules) / (name + ".spv"));
  }
}

const char* describe(const Kernel& kernel, Verdict verdict) {
  if (verdict == Verdict::Skipped) return "skipped";
  if (verdict == Verdict::Failed) return "FAILED";
  return kernels::expectsNothing(kernel) ? "ran" : "passed";
}

RunReport runVariant(kernels::KernelDevice& device, const Variant& variant,
                     const Options& options) {
  if (!options.spirv.empty()) writeSpirv(variant.kernel, options.spirv);
  RunReport report = kernels::runKernel(device, variant.kernel, options.timed_runs);
  std::printf("%-8s %s%s%s\n", describe(variant.kernel, report.verdict), variant.name.c_str(),
              report.detail.empty() ? "" : ": ", report.detail.c_str());
  if (!report.wall.empty()) {
    std::printf("         %zu runs, median %.3f ms wall, %.3f ms CPU\n", report.wall.size(),
                median(report.wall) * 1e3, median(report.cpu) * 1e3);
  }
  return report;
}

// With the driver of --compare; null: it could not.
std::unique_ptr<RunReport> runCompared(kernels::KernelDevice& device, const Variant& variant,
                                       const RunReport& here, const Options& options,
                                       bool& are_same) {
  auto there = std::make_unique<RunReport>(kernels::runKernel(device, variant.kernel));
  const std::string name = device.physical().name;
  if (there->after.empty() || here.after.empty()) {
    std::printf("         not compared: %s %s%s%s\n",
                there->after.empty() ? name.c_str() : "the driver",
                describe(variant.kernel, there->after.empty() ? there->verdict : here.verdict),
                there->detail.empty() ? "" : ": ", there->detail.c_str());
    are_same = false;
    return nullptr;
  }
  const run::Comparison comparison =
      run::compare(variant.kernel, here.after, there->after, options.tolerance);
  are_same = comparison.are_same;
  std::printf("         beside %s: %s\n", name.c_str(),
              are_same ? "all results are the same" : comparison.text.c_str());
  return there;
}

int runAll(const std::vector<Variant>& variants, const Options& options) {
  host::Instance instance;
  kernels::KernelDevice device(instance, instance.choose(options.device));
  std::printf("%s\n", device.physical().describe().c_str());
  std::unique_ptr<host::Instance> other_instance;
  std::unique_ptr<kernels::KernelDevice> other;
  if (!options.compared.empty()) {
    // The loader asks for it when an instance is made.
    unsetenv("VK_ICD_FILENAMES");
    setenv("VK_DRIVER_FILES", options.compared.c_str(), 1);
    other_instance = std::make_unique<host::Instance>();
    other = std::make_unique<kernels::KernelDevice>(*other_instance, other_instance->choose(""));
  }
  bool good = true;
  uint32_t findings = 0;
  for (const Variant& variant : variants) {
    const RunReport report = runVariant(device, variant, options);
    good &= report.verdict != Verdict::Failed;
    findings += report.unexpected_findings;
    dumpBuffers(variant.kernel, report, options);
    std::unique_ptr<RunReport> there;
    if (other != nullptr) {
      bool are_same = true;
      there = runCompared(*other, variant, report, options, are_same);
      good &= are_same;
    }
    const bool has_all = !report.after.empty() && (other == nullptr || there != nullptr);
    if (has_all) saveBuffers(variant.kernel, report, there.get(), options);
  }
  if (findings != 0) return static_cast<int>(std::min(findings, kMostFindings));
  return good ? 0 : 1;
}

void listMatrices(const Options& options) {
  host::Instance instance;
  const host::PhysicalDevice& physical = instance.choose(options.device);
  std::printf("%s\n", physical.describe().c_str());
  for (const VkCooperativeMatrixPropertiesKHR& row : physical.matrices)
    std::printf("%s\n", kernels::describe(row).c_str());
  for (const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& row : physical.flexible_matrices)
    std::printf("%s\n", kernels::describe(row).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = run::parseOptions(argc, argv);
    for (const auto& [name, value] : options.variables) setenv(name.c_str(), value.c_str(), 1);
    if (options.matrices) {
      listMatrices(options);
      return 0;
    }
    const std::vector<Variant> variants = readVariants(options);
    if (options.list) {
      for (const Variant& variant : variants) std::printf("%s\n", variant.name.c_str());
      return 0;
    }
    if (!options.modules.empty()) {
      writeModules(variants, options);
      return 0;
    }
    checkNames(options, variants);
    if (options.debug) run::runInDebugger(options);
    return runAll(variants, options);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "tessera-run: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tessera-run: %s\n", error.what());
    return 1;
  }
}

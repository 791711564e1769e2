// SPDX-License-Identifier: Apache-2.0

// tessera-run: runs one kernel file through the system's Vulkan loader.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/kernel_runner.h"
#include "tests/support/matrix_rows.h"
#include "tests/support/shader_compiler.h"

namespace {

constexpr char kUsage[] =
    R"(usage: tessera-run [options] FILE...

Runs kernel files (tests/kernels/README.md describes them) through the system's Vulkan loader and
checks their expectations. VK_DRIVER_FILES selects the driver, TESSERA_ISA its instruction set.

  --variant NAME   only this variant of the file
  --device TEXT    the first device whose name or driver contains TEXT
  --dump NAME      print this buffer after the run; "all": every one
  --time N         run the dispatches N times more, print median wall and CPU time
  --spirv PATH     write the module of the (last) variant to PATH
  --list           list the files' variants and stop
  --modules FOLDER write the module of every variant to FOLDER and stop
  --matrices       list the device's cooperative matrix multiplications and stop
  --help

Exit status: 0 all passed or skipped, 1 something failed, 2 wrong usage. Where the driver's checks
(TESSERA_CHECK) found what no "finding" line of the file expects: how many findings, at most 125.
)";

// What exit statuses above this mean is the shell's.
constexpr uint32_t kMostFindings = 125;

struct Options {
  std::vector<std::string> files;
  std::string device, dump, modules, spirv, variant;
  bool list = false, matrices = false;
  uint32_t timed_runs = 0;
};

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "tessera-run: %s\n%s", message.c_str(), kUsage);
  std::exit(2);
}

Options parseOptions(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    auto value = [&]() -> std::string {
      if (k + 1 >= argc) fail(argument + " needs a value");
      return argv[++k];
    };
    if (argument == "--help") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    } else if (argument == "--device") {
      options.device = value();
    } else if (argument == "--variant") {
      options.variant = value();
    } else if (argument == "--spirv") {
      options.spirv = value();
    } else if (argument == "--modules") {
      options.modules = value();
    } else if (argument == "--list") {
      options.list = true;
    } else if (argument == "--matrices") {
      options.matrices = true;
    } else if (argument == "--time") {
      const std::string count = value();
      options.timed_runs = static_cast<uint32_t>(std::strtoul(count.c_str(), nullptr, 10));
      if (options.timed_runs == 0) fail("--time needs a number of runs");
    } else if (argument == "--dump") {
      options.dump = value();
    } else if (argument.starts_with("-")) {
      fail("no option " + argument);
    } else {
      options.files.push_back(argument);
    }
  }
  if (options.files.empty() && !options.matrices) fail("no file");
  return options;
}

void dumpBuffers(const kernels::Kernel& kernel, const kernels::RunReport& report,
                 const Options& options) {
  for (size_t k = 0; k < report.after.size(); ++k) {
    const kernels::Buffer& buffer = kernel.buffers[k];
    if (options.dump != "all" && options.dump != buffer.name) continue;
    const size_t count = buffer.bytes / kernels::elementInfo(buffer.type).bytes();
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

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void writeSpirv(const kernels::Kernel& kernel, const std::string& path) {
  const std::vector<uint32_t> spirv = kernels::compileKernel(kernel);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool written = file && std::fwrite(spirv.data(), 4, spirv.size(), file) == spirv.size();
  if (!file || std::fclose(file) != 0 || !written) throw std::runtime_error(path + ": not written");
}

// Named after file and variant.
void writeModules(const Options& options) {
  for (const std::string& file : options.files) {
    for (kernels::KernelSource& source : kernels::readKernelSources(file)) {
      std::string name = std::filesystem::path(file).stem();
      if (!source.variant.empty()) name += "." + source.variant;
      const kernels::Kernel kernel = kernels::parseKernel(std::move(source));
      writeSpirv(kernel, std::filesystem::path(options.modules) / (name + ".spv"));
    }
  }
}

kernels::RunReport runVariant(kernels::KernelDevice& device, kernels::KernelSource source,
                              const Options& options) {
  const std::string name = source.name(".");
  const kernels::Kernel kernel = kernels::parseKernel(std::move(source));
  if (!options.spirv.empty()) writeSpirv(kernel, options.spirv);
  kernels::RunReport report = kernels::runKernel(device, kernel, options.timed_runs);
  const char* verdict = report.verdict == kernels::Verdict::Passed    ? "passed"
                        : report.verdict == kernels::Verdict::Skipped ? "skipped"
                                                                      : "FAILED";
  std::printf("%-8s %s%s%s\n", verdict, name.c_str(), report.detail.empty() ? "" : ": ",
              report.detail.c_str());
  dumpBuffers(kernel, report, options);
  if (!report.wall.empty()) {
    std::printf("         %zu runs, median %.3f ms wall, %.3f ms CPU\n", report.wall.size(),
                median(report.wall) * 1e3, median(report.cpu) * 1e3);
  }
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv);
  try {
    if (options.list) {
      for (const std::string& file : options.files) {
        for (const kernels::KernelSource& source : kernels::readKernelSources(file)) {
          std::printf("%s\n", source.name(".").c_str());
        }
      }
      return 0;
    }
    if (!options.modules.empty()) {
      writeModules(options);
      return 0;
    }
    host::Instance instance;
    if (options.matrices) {
      const host::PhysicalDevice& physical = instance.choose(options.device);
      std::printf("%s\n", physical.describe().c_str());
      for (const VkCooperativeMatrixPropertiesKHR& row : physical.matrices)
        std::printf("%s\n", kernels::describe(row).c_str());
      for (const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& row :
           physical.flexible_matrices)
        std::printf("%s\n", kernels::describe(row).c_str());
      return 0;
    }
    kernels::KernelDevice device(instance, instance.choose(options.device));
    std::printf("%s\n", device.physical().describe().c_str());
    bool good = true, any = false;
    uint32_t findings = 0;
    for (const std::string& file : options.files) {
      for (kernels::KernelSource& source : kernels::readKernelSources(file)) {
        if (!options.variant.empty() && source.variant != options.variant) continue;
        any = true;
        const kernels::RunReport report = runVariant(device, std::move(source), options);
        good &= report.verdict != kernels::Verdict::Failed;
        findings += report.unexpected_findings;
      }
    }
    if (!any) fail("no variant '" + options.variant + "'");
    if (findings != 0) return static_cast<int>(std::min(findings, kMostFindings));
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tessera-run: %s\n", error.what());
    return 1;
  }
}

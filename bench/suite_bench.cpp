// SPDX-License-Identifier: Apache-2.0

// suite_bench: ordinary kernels in several spellings beside C++, ISPC and OpenCL. bench/README.md
// says how it is measured.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "bench/suite/summary.h"

namespace {

constexpr char kUsage[] =
    R"(usage: suite_bench [--quick] [--check] [--pairs N] [--only TEXT] [--no-peers]
                   [--device TEXT] [--json FILE]

  --quick        three turns instead of ten
  --check        results only, of the shaders
  --pairs N      turns in which all spellings and peers of a kernel are measured (least 3)
  --only TEXT    only kernels of the group TEXT, or whose name contains it; may be repeated
  --no-peers     beside C++ only
  --device TEXT  the first device whose name or driver contains TEXT (default: Tessera)
  --json FILE    writes a record for bench/report

Exit status: 0 results right, 1 a wrong result or a failure, 2 wrong usage. Missed targets are
printed; they do not change the status.
)";

// Files that no row names would never be run. Throws std::runtime_error.
void requireRows() {
  for (const std::filesystem::path& file : kernels::findKernelFiles(TESSERA_SUITE_FOLDER)) {
    const std::string name = file.stem().string();
    bool found = false;
    for (const bench::KernelGroup& group : bench::kernelGroups())
      for (const bench::KernelRow& row : group.rows) found |= name == row.name;
    if (!found) throw std::runtime_error("no row for " + file.string());
  }
}

struct Options {
  int turns = 10;
  bool peers = true;
  std::vector<std::string> only;  // none: all
  std::string device, json;
};

bool isSelected(const Options& options, const bench::KernelGroup& group,
                const bench::KernelRow& row) {
  return options.only.empty() || std::ranges::any_of(options.only, [&](const std::string& text) {
           return text == group.name || std::string(row.name).find(text) != std::string::npos;
         });
}

int runSuite(const Options& options) {
  host::Instance instance(host::Settings{{"threads", "1"}});
  const host::PhysicalDevice& physical = instance.choose(options.device);
  const auto device = host::Device::withAllFeatures(instance, physical, false);
  double load = 0;
  if (getloadavg(&load, 1) != 1) load = 0;
  std::printf("%s\n", physical.describe().c_str());
  if (load > 1) std::printf("load average %.1f: ratios are less certain\n", load);
  if (options.turns > 0)
    std::printf(
        "\nOne thread, medians of %d turns, results checked before timing. Columns of peers: their "
        "time / the shader's\n\n",
        options.turns);
  requireRows();
  bench::printHeader();

  bench::Languages languages;
  bench::IspcCompiler ispc;
  bench::OpenClProcess opencl;
  if (options.peers) languages = {&ispc, &opencl};
  std::vector<bench::KernelFigures> kernels;
  bool right = true;
  for (const bench::KernelGroup& group : bench::kernelGroups())
    for (const bench::KernelRow& row : group.rows) {
      if (!isSelected(options, group, row)) continue;
      kernels.push_back(bench::measureKernel(group.name, row, *device, languages, options.turns));
      bench::printKernel(kernels.back());
      right &= kernels.back().right();
    }
  if (kernels.empty()) throw std::runtime_error("no kernel or group has such a name");
  bench::printSummary(kernels);
  std::set<std::string> notes;  // each of many kernels
  for (const bench::KernelFigures& kernel : kernels)
    notes.insert(kernel.notes.begin(), kernel.notes.end());
  for (const std::string& note : notes) std::printf("%s\n", note.c_str());
  if (!options.json.empty()) {
    bench::Json json;
    json.beginObject();
    json.add("program", "suite_bench");
    json.add("device", physical.describe());
    json.add("load", load);
    json.beginArray("rows");
    bench::addRows(json, kernels);
    json.endArray();
    json.endObject();
    json.writeTo(options.json);
  }
  return right ? 0 : 1;
}

}  // namespace

namespace bench {

std::vector<KernelGroup> kernelGroups() {
  return {
#define KERNEL_GROUP(name) {#name, name##Kernels()},
#include "bench/suite/groups.def"
#undef KERNEL_GROUP
  };
}

}  // namespace bench

int main(int argc, char** argv) {
  Options options;
  try {
    if (argc == 2 && std::string(argv[1]) == "--opencl-worker") return bench::serveOpenCl();
    for (int k = 1; k < argc; ++k) {
      const std::string argument = argv[k];
      if (argument == "--quick") {
        options.turns = 3;
      } else if (argument == "--check") {
        options.turns = 0;
        options.peers = false;
      } else if (argument == "--no-peers") {
        options.peers = false;
      } else if (argument == "--pairs" && k + 1 < argc) {
        options.turns = std::max(3, bench::wholeNumber(argv[++k]));
      } else if (argument == "--only" && k + 1 < argc) {
        options.only.emplace_back(argv[++k]);
      } else if (argument == "--device" && k + 1 < argc) {
        options.device = argv[++k];
      } else if (argument == "--json" && k + 1 < argc) {
        options.json = argv[++k];
      } else {
        std::fputs(kUsage, argument == "--help" ? stdout : stderr);
        return argument == "--help" ? 0 : 2;
      }
    }
    return runSuite(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "suite_bench: %s\n", error.what());
    return 1;
  }
}

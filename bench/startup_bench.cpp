// SPDX-License-Identifier: Apache-2.0

// startup_bench: what a client pays before its first result, each time in a fresh process with the
// driver's cache off: instance and device, and creating and first running the 4x4 product; the last
// also with a cache that an earlier process has filled.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "bench/arguments.h"
#include "bench/gemm/gemm.h"
#include "bench/json.h"
#include "bench/tiles.h"
#include "bench/timing.h"
#include "bench/worker_process.h"

namespace {

constexpr char kUsage[] = "usage: startup_bench [--runs N] [--device TEXT] [--json FILE]\n";

// In ms; on machines with tile registers, and on others.
constexpr double kInstanceTarget = 5, kColdTargetWithTiles = 35, kColdTarget = 30;

// In the child, for one type: wall and CPU seconds of instance + device, CPU seconds of creating
// the pipeline and the first dispatch (0: the device lacks the type), whether the result is right.
std::string measure(bench::GemmType type, const std::string& wanted) {
  std::ostringstream line;
  // GLSL is compiled before any clock runs: it is not the driver's work.
  const std::vector<uint32_t> shader =
      bench::compileGemm(type, bench::GemmOptions{}, bench::usualTile(type));
  const bench::GemmData data(type, {256, 256, 256}, 3, 1);
  const double wall = bench::wallSeconds(), cpu = bench::processSeconds();
  host::Instance instance;
  const auto device = bench::makeGemmDevice(instance, instance.choose(wanted));
  line << bench::wallSeconds() - wall << " " << bench::processSeconds() - cpu;
  if (!bench::findMissing(*device, type, bench::GemmForm::Blocked).empty()) {
    line << " 0 1";
    return line.str();
  }
  const double start = bench::processSeconds();
  const bench::Gemm gemm(*device, data, bench::GemmOptions{}, shader, bench::usualTile(type));
  gemm.run();
  line << " " << bench::processSeconds() - start;
  line << " " << gemm.check().good;
  return line.str();
}

// `target` in ms; 0: none.
void reportRow(const std::string& what, const std::vector<double>& seconds, double target,
               bench::Json& json) {
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  const double middle = bench::median(seconds) * 1e3;
  std::printf("%-52s %8.2f %8.2f %8.2f", what.c_str(), middle, *least * 1e3, *most * 1e3);
  if (target > 0) std::printf(" %7.0f %s", target, middle <= target ? "met" : "MISSED");
  std::printf("\n");
  json.beginObject();
  json.add("name", what);
  json.add("value", middle);
  json.add("unit", "ms");
  json.add("noise", bench::spread(seconds));
  if (target > 0) {
    json.add("held", middle);
    json.add("target", target);
    json.add("at_most", true);
    json.add("met", middle <= target);
  }
  json.endObject();
}

// A cache that begins empty and goes with the program.
class EmptyCache {
 public:
  EmptyCache() {
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  EmptyCache(const EmptyCache&) = delete;
  EmptyCache& operator=(const EmptyCache&) = delete;
  ~EmptyCache() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_ = "/tmp/startup_bench_XXXXXX";
};

int runBench(int runs, const std::string& device, const std::string& json_path) {
  const EmptyCache cache;
  std::vector<double> wall, cpu;
  std::vector<std::vector<double>> first(std::size(bench::kGemmTypes)), warm(first.size());
  bool good = true;
  // A process for each type: the first pipeline of a process pays LLVM's own start.
  auto measureIn = [&](size_t type, const std::string& folder, std::vector<double>& seconds) {
    bench::WorkerProcess child({"--measure", std::to_string(type), device},
                               {{"TESSERA_CACHE", folder}});
    std::istringstream line(child.read());
    double wall_seconds = 0, cpu_seconds = 0, first_seconds = 0;
    bool right = false;
    line >> wall_seconds >> cpu_seconds >> first_seconds >> right;
    wall.push_back(wall_seconds);
    cpu.push_back(cpu_seconds);
    if (first_seconds > 0) seconds.push_back(first_seconds);
    good &= right;
  };
  for (size_t k = 0; k < first.size(); ++k) {
    std::vector<double> filling;
    measureIn(k, cache.folder(), filling);
    for (int run = 0; run < runs; ++run) {
      measureIn(k, "off", first[k]);
      measureIn(k, cache.folder(), warm[k]);
    }
  }
  std::printf("fresh process each, %d runs, caches off unless warm\n\n%-52s %8s %8s %8s %7s\n",
              runs, "ms", "median", "least", "most", "target");
  const double cold_target =
      bench::tileUse() == bench::TileUse::None ? kColdTarget : kColdTargetWithTiles;
  bench::Json json;
  json.beginObject();
  json.add("program", "startup_bench");
  json.beginArray("rows");
  reportRow("instance + device, wall", wall, kInstanceTarget, json);
  reportRow("instance + device, CPU", cpu, 0, json);
  for (size_t k = 0; k < first.size(); ++k) {
    const std::string what = std::string("create + first dispatch, 4x4 tiles, CPU, ") +
                             bench::gemmTypeInfo(bench::kGemmTypes[k]).name;
    if (first[k].empty()) {
      std::printf("%-52s not run: the device lacks it\n", what.c_str());
    } else {
      reportRow(what, first[k], cold_target, json);
      reportRow(what + ", warm", warm[k], 0, json);
    }
  }
  json.endArray();
  json.endObject();
  if (!json_path.empty()) json.writeTo(json_path);
  if (!good) std::printf("WRONG results\n");
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int runs = 10;
  std::string device, json;
  try {
    for (int k = 1; k < argc; ++k) {
      const std::string argument = argv[k];
      if (argument == "--measure" && k + 2 < argc) {
        const auto type = static_cast<bench::GemmType>(bench::wholeNumber(argv[k + 1]));
        std::printf("%s\n", measure(type, argv[k + 2]).c_str());
        return 0;
      }
      if (argument == "--runs" && k + 1 < argc) {
        runs = std::max(1, bench::wholeNumber(argv[++k]));
      } else if (argument == "--device" && k + 1 < argc) {
        device = argv[++k];
      } else if (argument == "--json" && k + 1 < argc) {
        json = argv[++k];
      } else {
        std::fputs(kUsage, argument == "--help" ? stdout : stderr);
        return argument == "--help" ? 0 : 2;
      }
    }
    return runBench(runs, device, json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "startup_bench: %s\n", error.what());
    return 1;
  }
}

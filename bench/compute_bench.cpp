// SPDX-License-Identifier: Apache-2.0

// compute_bench: ordinary compute shaders beside what the same cores can do. bench/README.md says
// how it is measured.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "bench/compute/workload.h"
#include "bench/json.h"
#include "bench/timing.h"

namespace {

constexpr char kUsage[] =
    R"(usage: compute_bench [--pairs N] [--only TEXT] [--device TEXT] [--json FILE]

  --pairs N      interleaved pairs for each row (default and least 10)
  --only TEXT    only rows whose name contains TEXT
  --device TEXT  the first device whose name or driver contains TEXT (default: Tessera)
  --json FILE    writes a record for bench/report

Exit status: 0 results right, 1 a wrong result or a failure, 2 wrong usage. Missed targets are
printed; they do not change the status.
)";

// Measures one row and prints it; false when a result is wrong.
bool measureRow(const bench::WorkloadRow& row, const host::Device& device, int pairs,
                bench::Json& json) {
  std::printf("%-28s", row.name);
  std::fflush(stdout);
  const auto workload = row.make(device);
  if (const std::string wrong = workload->check(); !wrong.empty()) {
    std::printf(" WRONG: %s\n", wrong.c_str());
    json.beginObject();
    json.add("name", row.name);
    json.add("wrong", wrong);
    json.endObject();
    return false;
  }
  std::vector<double> ours, theirs, shares;
  for (int pair = 0; pair < pairs; ++pair) {
    const bench::Sample sample = workload->measure();
    ours.push_back(sample.ours);
    if (sample.peer <= 0) continue;
    theirs.push_back(sample.peer);
    shares.push_back(sample.ours / sample.peer);
  }
  const double value = bench::median(ours), share = bench::median(shares);
  const bool met = shares.empty() ? value <= row.target : share >= row.target;
  std::printf(" %9.2f %-6s", value, row.unit);
  if (shares.empty())
    std::printf(" %6s  %6.2f %-6s\n", "", row.target, met ? "met" : "MISSED");
  else
    std::printf(" %6.2f  %6.2f %-6s of %s\n", share, row.target, met ? "met" : "MISSED", row.peer);
  std::fflush(stdout);
  json.beginObject();
  json.add("name", row.name);
  json.add("value", value);
  json.add("unit", row.unit);
  json.add("noise", bench::spread(shares.empty() ? ours : shares));
  json.add("held", shares.empty() ? value : share);
  json.add("target", row.target);
  json.add("at_most", shares.empty());
  json.add("met", met);
  json.beginObject("peers");
  if (!shares.empty()) {
    json.beginObject(row.peer);
    json.add("value", bench::median(theirs));
    json.endObject();
  }
  json.endObject();
  json.endObject();
  return true;
}

int runBench(int pairs, const std::string& only, const std::string& name,
             const std::string& json_path) {
  host::Instance instance;
  const host::PhysicalDevice& physical = instance.choose(name);
  std::printf("%s\n", physical.describe().c_str());
  const auto device = host::Device::withAllFeatures(instance, physical, false);
  bench::Json json;
  json.beginObject();
  json.add("program", "compute_bench");
  json.add("device", physical.describe());
  double load = 0;
  if (getloadavg(&load, 1) == 1) json.add("load", load);
  if (load > 1) std::printf("load average %.1f: shares are less certain\n", load);
  std::printf("\nMedians of %d interleaved pairs, results checked before timing\n\n", pairs);
  std::printf("%-28s %9s %-6s %6s  %6s\n", "program", "here", "", "share", "target");
  bool good = true;
  json.beginArray("rows");
  for (const bench::WorkloadRow& row : bench::workloads())
    if (std::string(row.name).find(only) != std::string::npos)
      good &= measureRow(row, *device, pairs, json);
  json.endArray();
  json.endObject();
  if (!json_path.empty()) json.writeTo(json_path);
  return good ? 0 : 1;
}

}  // namespace

namespace bench {

const std::vector<WorkloadRow>& workloads() {
  static const std::vector<WorkloadRow> rows = {
      {"saxpy, 64 MiB", "GB/s", "a C++ loop", 0.9, makeSaxpy},
      {"subgroupAdd over 64 MiB", "GB/s", "a C++ loop", 0.8, makeReduction},
      {"4 chains of FMA", "Gop/s", "the FMA peak", 0.9, makeFourFmaChains},
      {"8 chains of FMA", "Gop/s", "the FMA peak", 0.9, makeEightFmaChains},
      {"n-body in shared memory", "Gop/s", "the FMA peak", 0.5, makeNbody},
      {"robust shared, one index", "Gop/s", "not robust", 0.9, makeRobustSharedByOne},
      {"robust shared, own indices", "Gop/s", "not robust", 0.9, makeRobustSharedByEach},
      {"robust local, one index", "Gop/s", "not robust", 0.9, makeRobustLocalByOne},
      {"robust local, own indices", "Gop/s", "not robust", 0.9, makeRobustLocalByEach},
      {"barrier of 256 invocations", "ns", "", 40, makeBarriers},
      {"dispatch, one of 1000", "us", "", 0.3, makeDependentDispatches},
      {"empty submit and wait", "us", "", 8, makeEmptySubmit},
      {"dispatch, submit and wait", "us", "", 10, makeLoneDispatch},
  };
  return rows;
}

}  // namespace bench

int main(int argc, char** argv) {
  int pairs = 10;
  std::string only, device, json;
  try {
    for (int k = 1; k < argc; ++k) {
      const std::string argument = argv[k];
      if (argument == "--pairs" && k + 1 < argc) {
        pairs = std::max(10, bench::wholeNumber(argv[++k]));
      } else if (argument == "--only" && k + 1 < argc) {
        only = argv[++k];
      } else if (argument == "--device" && k + 1 < argc) {
        device = argv[++k];
      } else if (argument == "--json" && k + 1 < argc) {
        json = argv[++k];
      } else {
        std::fputs(kUsage, argument == "--help" ? stdout : stderr);
        return argument == "--help" ? 0 : 2;
      }
    }
    return runBench(pairs, only, device, json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compute_bench: %s\n", error.what());
    return 1;
  }
}

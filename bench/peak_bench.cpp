// SPDX-License-Identifier: Apache-2.0

// peak_bench: the peaks that gemm_bench's shares are of, and what becomes of them where several
// processors run such instructions at once: hardware threads share a core, its units for vectors
// and its tile unit.
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/json.h"
#include "bench/peak.h"

namespace {

constexpr char kUsage[] =
    R"(usage: peak_bench [--json FILE]

Prints the peak of one core for each kind of instruction; for f32, bf16 and s8 what the first
processor keeps of it beside each other one, and what all keep of it at once. TESSERA_ISA below amx
leaves tiles out.
)";

struct Kind {
  bench::PeakKind kind;
  const char* name;
};
constexpr Kind kKinds[] = {{bench::PeakKind::F32, "f32"},
                           {bench::PeakKind::F32Of256, "f32 of 256 bits"},
                           {bench::PeakKind::F64, "f64"},
                           {bench::PeakKind::Bf16, "bf16"},
                           {bench::PeakKind::Int8, "s8"}};
constexpr Kind kShared[] = {kKinds[0], kKinds[3], kKinds[4]};

// Long enough for a clock that follows the load.
constexpr double kSeconds = 0.1;
// Less than this of what a processor does alone is what it has of a shared core. All cores together
// may run at a lower clock, which takes less.
constexpr double kShares = 0.75;

// Those that this process may run on, by the system's numbers.
std::vector<int> allowedProcessors() {
  std::vector<int> processors;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return processors;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(static_cast<size_t>(processor), &set)) processors.push_back(processor);
  }
  return processors;
}

void record(bench::Json& json, const std::string& name, double value, const char* unit) {
  json.beginObject();
  json.add("name", name);
  json.add("value", value);
  json.add("unit", unit);
  json.endObject();
}

// Of one kind: alone, in pairs, all.
void measureSharing(const Kind& kind, const std::vector<int>& processors, bench::Json& json) {
  const std::string name = kind.name;
  const int first = processors[0];
  const double alone = bench::measureRatesOn({first}, kind.kind, kSeconds)[0];
  if (alone == 0) return;
  std::printf("%-5s processor %d alone: %.1f Gop/s\n", kind.name, first, alone * 1e-9);
  record(json, name + " alone", alone * 1e-9, "Gop/s");
  std::vector<int> sharing;
  std::printf("      of that beside another one:");
  for (const int other : processors) {
    if (other == first) continue;
    const double kept = bench::measureRatesOn({first, other}, kind.kind, kSeconds)[0] / alone;
    std::printf(" %d: %.2f", other, kept);
    record(json, name + " beside processor " + std::to_string(other), kept, "of alone");
    if (kept < kShares) sharing.push_back(other);
  }
  std::printf("\n      shares its unit with:");
  for (const int other : sharing) std::printf(" %d", other);
  std::printf(sharing.empty() ? " none\n" : "\n");
  const std::vector<double> all = bench::measureRatesOn(processors, kind.kind, kSeconds);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  std::printf("      all %zu at once: each %.2f to %.2f of that, together %.2f times\n", all.size(),
              *least / alone, *most / alone, sum / alone);
  record(json, name + " of all processors at once", sum / alone, "of one");
}

int runBench(const std::string& json_path) {
  bench::Json json;
  json.beginObject();
  json.add("program", "peak_bench");
  json.beginArray("peaks");
  for (const Kind& kind : kKinds) {
    const std::string peak = bench::measurePeak(kind.kind, kSeconds).describe();
    std::printf("%-15s  %s\n", kind.name, peak.c_str());
    json.add("", peak);
  }
  json.endArray();
  const std::vector<int> processors = allowedProcessors();
  if (processors.empty()) throw std::runtime_error("the system does not tell its processors");
  std::printf("\n%zu processors, a thread bound to each\n", processors.size());
  json.beginArray("rows");
  for (const Kind& kind : kShared) measureSharing(kind, processors, json);
  json.endArray();
  json.endObject();
  if (!json_path.empty()) json.writeTo(json_path);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string json;
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    if (argument == "--json" && k + 1 < argc) {
      json = argv[++k];
    } else {
      std::fputs(kUsage, argument == "--help" ? stdout : stderr);
      return argument == "--help" ? 0 : 2;
    }
  }
  try {
    return runBench(json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peak_bench: %s\n", error.what());
    return 1;
  }
}

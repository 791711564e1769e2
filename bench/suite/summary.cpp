// SPDX-License-Identifier: Apache-2.0

#include "bench/suite/summary.h"

#include <algorithm>
#include <cstdio>

#include "bench/timing.h"

namespace bench {
namespace {

// A summary over kernels or spellings, held against a target.
struct Held {
  std::string name;
  double value = 0, target = 0;
  std::string of;  // which kernel or spelling has it
};

double targetOf(const SpellingFigures& spelling) {
  return spelling.other_width ? kWidthTarget : kSpellingTarget;
}

// The least of_best among the spellings, with other widths or without.
Held leastSpelling(std::span<const KernelFigures> kernels, bool other_width) {
  Held least{other_width ? "suite: paddings and widths, least of their kernel's best"
                         : "suite: spellings, least of their kernel's best",
             1, other_width ? kWidthTarget : kSpellingTarget, ""};
  for (const KernelFigures& kernel : kernels)
    for (const SpellingFigures& spelling : kernel.spellings)
      if (spelling.seconds > 0 && spelling.other_width == other_width &&
          spelling.of_best < least.value) {
        least.value = spelling.of_best;
        least.of = kernel.name + " " + spelling.name;
      }
  return least;
}

std::vector<Held> summarize(std::span<const KernelFigures> kernels) {
  std::vector<double> best, all;
  // C++ alone is easier to keep up with.
  const bool has_ispc = std::ranges::any_of(
      kernels, [](const KernelFigures& kernel) { return kernel.peer_seconds.contains("ISPC"); });
  const std::string peers = has_ispc ? "C++ or ISPC" : "C++ without ISPC";
  Held least{"suite: kernels, least of " + peers, 0, kLeastTarget, ""};
  for (const KernelFigures& kernel : kernels) {
    const SpellingFigures* spelling = kernel.best();
    if (spelling == nullptr) continue;
    best.push_back(spelling->share);
    if (least.of.empty() || spelling->share < least.value) {
      least.value = spelling->share;
      least.of = kernel.name;
    }
    for (const SpellingFigures& each : kernel.spellings)
      if (each.seconds > 0) all.push_back(each.share);
  }
  return {{"suite: kernels, median of " + peers, median(best), kMedianTarget, ""},
          least,
          {"suite: all spellings, median of " + peers, median(all), kMedianTarget, ""},
          leastSpelling(kernels, false),
          leastSpelling(kernels, true)};
}

void addHeld(Json& json, const Held& held) {
  json.beginObject();
  json.add("name", held.name);
  json.add("value", held.value);
  json.add("unit", "of peers");
  json.add("held", held.value);
  json.add("target", held.target);
  json.add("met", held.value >= held.target);
  json.add("of", held.of);
  json.endObject();
}

void addSpelling(Json& json, const KernelFigures& kernel, const SpellingFigures& spelling) {
  json.beginObject();
  json.add("name", "suite: " + kernel.name + " " + spelling.name);
  if (!spelling.wrong.empty()) json.add("wrong", spelling.wrong);
  if (!spelling.missing.empty()) json.add("missing", spelling.missing);
  if (spelling.seconds > 0) {
    json.add("value", spelling.share);
    json.add("unit", "of peers");
    json.add("noise", spelling.noise);
    json.add("us", spelling.seconds * 1e6);
    json.add("of_best", spelling.of_best);
    json.add("compile_ms", spelling.compile_seconds * 1e3);
    json.beginObject("speedup");
    for (const auto& [name, speedup] : spelling.speedup) json.add(name, speedup);
    json.endObject();
  }
  json.endObject();
}

}  // namespace

void printHeader() {
  std::printf("%-20s %-18s %9s", "kernel", "spelling", "us");
  for (const char* peer : kPeerNames) std::printf(" %6s", peer);
  std::printf(" %8s %8s\n", "of best", "compile");
}

void printKernel(const KernelFigures& figures) {
  for (const SpellingFigures& spelling : figures.spellings) {
    std::printf("%-20s %-18s", figures.name.c_str(), spelling.name.c_str());
    if (!spelling.wrong.empty()) {
      std::printf(" WRONG: %s\n", spelling.wrong.c_str());
      continue;
    }
    if (!spelling.missing.empty()) {
      std::printf(" not run: %s\n", spelling.missing.c_str());
      continue;
    }
    if (spelling.seconds > 0) {
      std::printf(" %9.1f", spelling.seconds * 1e6);
      for (const char* peer : kPeerNames) {
        const auto found = spelling.speedup.find(peer);
        if (found == spelling.speedup.end())
          std::printf(" %6s", "-");
        else
          std::printf(" %6.2f", found->second);
      }
      std::printf(" %8.2f", spelling.of_best);
    }
    std::printf(" %5.0f ms\n", spelling.compile_seconds * 1e3);
  }
  for (const std::string& error : figures.errors)
    std::printf("%-20s %s\n", figures.name.c_str(), error.c_str());
  std::fflush(stdout);
}

void printSummary(std::span<const KernelFigures> kernels) {
  std::vector<const KernelFigures*> sorted;
  for (const KernelFigures& kernel : kernels)
    if (kernel.best() != nullptr) sorted.push_back(&kernel);
  if (sorted.empty()) return;
  std::ranges::sort(sorted, {}, [](const KernelFigures* k) { return k->best()->share; });
  std::printf("\nKernels below %.2f of the faster of C++ and ISPC, by their best spelling:\n",
              kMedianTarget);
  for (const KernelFigures* kernel : sorted)
    if (kernel->best()->share < kMedianTarget)
      std::printf("  %5.2f %s %s\n", kernel->best()->share, kernel->name.c_str(),
                  kernel->best()->name.c_str());
  std::printf("\nSpellings below %.2f of the best of their kernel (other widths: %.2f):\n",
              kSpellingTarget, kWidthTarget);
  for (const KernelFigures& kernel : kernels)
    for (const SpellingFigures& spelling : kernel.spellings)
      if (spelling.seconds > 0 && spelling.of_best < targetOf(spelling))
        std::printf("  %5.2f %s %s\n", spelling.of_best, kernel.name.c_str(),
                    spelling.name.c_str());
  std::printf("\n");
  for (const Held& held : summarize(kernels))
    std::printf("%-56s %5.2f  %5.2f %-6s %s\n", held.name.c_str(), held.value, held.target,
                held.value >= held.target ? "met" : "MISSED", held.of.c_str());
}

void addRows(Json& json, std::span<const KernelFigures> kernels) {
  for (const Held& held : summarize(kernels)) addHeld(json, held);
  for (const KernelFigures& kernel : kernels)
    for (const SpellingFigures& spelling : kernel.spellings) addSpelling(json, kernel, spelling);
}

}  // namespace bench

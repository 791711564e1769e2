// SPDX-License-Identifier: Apache-2.0

#include "bench/suite/measure.h"

#include <algorithm>

#include "bench/timing.h"

namespace bench {
namespace {

struct Entrant {
  std::unique_ptr<Contestant> contestant;
  std::vector<double> seconds;  // one for each turn
};

template <typename Make>
void addPeer(const char* name, KernelFigures& figures, std::map<std::string, Entrant>& peers,
             const Make& make) {
  try {
    if (auto contestant = make()) peers[name].contestant = std::move(contestant);
  } catch (const Absent& reason) {
    figures.notes.push_back(std::string(name) + ": " + reason.what());
  } catch (const std::runtime_error& error) {
    figures.errors.push_back(std::string(name) + ": " + error.what());
  }
}

double medianRatio(const std::vector<double>& above, const std::vector<double>& below,
                   double* noise = nullptr) {
  std::vector<double> ratios;
  for (size_t turn = 0; turn < below.size(); ++turn) ratios.push_back(above[turn] / below[turn]);
  if (noise != nullptr) *noise = spread(ratios);
  return median(ratios);
}

// Of each turn the fastest one.
std::vector<double> fastest(const std::vector<const std::vector<double>*>& entrants, int turns) {
  std::vector<double> result;
  for (size_t turn = 0; turn < static_cast<size_t>(turns); ++turn) {
    double least = (*entrants.front())[turn];
    for (const std::vector<double>* seconds : entrants) least = std::min(least, (*seconds)[turn]);
    result.push_back(least);
  }
  return result;
}

void evaluate(KernelFigures& figures, const std::map<std::string, Entrant>& peers,
              const std::vector<Entrant>& spellings, int turns) {
  std::vector<const std::vector<double>*> held_against, ours;
  for (const auto& [name, peer] : peers) {
    figures.peer_seconds[name] = median(peer.seconds);
    if (name != "PoCL") held_against.push_back(&peer.seconds);
  }
  const std::vector<double>* best = nullptr;
  for (const Entrant& spelling : spellings)
    if (spelling.contestant && (best == nullptr || median(spelling.seconds) < median(*best)))
      best = &spelling.seconds;
  const std::vector<double> least = fastest(held_against, turns);
  for (size_t k = 0; k < spellings.size(); ++k) {
    if (!spellings[k].contestant) continue;
    SpellingFigures& spelling = figures.spellings[k];
    const std::vector<double>& seconds = spellings[k].seconds;
    spelling.seconds = median(seconds);
    for (const auto& [name, peer] : peers)
      spelling.speedup[name] = medianRatio(peer.seconds, seconds);
    spelling.share = medianRatio(least, seconds, &spelling.noise);
    spelling.of_best = medianRatio(*best, seconds);
  }
}

}  // namespace

const SpellingFigures* KernelFigures::best() const {
  const SpellingFigures* result = nullptr;
  for (const SpellingFigures& spelling : spellings)
    if (spelling.seconds > 0 && (result == nullptr || spelling.seconds < result->seconds))
      result = &spelling;
  return result;
}

bool KernelFigures::right() const {
  return errors.empty() && std::ranges::all_of(spellings, [](const SpellingFigures& spelling) {
           return spelling.wrong.empty();
         });
}

KernelFigures measureKernel(const std::string& group, const KernelRow& row,
                            const host::Device& device, const Languages& languages, int turns) {
  KernelFigures figures;
  figures.name = row.name;
  figures.group = group;
  const SuiteKernel kernel(row);
  const BufferSet buffers(device, kernel.contents());
  std::map<std::string, Entrant> peers;
  addPeer("C++", figures, peers, [&] { return makeCpp(kernel, buffers); });
  if (languages.ispc != nullptr)
    addPeer("ISPC", figures, peers, [&] { return languages.ispc->make(kernel, buffers); });
  if (languages.opencl != nullptr)
    addPeer("PoCL", figures, peers, [&] { return languages.opencl->make(kernel); });
  std::vector<Entrant> spellings;
  for (const kernels::Kernel& spelling : kernel.spellings()) {
    SpellingResult made = makeSpelling(device, kernel, buffers, spelling);
    spellings.push_back({std::move(made.contestant), {}});
    figures.spellings.push_back({.name = spelling.source.variant,
                                 .other_width = kernel.differsInWidth(spelling),
                                 .missing = std::move(made.missing),
                                 .wrong = std::move(made.wrong),
                                 .compile_seconds = made.compile_seconds});
  }
  const auto measure = [](Entrant& entrant) {
    if (entrant.contestant) entrant.seconds.push_back(entrant.contestant->measure());
  };
  // Each turn begins with another spelling: what runs after a peer finds the processor as that left
  // it.
  for (int turn = 0; turn < turns; ++turn) {
    for (auto& [name, peer] : peers) measure(peer);
    for (size_t k = 0; k < spellings.size(); ++k)
      measure(spellings[(k + static_cast<size_t>(turn)) % spellings.size()]);
  }
  if (turns > 0) evaluate(figures, peers, spellings, turns);
  return figures;
}

}  // namespace bench

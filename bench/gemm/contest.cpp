// SPDX-License-Identifier: Apache-2.0

#include "bench/gemm/contest.h"

#include <filesystem>
#include <set>
#include <stdexcept>

#include "bench/parallel.h"

namespace bench {
namespace {

struct Samples {
  std::vector<double> per_core, share, all_cores;
};

void addSamples(Samples& samples, double operations, const Block& per_core, const Block& all_cores,
                double peak) {
  samples.per_core.push_back(operations * per_core.runs / per_core.cpu);
  samples.all_cores.push_back(operations * all_cores.runs / all_cores.wall);
  if (peak > 0) samples.share.push_back(samples.per_core.back() / peak);
}

}  // namespace

std::string defaultPeersFolder() {
  return std::filesystem::exists(TESSERA_PEERS_FOLDER "/run") ? TESSERA_PEERS_FOLDER : "";
}

Contest::Contest(const ContestOptions& options) : options_(options) { peers(false); }

const std::vector<Contest::Peer>& Contest::peers(bool avx2) {
  std::vector<Peer>& peers = avx2 ? avx2_peers_ : peers_;
  if (!peers.empty()) return peers;
  if (options_.libraries) {
    for (const char* name : {"oneDNN", "OpenBLAS"}) peers.push_back(makePeer(name, avx2));
  }
  if (!options_.device.empty()) peers.push_back(makePeer(options_.device, avx2));
  return peers;
}

Contest::Peer Contest::makePeer(const std::string& name, bool avx2) const {
  const std::string& folder = options_.libraries_from;
  const std::string runner = folder.empty() ? "" : folder + "/run";
  const bool library = name != options_.device;
  auto start = [&](int threads) {
    const std::string count = std::to_string(threads);
    // Waiting threads sleep: those that spin would take the cores from whoever is next.
    std::map<std::string, std::string> environment = {{"OMP_NUM_THREADS", count},
                                                      {"OMP_WAIT_POLICY", "passive"},
                                                      {"OPENBLAS_NUM_THREADS", count},
                                                      {"OPENBLAS_THREAD_TIMEOUT", "4"}};
    if (avx2 || isaCeiling() == "avx2") {
      environment["ONEDNN_MAX_CPU_ISA"] = "AVX2";
      environment["OPENBLAS_CORETYPE"] = "Haswell";
    } else if (isaCeiling() == "avx512") {
      // All that it has without tiles: arithmetic of f16 is AVX-512, too.
      environment["ONEDNN_MAX_CPU_ISA"] = "AVX512_CORE_FP16";
    }
    return std::make_unique<GemmWorker>(
        std::vector<std::string>{library ? "--library" : "--device", name}, environment, runner);
  };
  Peer peer{name, start(1), nullptr};
  if (library && options_.threads > 1) peer.all = start(options_.threads);
  return peer;
}

GemmWorker& Contest::worker(int threads, bool avx2) {
  std::unique_ptr<GemmWorker>& worker = workers_[{threads, avx2}];
  if (!worker) {
    std::map<std::string, std::string> environment = {{"TESSERA_THREADS", std::to_string(threads)}};
    if (avx2) environment["TESSERA_ISA"] = "avx2";
    // The name of this driver, so that another one never takes its place.
    worker =
        std::make_unique<GemmWorker>(std::vector<std::string>{"--device", "Tessera"}, environment);
    if (!worker->missing().empty()) throw std::runtime_error(worker->missing());
  }
  return *worker;
}

std::vector<std::string> Contest::peerNames() const {
  std::vector<std::string> names;
  for (const Peer& peer : peers_) names.push_back(peer.name);
  return names;
}

std::string Contest::describe() const {
  std::string text;
  for (const Peer& peer : peers_) {
    const bool runs = peer.one->missing().empty();
    text += peer.name + ": " +
            (runs ? peer.one->description() : "not installed: " + peer.one->missing()) + "\n";
  }
  return text;
}

void Contest::describe(Json& json) const {
  json.beginObject("peers");
  for (const Peer& peer : peers_) {
    const bool runs = peer.one->missing().empty();
    json.add(peer.name, runs ? peer.one->description() : "not installed");
  }
  json.endObject();
}

const GemmData& Contest::dataFor(const GemmRow& row) {
  const GemmSize& size = row.size;
  if (!data_ || data_->type() != row.type || data_->size().m != size.m ||
      data_->size().n != size.n || data_->size().k != size.k) {
    data_ = std::make_unique<GemmData>(row.type, size, 7, static_cast<unsigned>(coreCount()));
  }
  return *data_;
}

std::map<std::string, Contest::Verdict> Contest::check(const GemmRow& row) {
  const GemmData& data = dataFor(row);
  std::map<std::string, Verdict> verdicts;
  auto add = [&](const std::string& name, GemmWorker& worker) {
    if (!worker.missing().empty()) return;
    const GemmWorker::Prepared prepared = worker.prepare(row, data);
    verdicts[name] = {prepared.good, prepared.missing.empty()
                                         ? (prepared.good ? "" : "WRONG: ") + prepared.result
                                         : "not run: " + prepared.missing};
  };
  add("Tessera", worker(options_.threads, row.avx2));
  for (const Peer& peer : peers(row.avx2)) add(peer.name, *peer.one);
  return verdicts;
}

const RowFigures& Contest::measure(const GemmRow& row) {
  const auto [place, is_new] = figures_.try_emplace(row.name());
  RowFigures& figures = place->second;
  if (!is_new) return figures;
  figures.name = row.name();
  const GemmData& data = dataFor(row);
  const bool several = options_.threads > 1;
  GemmWorker& one = worker(1, row.avx2);
  GemmWorker& all = worker(options_.threads, row.avx2);  // the same if that is one
  for (GemmWorker* worker : std::set<GemmWorker*>{&one, &all}) {
    const GemmWorker::Prepared prepared = worker->prepare(row, data);
    figures.missing = prepared.missing;
    if (!prepared.good) figures.wrong = prepared.result;
    if (!figures.missing.empty() || !figures.wrong.empty()) return figures;
  }
  std::vector<const Peer*> running;
  for (const Peer& peer : peers(row.avx2)) {
    PeerFigures& theirs = figures.peers[peer.name];
    theirs.missing = peer.one->missing();
    for (GemmWorker* worker : {peer.one.get(), peer.all.get()}) {
      if (worker == nullptr || !theirs.missing.empty()) continue;
      const GemmWorker::Prepared prepared = worker->prepare(row, data);
      theirs.missing = prepared.good ? prepared.missing : "WRONG: " + prepared.result;
      theirs.result = prepared.result;
    }
    if (theirs.missing.empty()) running.push_back(&peer);
  }

  const double operations = row.size.operations();
  Samples ours;
  std::vector<double> scaling;
  std::map<std::string, Samples> theirs;
  std::map<ShareOf, std::vector<double>> ratios;  // to oneDNN
  for (int pair = 0; pair < options_.pairs; ++pair) {
    const Peak peak = measurePeak(row.peak(), 0.03);
    figures.peaks_proven = figures.peaks_proven && peak.proven();
    const Block block_one = one.block();
    const Block block_all = several ? all.block() : block_one;
    // Per core: from the run that has all its threads busy, as clients have, unless these share.
    addSamples(ours, operations, row.one_thread ? block_one : block_all, block_all,
               peak.operations_per_second);
    if (several)
      scaling.push_back((block_all.runs / block_all.wall) / (block_one.runs / block_one.wall));
    for (const Peer* peer : running) {
      // Of libraries from one thread: with more, processor time counts their waiting.
      const Block block = peer->one->block();
      addSamples(theirs[peer->name], operations, block, peer->all ? peer->all->block() : block,
                 peak.operations_per_second);
      if (peer->name != "oneDNN") continue;
      const Samples& library = theirs[peer->name];
      ratios[ShareOf::OneDnn].push_back(operations * block_one.runs / block_one.cpu /
                                        library.per_core.back());
      ratios[ShareOf::OneDnnWall].push_back(ours.all_cores.back() / library.all_cores.back());
    }
  }
  figures.per_core = median(ours.per_core);
  figures.share = median(ours.share);
  figures.noise = spread(ours.share.empty() ? ours.per_core : ours.share);
  figures.all_cores = median(ours.all_cores);
  figures.scaling = median(scaling);
  for (const auto& [name, samples] : theirs) {
    PeerFigures& peer = figures.peers[name];
    peer.per_core = median(samples.per_core);
    peer.share = median(samples.share);
    peer.all_cores = median(samples.all_cores);
  }
  for (const GemmTarget& target : row.targets) {
    figures.held.push_back(holdAgainst(row, target.of, figures, ratios));
    figures.held.back().met = figures.held.back().share >= target.least;
  }
  return figures;
}

Held Contest::holdAgainst(const GemmRow& row, ShareOf of, const RowFigures& figures,
                          const std::map<ShareOf, std::vector<double>>& ratios) const {
  Held held;
  if (isOfLibrary(of)) {
    const auto found = ratios.find(of);
    if (found == ratios.end()) {
      held.missing = "no oneDNN beside it";
    } else {
      held.share = median(found->second);
      held.noise = spread(found->second);
    }
    return held;
  }
  held.share = figures.share;
  held.noise = figures.noise;
  if (const std::string base = row.base(of); !base.empty()) {
    const double base_share = figures_.at(base).share;
    held.share = base_share > 0 ? figures.share / base_share : 0;
  }
  return held;
}

}  // namespace bench

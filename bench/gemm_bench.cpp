// SPDX-License-Identifier: Apache-2.0

// gemm_bench: the speed of matrix products as shares of the processor's peak, beside libraries and
// other Vulkan drivers, and of two cores against one. bench/README.md says how it is measured.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "bench/gemm/contest.h"
#include "bench/peak.h"
#include "bench/tiles.h"
#include "bench/timing.h"

namespace {

constexpr char kUsage[] =
    R"(usage: gemm_bench [--quick] [--only TEXT]... [--pairs N] [--threads N] [--seconds N]
                  [--device TEXT] [--no-libraries | --libraries-from FOLDER] [--json FILE] [--check]

  --quick           only the rows that have a target
  --only TEXT       only rows whose name contains TEXT (or, of !TEXT, does not; of several, all must
                    be so), and the rows that they are shares of
  --pairs N         interleaved pairs for each row (default and least 10)
  --threads N       of the runs with several (default 2); 1: no such runs
  --seconds N       begins no row after so many, and says how many are left
  --device TEXT     also the first device whose name or driver contains TEXT, beside Tessera's
  --no-libraries    without oneDNN and OpenBLAS
  --libraries-from FOLDER
                    the libraries, and the other device's driver, that scripts/peers put there
                    (default: .peers of the source tree if it exists, or else the system's)
  --json FILE       writes a record for bench/report
  --check           multiplies and checks once, without timing

Exit status: 0 results right, 1 a wrong result or a failure, 2 wrong usage. Missed targets are
printed; they do not change the status.
)";

struct Options {
  bench::ContestOptions contest;
  bool quick = false, check = false;
  int seconds = 0;  // 0: no limit
  std::vector<std::string> only;
  std::string json;
};

std::vector<bench::GemmRow> selectRows(const Options& options) {
  const std::vector<bench::GemmRow> all = bench::gemmRows(bench::tileUse());
  std::vector<bench::GemmRow> rows;
  auto add = [&](bench::GemmRow row) {
    const std::string name = row.name();
    if (std::any_of(rows.begin(), rows.end(), [&](const auto& r) { return r.name() == name; }))
      return;
    if (options.contest.threads == 1)
      std::erase_if(row.targets, [](const auto& t) { return t.of == bench::ShareOf::OneDnnWall; });
    rows.push_back(std::move(row));
  };
  for (const bench::GemmRow& row : all) {
    const std::string name = row.name();
    const bool wanted =
        (!row.targets.empty() || !options.quick) &&
        std::all_of(options.only.begin(), options.only.end(), [&](const std::string& text) {
          if (text.starts_with("!")) return name.find(text.substr(1)) == std::string::npos;
          return name.find(text) != std::string::npos;
        });
    if (!wanted) continue;
    for (const bench::GemmTarget& target : row.targets) {
      const std::string base = row.base(target.of);
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.name() == base; });
      if (found != all.end()) add(*found);
    }
    add(row);
  }
  return rows;
}

void printHeading(const std::vector<std::string>& peers) {
  std::printf("%-18s %-9s %-14s %8s %6s  %6s %6s %-6s", "form", "type", "M x N x K", "per core",
              "share", "held", "target", "");
  for (const std::string& peer : peers) std::printf(" %9.9s", peer.c_str());
  std::printf("  %5s  %8s", "n:1", "n cores");
  for (const std::string& peer : peers) std::printf(" %9.9s", peer.c_str());
  std::printf("  noise\n");
}

// Whether the first target is what the row itself is a share of: libraries and what comes after
// have lines of their own.
bool hasTargetInLine(const bench::GemmRow& row) {
  return !row.targets.empty() && !bench::isOfLibrary(row.targets[0].of);
}

void printHeld(const bench::Held& held, const bench::GemmTarget& target) {
  if (held.missing.empty())
    std::printf("  %6.3f %6.2f %-6s", held.share, target.least, held.met ? "met" : "MISSED");
  else
    std::printf("  %s", held.missing.c_str());
}

void printRow(const bench::GemmRow& row, const bench::RowFigures& figures,
              const std::vector<std::string>& peers) {
  const std::string form = row.options.describe() + (row.avx2 ? ", avx2" : "");
  std::printf("%-18s %-9s %-14s", form.c_str(), bench::gemmTypeInfo(row.type).name,
              row.size.describe().c_str());
  if (!figures.missing.empty() || !figures.wrong.empty()) {
    std::printf(figures.wrong.empty() ? " not run: %s\n" : " WRONG: %s\n",
                (figures.missing + figures.wrong).c_str());
    return;
  }
  std::printf(" %8.1f %6.3f", figures.per_core * 1e-9, figures.share);
  const bool in_line = hasTargetInLine(row);
  if (in_line)
    printHeld(figures.held[0], row.targets[0]);
  else
    std::printf("  %6s %6s %-6s", "", "", "");
  auto printPeers = [&](double bench::PeerFigures::* figure, double scale, int digits) {
    for (const std::string& name : peers) {
      const bench::PeerFigures& peer = figures.peers.at(name);
      if (peer.missing.empty())
        std::printf(" %9.*f", digits, peer.*figure * scale);
      else
        std::printf(" %9s", peer.missing.starts_with("WRONG") ? "WRONG" : "-");
    }
  };
  printPeers(&bench::PeerFigures::share, 1, 3);
  if (figures.scaling > 0)
    std::printf("  %5.2f", figures.scaling);
  else
    std::printf("  %5s", "-");
  std::printf("  %8.1f", figures.all_cores * 1e-9);
  printPeers(&bench::PeerFigures::all_cores, 1e-9, 1);
  std::printf("  %5.3f%s\n", figures.noise,
              figures.peaks_proven ? "" : "  (a peak was not proven: busy machine)");
  for (size_t k = in_line ? 1 : 0; k < row.targets.size(); ++k) {
    std::printf("  %-57s", ("of " + row.heldAgainst(row.targets[k].of)).c_str());
    printHeld(figures.held[k], row.targets[k]);
    std::printf("\n");
  }
}

void recordTarget(const bench::GemmRow& row, const bench::Held& held,
                  const bench::GemmTarget& target, bench::Json& json) {
  json.add("held", held.share);
  json.add("target", target.least);
  json.add("held_against", row.heldAgainst(target.of));
  json.add("met", held.met);
}

// Those that are not in the row's own record have one each.
void recordFurtherTargets(const bench::GemmRow& row, const bench::RowFigures& figures,
                          bench::Json& json) {
  for (size_t k = hasTargetInLine(row) ? 1 : 0; k < figures.held.size(); ++k) {
    const bench::Held& held = figures.held[k];
    const std::string of = "of " + row.heldAgainst(row.targets[k].of);
    json.beginObject();
    json.add("name", figures.name + ", " + of);
    if (held.missing.empty()) {
      json.add("value", held.share);
      json.add("unit", "ratio");
      json.add("noise", held.noise);
      recordTarget(row, held, row.targets[k], json);
    } else {
      json.add("missing", held.missing);
    }
    json.endObject();
  }
}

void record(const bench::GemmRow& row, const bench::RowFigures& figures, bench::Json& json) {
  json.beginObject();
  json.add("name", figures.name);
  json.add("form", row.options.describe());
  json.add("type", std::string(bench::gemmTypeInfo(row.type).name) + (row.avx2 ? " avx2" : ""));
  json.add("size", row.size.describe());
  json.add("depth", static_cast<double>(row.size.k));
  if (!figures.missing.empty()) json.add("missing", figures.missing);
  if (!figures.wrong.empty()) json.add("wrong", figures.wrong);
  if (figures.missing.empty() && figures.wrong.empty()) {
    json.add("value", figures.share);
    json.add("unit", "of peak");
    json.add("noise", figures.noise);
    json.add("gops_per_core", figures.per_core * 1e-9);
    json.add("gops_all_cores", figures.all_cores * 1e-9);
    if (figures.scaling > 0) json.add("scaling", figures.scaling);
    json.add("peaks_proven", figures.peaks_proven);
    if (hasTargetInLine(row)) recordTarget(row, figures.held[0], row.targets[0], json);
    json.beginObject("peers");
    for (const auto& [name, peer] : figures.peers) {
      if (!peer.missing.empty()) continue;
      json.beginObject(name);
      json.add("value", peer.share);
      json.add("result", peer.result);
      json.add("gops_per_core", peer.per_core * 1e-9);
      json.add("gops_all_cores", peer.all_cores * 1e-9);
      json.endObject();
    }
    json.endObject();
  }
  json.endObject();
  recordFurtherTargets(row, figures, json);
}

// The record with the rows until now: a run that is ended before its last one leaves them.
void writeSoFar(bench::Json json, const std::string& path) {
  json.endArray();
  json.endObject();
  json.writeTo(path);
}

int runChecks(const Options& options) {
  bench::Contest contest(options.contest);
  bool good = true;
  for (const bench::GemmRow& row : selectRows(options)) {
    for (const auto& [who, verdict] : contest.check(row)) {
      std::printf("%-40s %-10s %s\n", row.name().c_str(), who.c_str(), verdict.text.c_str());
      good = good && verdict.good;
    }
  }
  return good ? 0 : 1;
}

int runBench(const Options& options) {
  bench::Contest contest(options.contest);
  std::printf("%s", contest.describe().c_str());
  bench::Json json;
  json.beginObject();
  json.add("program", "gemm_bench");
  json.add("threads", static_cast<double>(options.contest.threads));
  contest.describe(json);
  json.beginArray("peaks");
  for (bench::PeakKind kind :
       {bench::PeakKind::F32, bench::PeakKind::F32Of256, bench::PeakKind::F64,
        bench::PeakKind::Bf16, bench::PeakKind::Int8}) {
    const std::string peak = bench::measurePeak(kind, 0.1).describe();
    std::printf("peak of one core: %s\n", peak.c_str());
    json.add("", peak);
  }
  json.endArray();
  double load = 0;
  if (getloadavg(&load, 1) == 1) json.add("load", load);
  if (load > 1) {
    std::printf("load average %.1f: shares hold, wall times (n:1, n cores) do not\n", load);
  }
  const std::vector<bench::GemmRow> selected = selectRows(options);
  const bool one_thread = !selected.empty() && selected[0].one_thread;
  std::printf(
      "\nGop/s per core (processor time%s) and its share of the peak, %d threads against 1 and "
      "Gop/s\n"
      "of %d threads (wall), of the peers too; noise: half the quartiles' distance of the share\n"
      "medians of %d interleaved pairs, random inputs, checked before timing\n\n",
      one_thread ? ", one thread" : "", options.contest.threads, options.contest.threads,
      options.contest.pairs);
  const std::vector<std::string> peers = contest.peerNames();
  printHeading(peers);
  bool good = true;
  std::vector<double> scalings;
  json.beginArray("rows");
  const double end = options.seconds > 0 ? bench::wallSeconds() + options.seconds
                                         : std::numeric_limits<double>::infinity();
  size_t measured = 0;
  for (const bench::GemmRow& row : selected) {
    if (bench::wallSeconds() > end) break;
    ++measured;
    const bench::RowFigures& figures = contest.measure(row);
    printRow(row, figures, peers);
    std::fflush(stdout);
    record(row, figures, json);
    if (!options.json.empty()) writeSoFar(json, options.json);
    good = good && figures.wrong.empty();
    if (hasTargetInLine(row) && row.targets[0].of == bench::ShareOf::Peak && !row.avx2 &&
        figures.scaling > 0)
      scalings.push_back(figures.scaling);
  }
  json.endArray();
  if (measured < selected.size()) {
    std::printf("\n%zu rows are left: %d seconds have passed\n", selected.size() - measured,
                options.seconds);
    json.add("rows_left", static_cast<double>(selected.size() - measured));
  }
  if (!scalings.empty()) {
    const auto [least, most] = std::minmax_element(scalings.begin(), scalings.end());
    std::printf("\n%d threads against 1: median of the rows held against the peak %.2f",
                options.contest.threads, bench::median(scalings));
    std::printf(" (%.2f to %.2f)", *least, *most);
    if (options.contest.threads == 2)
      std::printf(", target %.2f %s", bench::kScalingTarget,
                  bench::median(scalings) >= bench::kScalingTarget ? "met" : "MISSED");
    std::printf("\n");
    json.add("scaling", bench::median(scalings));
    json.add("scaling_target", bench::kScalingTarget);
  }
  json.endObject();
  if (!options.json.empty()) json.writeTo(options.json);
  return good ? 0 : 1;
}

// Exits with a message when the arguments are wrong.
Options parseOptions(int argc, char** argv) {
  Options options;
  bench::ContestOptions& contest = options.contest;
  contest.libraries_from = bench::defaultPeersFolder();
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    const bool has_value = k + 1 < argc;
    if (argument == "--quick") {
      options.quick = true;
    } else if (argument == "--check") {
      options.check = true;
    } else if (argument == "--only" && has_value) {
      options.only.push_back(argv[++k]);
    } else if (argument == "--pairs" && has_value) {
      contest.pairs = std::max(10, bench::wholeNumber(argv[++k]));
    } else if (argument == "--threads" && has_value) {
      contest.threads = std::max(1, bench::wholeNumber(argv[++k]));
    } else if (argument == "--seconds" && has_value) {
      options.seconds = std::max(1, bench::wholeNumber(argv[++k]));
    } else if (argument == "--device" && has_value) {
      contest.device = argv[++k];
    } else if (argument == "--no-libraries") {
      contest.libraries = false;
    } else if (argument == "--libraries-from" && has_value) {
      contest.libraries_from = argv[++k];
    } else if (argument == "--json" && has_value) {
      options.json = argv[++k];
    } else {
      std::fputs(kUsage, argument == "--help" ? stdout : stderr);
      std::exit(argument == "--help" ? 0 : 2);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (bench::serveGemm(argc, argv)) return 0;
    const Options options = parseOptions(argc, argv);
    return options.check ? runChecks(options) : runBench(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gemm_bench: %s\n", error.what());
    return 1;
  }
}

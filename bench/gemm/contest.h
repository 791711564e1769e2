// SPDX-License-Identifier: Apache-2.0

// Rows of products, measured in turn: the peak, this driver, and whoever stands beside it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/gemm/gemm_rows.h"
#include "bench/gemm/gemm_worker.h"
#include "bench/json.h"

namespace bench {

struct ContestOptions {
  int pairs = 10;
  int threads = 2;  // of the runs with more than one; 1: there are none
  bool libraries = true;
  std::string libraries_from;  // a folder that scripts/peers made; empty: the system's libraries
  std::string device;          // another Vulkan device beside this driver's
};

// .peers of the source tree, where it was built, if that exists; empty otherwise.
std::string defaultPeersFolder();

struct PeerFigures {
  std::string missing;   // why there are none
  std::string result;    // the largest error, and what made the product
  double per_core = 0;   // operations per second of processor time
  double share = 0;      // of the peak
  double all_cores = 0;  // operations per second with all threads, by the clock
};

// What is held against one of a row's targets.
struct Held {
  double share = 0;  // of whatever it is a share of
  double noise = 0;  // of that share
  bool met = false;
  std::string missing;  // why there is no such share
};

struct RowFigures {
  std::string name;
  std::string missing, wrong;  // why there are no figures
  double per_core = 0, share = 0, noise = 0, scaling = 0, all_cores = 0;
  bool peaks_proven = true;
  std::string error;  // the largest
  std::map<std::string, PeerFigures> peers;
  std::vector<Held> held;  // by the row's targets
};

class Contest {
 public:
  explicit Contest(const ContestOptions& options);

  // Names of all who stand beside this driver, in the order of the table.
  std::vector<std::string> peerNames() const;
  std::string describe() const;
  void describe(Json& json) const;
  // Runs the row's product once on every contestant.
  struct Verdict {
    bool good;
    std::string text;  // "largest error 1e-4", or what is missing or wrong
  };
  std::map<std::string, Verdict> check(const GemmRow& row);
  // The row that another one is a share of comes before that one.
  const RowFigures& measure(const GemmRow& row);

 private:
  struct Peer {
    std::string name;
    std::unique_ptr<GemmWorker> one, all;  // no `all` where the threads are not ours to choose
  };
  Peer makePeer(const std::string& name, bool avx2) const;
  Held holdAgainst(const GemmRow& row, ShareOf of, const RowFigures& figures,
                   const std::map<ShareOf, std::vector<double>>& ratios) const;
  const std::vector<Peer>& peers(bool avx2);
  const GemmData& dataFor(const GemmRow& row);
  GemmWorker& worker(int threads, bool avx2);

  ContestOptions options_;
  std::map<std::pair<int, bool>, std::unique_ptr<GemmWorker>> workers_;
  std::vector<Peer> peers_, avx2_peers_;
  std::unique_ptr<GemmData> data_;
  std::map<std::string, RowFigures> figures_;
};

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0

// A process that multiplies on command: on a Vulkan device, or with a library.
#pragma once

#include <map>
#include <string>

#include "bench/gemm/gemm_rows.h"
#include "bench/timing.h"
#include "bench/worker_process.h"

namespace bench {

class GemmWorker {
 public:
  // Runs this program with the arguments `how` ("--device", text or "--library", name), through
  // `runner` if that is not empty.
  GemmWorker(std::vector<std::string> how, const std::map<std::string, std::string>& environment,
             const std::string& runner = "");

  const std::string& description() const { return description_; }
  // Why it cannot run at all; empty when it can.
  const std::string& missing() const { return missing_; }

  struct Prepared {
    std::string missing;  // why there is no such product
    bool good = true;
    std::string result;  // "largest error 1e-4", of a library with the name of what it ran; or what
                         // failed
  };
  // Runs the row's product once and checks it.
  Prepared prepare(const GemmRow& row, const GemmData& data);
  Block block();

 private:
  WorkerProcess process_;
  std::string description_, missing_;
};

// What the process does if its arguments say that it is a worker; false if they do not.
bool serveGemm(int argc, char** argv);

}  // namespace bench

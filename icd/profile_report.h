// SPDX-License-Identifier: Apache-2.0

// What TESSERA_PROFILE prints of the pipelines of a device.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "icd/device_report.h"
#include "jit/compiler.h"
#include "runtime/kernel.h"
#include "runtime/log.h"

namespace icd {

// Thread-safe.
class ProfileReport {
 public:
  // Gives the kernel of a pipeline its profile. `nanoseconds`: that it took to compile, or to find.
  void add(rt::KernelImage& image, const jit::Kernel& kernel, CodeOrigin origin,
           uint64_t nanoseconds);

  // A few lines for each pipeline that has run, those that took longest first. `isa`, `threads`: of
  // the device, whose peak its products are held against.
  void print(rt::Log& log, rt::Isa isa, uint32_t threads) const;

 private:
  struct Row {
    std::shared_ptr<const rt::KernelProfile> profile;
    std::string shader;
    CodeOrigin origin;
    uint64_t nanoseconds;
    jit::RemarkCounts remarks;
  };
  static void print(const Row& row, rt::Log& log, rt::Isa isa, uint32_t threads);

  mutable std::mutex mutex_;
  std::vector<Row> rows_;  // under mutex_
};

}  // namespace icd

// SPDX-License-Identifier: Apache-2.0

// Where findings of checks (TESSERA_CHECK) go: the log, messengers, files, device faults.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "icd/vulkan.h"
#include "runtime/check/checker.h"
#include "runtime/config.h"
#include "runtime/timeline.h"

namespace icd {

struct Instance;

// Findings of all devices of the process as one SARIF file.
class SarifFile;

// What one device checks, and what becomes of it. Thread-safe.
class CheckReport {
 public:
  // Nothing where the configuration asks for no checks, or, with the reason in `problem`, where a
  // file cannot be written.
  static std::unique_ptr<CheckReport> create(Instance& instance, std::string& problem);
  ~CheckReport();

  rt::Checker& checker() { return checker_; }

  // Findings that vkGetDeviceFaultReportsKHR has not given yet; the oldest, which it gives now; and
  // what is reached when there is one.
  size_t faults() const;
  std::optional<rt::Finding> takeFault();
  rt::TimelinePoint nextFault();
  // For which the device was lost or will be (rt::CheckAction::DeviceLost).
  std::optional<rt::Finding> lossFinding() const;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;

  CheckReport(Instance& instance, File json, std::shared_ptr<SarifFile> sarif);
  void take(const rt::Finding& finding);

  Instance& instance_;
  const File json_;
  const std::shared_ptr<SarifFile> sarif_;
  mutable std::mutex faults_mutex_;
  std::deque<rt::Finding> faults_;  // under faults_mutex_, as the next two
  uint64_t taken_ = 0;              // of them so far
  std::optional<rt::Finding> loss_finding_;
  rt::Timeline fault_count_;
  rt::Checker checker_;
};

}  // namespace icd

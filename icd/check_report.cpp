// SPDX-License-Identifier: Apache-2.0

#include "icd/check_report.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <vector>

#include "icd/api_version.h"
#include "icd/instance.h"
#include "icd/limits.h"
#include "jit/base/finding_json.h"

namespace icd {

namespace {

std::string cannotWrite(const char* variable, const std::string& path) {
  return std::string(variable) + "=" + path + " cannot be written: " + std::strerror(errno);
}

}  // namespace

// Written anew with each finding, so that it is whole whenever the process ends.
class SarifFile {
 public:
  explicit SarifFile(std::string path) : path_(std::move(path)) {}

  // The one of this path in the process, which keeps the findings of devices that are gone; null,
  // with errno, if it cannot be written.
  static std::shared_ptr<SarifFile> open(const std::string& path) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<SarifFile>> files;
    std::lock_guard lock(mutex);
    if (auto known = files.find(path); known != files.end()) return known->second;
    auto file = std::make_shared<SarifFile>(path);
    if (!file->write()) return nullptr;
    files.emplace(path, file);
    return file;
  }

  void add(const rt::Finding& finding) {
    std::lock_guard lock(mutex_);
    findings_.push_back(finding);
    write();
  }

 private:
  bool write() {
    std::FILE* file = std::fopen(path_.c_str(), "we");
    if (file == nullptr) return false;
    const std::string text = jit::sarifOf(findings_, kDriverVersionText);
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && is_written;
  }

  const std::string path_;
  std::mutex mutex_;
  std::vector<rt::Finding> findings_;
};

std::unique_ptr<CheckReport> CheckReport::create(Instance& instance, std::string& problem) {
  const rt::Config& config = instance.config;
  if (!config.check.any()) return nullptr;
  File json;
  if (!config.check_json.empty()) {
    json.reset(std::fopen(config.check_json.c_str(), "ae"));
    if (json == nullptr) {
      problem = cannotWrite("TESSERA_CHECK_JSON", config.check_json);
      return nullptr;
    }
  }
  std::shared_ptr<SarifFile> sarif;
  if (!config.check_sarif.empty()) {
    sarif = SarifFile::open(config.check_sarif);
    if (sarif == nullptr) {
      problem = cannotWrite("TESSERA_CHECK_SARIF", config.check_sarif);
      return nullptr;
    }
  }
  return std::unique_ptr<CheckReport>(new CheckReport(instance, std::move(json), std::move(sarif)));
}

CheckReport::CheckReport(Instance& instance, File json, std::shared_ptr<SarifFile> sarif)
    : instance_(instance),
      json_(std::move(json)),
      sarif_(std::move(sarif)),
      checker_({.checks = instance.config.check,
                .action = instance.config.check_action,
                .most_findings = static_cast<uint32_t>(instance.config.check_limit),
                .reports_same_values = instance.config.check_race == rt::SameValue::Reported},
               [this](const rt::Finding& finding) { take(finding); }) {}

CheckReport::~CheckReport() {
  const uint32_t count = checker_.count(), most = checker_.options().most_findings;
  if (count > most)
    instance_.log->warning(
        std::to_string(count - most) +
        " more findings of the checks were not reported: TESSERA_CHECK_LIMIT is " +
        std::to_string(most));
}

void CheckReport::take(const rt::Finding& finding) {
  try {
    const std::string text = rt::textOf(finding);
    instance_.log->print(text);
    instance_.messengers.submitFinding(rt::idOf(finding), text);
    if (json_ != nullptr) {
      std::fprintf(json_.get(), "%s\n", jit::jsonOf(finding).c_str());
      std::fflush(json_.get());
    }
    if (sarif_ != nullptr) sarif_->add(finding);
    std::lock_guard lock(faults_mutex_);
    if (checker_.losesDevice(finding.kind) && !loss_finding_) loss_finding_ = finding;
    if (faults_.size() == kMostDeviceFaults) return;
    faults_.push_back(finding);
    fault_count_.advance();
  } catch (const std::bad_alloc&) {
    instance_.log->error("no memory for a finding of the checks");
  }
}

std::optional<rt::Finding> CheckReport::takeFault() {
  std::lock_guard lock(faults_mutex_);
  if (faults_.empty()) return std::nullopt;
  rt::Finding finding = std::move(faults_.front());
  faults_.pop_front();
  ++taken_;
  return finding;
}

size_t CheckReport::faults() const {
  std::lock_guard lock(faults_mutex_);
  return faults_.size();
}

rt::TimelinePoint CheckReport::nextFault() {
  std::lock_guard lock(faults_mutex_);
  return {{std::shared_ptr<void>(), &fault_count_}, taken_ + 1};
}

std::optional<rt::Finding> CheckReport::lossFinding() const {
  std::lock_guard lock(faults_mutex_);
  return loss_finding_;
}

}  // namespace icd

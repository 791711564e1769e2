// SPDX-License-Identifier: Apache-2.0

#include "runtime/device.h"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/host.h"

namespace rt {

namespace {

constexpr std::string_view kLeftBehind =
    "this process was forked after the device was made, and does not have its threads; make an "
    "instance and a device after the fork";

uint32_t threadsFor(const Device::Options& options) {
  uint32_t usable = usableCpus();
  return options.threads == 0 ? usable : std::min(options.threads, usable);
}

}  // namespace

Device::Device(const Options& options)
    : log_(options.log),
      checker_(options.checker),
      trace_(options.trace),
      workers_(threadsFor(options)) {
  if (options.watchdog != 0) watchdog_.emplace(options.watchdog, stop_);
  queue_ = std::make_unique<Queue>(*this);
  if (workers_.threads() > 1 && Home::current() != 0 && TbbCall::isOver() && log_)
    log_->warning(
        "kernels run on one thread: this process was forked after others had run on all of "
        "oneTBB's, which it does not have");
}

Device::~Device() {
  queue_.reset();
  writeTrace();
}

void Device::writeTrace() {
  if (trace_ == nullptr) return;
  trace_->flush();
  if (const std::optional<std::string> problem = trace_->takeProblem(); problem && log_)
    log_->warning(*problem);
}

bool Device::isHere() const {
  if (home_.isHere()) return true;
  if (!reported_to_child_.test_and_set() && log_) {
    try {
      log_->error("device lost: " + std::string(kLeftBehind));
    } catch (...) {
      log_->error(kLeftBehind);
    }
  }
  return false;
}

std::string_view Device::lossReason() const {
  return isHere() ? std::string_view(loss_reason_.data()) : kLeftBehind;
}

bool Device::waitUntilLost(Deadline deadline) {
  if (!isHere()) return true;
  const TimelinePoint lost{{std::shared_ptr<void>(), &lost_}, 1};  // owns nothing
  return wait({&lost, 1}, WaitMode::All, deadline) == WaitResult::Reached;
}

void Device::markLost(std::string_view reason) noexcept {
  if (reported_.test_and_set()) return;
  reason.copy(loss_reason_.data(), loss_reason_.size() - 1);
  // First, because who hears of the loss may end the process.
  if (log_) {
    try {
      log_->error("device lost: " + std::string(reason));
    } catch (...) {
      log_->error(reason);
    }
  }
  lost_.signal(1);
  stop_.signal(1);
}

void Device::requestLoss(std::string reason) {
  std::lock_guard lock(request_mutex_);
  if (!requested_loss_) requested_loss_ = std::move(reason);
  stop_.signal(1);
}

std::optional<std::string> Device::requestedLoss() const {
  std::lock_guard lock(request_mutex_);
  return requested_loss_;
}

}  // namespace rt

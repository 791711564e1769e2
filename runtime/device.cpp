#include "runtime/device.h"

#include <algorithm>
#include <string>

#include "runtime/host.h"

namespace rt {

namespace {

uint32_t threadsFor(const Device::Options& options) {
  uint32_t usable = usableCpus();
  return options.threads == 0 ? usable : std::min(options.threads, usable);
}

}  // namespace

Device::Device(const Options& options) : log_(options.log), workers_(threadsFor(options)) {
  if (options.watchdog != 0) watchdog_.emplace(options.watchdog, stop_);
  queue_ = std::make_unique<Queue>(*this);
}

Device::~Device() = default;

bool Device::waitUntilLost(Deadline deadline) {
  const TimelinePoint lost{{std::shared_ptr<void>(), &lost_}, 1};  // owns nothing
  return wait({&lost, 1}, WaitMode::All, deadline) == WaitResult::Reached;
}

void Device::markLost(std::string_view reason) noexcept {
  if (reported_.test_and_set()) return;
  reason.copy(loss_reason_.data(), loss_reason_.size() - 1);
  lost_.signal(1);
  stop_.signal(1);
  if (!log_) return;
  try {
    log_->error("device lost: " + std::string(reason));
  } catch (...) {
    log_->error(reason);
  }
}

}  // namespace rt

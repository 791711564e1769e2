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

Device::Device(const Options& options)
    : log_(options.log), workers_(threadsFor(options)), queue_(std::make_unique<Queue>(*this)) {}

Device::~Device() = default;

void Device::markLost(std::string_view reason) noexcept {
  lost_.signal(1);
  stop_.signal(1);
  if (!log_ || reported_.test_and_set()) return;
  try {
    log_->error("device lost: " + std::string(reason));
  } catch (...) {
    log_->error(reason);
  }
}

}  // namespace rt

// SPDX-License-Identifier: Apache-2.0

#include "icd/device_use.h"

#include <stdlib.h>

#include <mutex>
#include <vector>

namespace icd {
namespace {

constexpr const char* kPassedOver =
    "info: the application has seen this device, which says that it is a CPU, and has made no "
    "device with it; if it looks for a GPU, TESSERA_DEVICE_TYPE=integrated or discrete lets it "
    "find one here, and GGML_VK_VISIBLE_DEVICES=0 is ggml's own way (docs/clients.md)";

struct Instances {
  std::mutex mutex;
  std::vector<DeviceUse*> all;  // that live
};

Instances& instances() {
  static Instances result;
  return result;
}

}  // namespace

DeviceUse::DeviceUse(bool is_cpu, rt::Log& log) : is_cpu_(is_cpu), log_(log) {
  std::lock_guard lock(instances().mutex);
  // What atexit() registers goes with the library (icd/static_objects.cpp).
  static const bool is_registered = on_exit(&endProcess, nullptr) == 0;
  if (is_registered) instances().all.push_back(this);
}

DeviceUse::~DeviceUse() {
  {
    std::lock_guard lock(instances().mutex);
    std::erase(instances().all, this);
  }
  report();
}

// Other threads may still make and destroy instances; in a forked child none of them is there to
// give the lock back.
void DeviceUse::endProcess(int, void*) {
  const std::unique_lock lock(instances().mutex, std::try_to_lock);
  if (!lock) return;
  for (DeviceUse* use : instances().all) use->report();
}

// To people alone: the application's messengers are gone, or their code may be when the process
// ends.
void DeviceUse::report() noexcept {
  // A forked child has its parent's instances, of which the parent speaks.
  if (!is_cpu_ || !seen_ || asked_for_ || !home_.isHere()) return;
  if (log_.level() >= rt::LogLevel::Info && !reported_.exchange(true)) log_.print(kPassedOver);
}

}  // namespace icd

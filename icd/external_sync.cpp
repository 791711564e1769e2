// SPDX-License-Identifier: Apache-2.0

#include "icd/external_sync.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <optional>

#include "icd/device.h"
#include "icd/guarded.h"

namespace icd {
namespace {

VkResult refuseFile(VkDevice device, const char* command, const char* reason) {
  return failCommand<VkResult>(command, reason, VK_ERROR_INVALID_EXTERNAL_HANDLE, device);
}

// Until somebody else's sync file is signalled, which is always soon: they are made only for work
// that has been submitted. False if it is no such file.
bool waitForSyncFile(int descriptor) {
  pollfd file{.fd = descriptor, .events = POLLIN, .revents = 0};
  while (poll(&file, 1, -1) < 0) {
    if (errno != EINTR && errno != EAGAIN) return false;
  }
  return (file.revents & POLLIN) != 0;
}

}  // namespace

TimelineResult makeTimeline(VkDevice device, const char* command, rt::SharedKind kind,
                            VkFlags wanted, const InitialState& state) {
  if ((wanted & ~externalTypes(kind)) != 0)
    return refuseFile(device, command, "it cannot be exported as a handle of that type");
  if ((wanted & kOpaqueFile) == 0) return std::make_shared<rt::Timeline>(state.value, state.target);
  auto shared = rt::SharedTimeline::create(kind, state.value, state.target);
  if (!shared) return VK_ERROR_OUT_OF_HOST_MEMORY;
  return std::make_shared<rt::Timeline>(std::move(*shared));
}

TimelineResult importTimeline(VkDevice device, const char* command, rt::SharedKind kind,
                              VkFlags type, int descriptor, const InitialState& signalled) {
  if (type != 0 && type == syncFile(kind)) {
    auto timeline = std::make_shared<rt::Timeline>(signalled.value, signalled.target);
    if (descriptor != -1) {
      if (!waitForSyncFile(descriptor)) return refuseFile(device, command, "it is no sync file");
      close(descriptor);
    }
    return timeline;
  }
  if (type != kOpaqueFile)
    return refuseFile(device, command, "handles of that type cannot be imported");
  auto shared = rt::SharedTimeline::adopt(descriptor, kind);
  if (!shared) {
    return refuseFile(device, command,
                      "the file is not one that this driver exported for an object of that type");
  }
  return std::make_shared<rt::Timeline>(std::move(*shared));
}

VkResult exportTimeline(VkDevice device, const char* command, const rt::Timeline& timeline,
                        int* descriptor) {
  if (timeline.file() == nullptr)
    return refuseFile(device, command, "it was not created to be exported as an opaque file");
  *descriptor = timeline.file()->duplicate();
  return *descriptor >= 0 ? VK_SUCCESS : VK_ERROR_TOO_MANY_OBJECTS;
}

int exportSignal(VkDevice device, const rt::TimelinePoint& signal) {
  rt::Device& runtime = Device::from(device)->runtime;
  if (runtime.isHere())
    rt::wait({&signal, 1}, rt::WaitMode::All, rt::kForever, &runtime.lostSignal());
  return -1;
}

}  // namespace icd

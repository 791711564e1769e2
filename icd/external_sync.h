// SPDX-License-Identifier: Apache-2.0

// What semaphores and fences that leave the device have in common (VK_KHR_external_semaphore_fd,
// VK_KHR_external_fence_fd).
//
// Opaque files are rt::SharedTimelines: a reference to the payload. Sync files have a copy of it,
// and none is ever made: to export one is to wait for the signal, which has been submitted then,
// and to hand out -1, which stands for a payload that is signalled.
#pragma once

#include <memory>
#include <variant>

#include "icd/vulkan.h"
#include "runtime/timeline.h"

namespace icd {

// Types of handles, as bits.
inline constexpr VkFlags kOpaqueFile = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
static_assert(kOpaqueFile == VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT);

// 0 for timelines, which mean nothing in a sync file.
constexpr VkFlags syncFile(rt::SharedKind kind) {
  switch (kind) {
    case rt::SharedKind::BinarySemaphore:
      return VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
    case rt::SharedKind::Fence:
      return VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
    case rt::SharedKind::TimelineSemaphore:
      break;
  }
  return 0;
}

// What can be exported and imported.
constexpr VkFlags externalTypes(rt::SharedKind kind) { return kOpaqueFile | syncFile(kind); }

// Of those, what is left for a payload that was imported as `type`: a copy is no reference.
constexpr VkFlags exportedFromImported(rt::SharedKind kind, VkFlags type) {
  return type == kOpaqueFile ? externalTypes(kind) : syncFile(kind) & type;
}

struct InitialState {
  uint64_t value, target;  // of an rt::Timeline
};

using TimelineResult = std::variant<std::shared_ptr<rt::Timeline>, VkResult>;

// The payload of an object that shall be exported as handles of the types `wanted`.
TimelineResult makeTimeline(VkDevice device, const char* command, rt::SharedKind kind,
                            VkFlags wanted, const InitialState& state);

// The payload of a file, which is taken over; where it is refused the application keeps it. That of
// a sync file is `signalled`, for which this waits.
TimelineResult importTimeline(VkDevice device, const char* command, rt::SharedKind kind,
                              VkFlags type, int descriptor, const InitialState& signalled);

// An opaque file.
VkResult exportTimeline(VkDevice device, const char* command, const rt::Timeline& timeline,
                        int* descriptor);

// The descriptor of a sync file.
int exportSignal(VkDevice device, const rt::TimelinePoint& signal);

}  // namespace icd

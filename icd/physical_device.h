// SPDX-License-Identifier: Apache-2.0

// VkPhysicalDevice: the machine's CPUs, as one device.
#pragma once

#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "icd/handles.h"
#include "icd/properties.h"
#include "jit/base/mac.h"
#include "runtime/memory.h"
#include "runtime/secret_key.h"

namespace icd {

struct Instance;

inline constexpr uint32_t kQueueFamily = 0;  // the only one, with one queue
inline constexpr uint32_t kMemoryType = 0;   // the only one, in the only heap

struct PhysicalDevice : Dispatchable<PhysicalDevice, VkPhysicalDevice> {
  explicit PhysicalDevice(Instance& instance);

  // The authentication code of bytes that an application keeps, made with this user's key.
  jit::Mac macOf(jit::MacPurpose purpose,
                 std::initializer_list<std::span<const std::byte>> parts) const {
    return jit::macOf(cache_key.key, purpose, parts);
  }

  // Says what is not as the user may expect it, without being an error: the first time only.
  void warnOnce();

  Instance& instance;
  const uint32_t threads;
  const std::shared_ptr<rt::Heap> heap;
  const std::string cache_folder;  // of compiled kernels; empty: none are kept
  const rt::FoundKey cache_key;
  std::vector<std::string> problems;  // of the configuration: devices cannot be made with them
  const Properties properties;

 private:
  std::once_flag warned_;
};

}  // namespace icd

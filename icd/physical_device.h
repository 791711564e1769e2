// SPDX-License-Identifier: Apache-2.0

// VkPhysicalDevice: the machine's CPUs, as one device.
#pragma once

#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icd/extensions.h"
#include "icd/features.h"
#include "icd/handles.h"
#include "icd/imitation.h"
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

 private:
  const Properties own_properties_;
  const std::optional<Imitation> imitation_;

 public:
  const Properties properties;
  const ExtensionSet extensions;  // that it has
  const DeviceFeatures features;
  const jit::coopmat::Mapping component_layout;

  // Null: all that there are.
  const jit::coopmat::Tables* matrices() const {
    return imitation_ ? &imitation_->matrices : nullptr;
  }
  const jit::coopmat::Tables& tables() const {
    return imitation_ ? imitation_->matrices : jit::coopmat::ownTables();
  }
  // Null: no other device is imitated.
  const ImitationLacks* imitationLacks() const { return imitation_ ? &imitation_->lacks : nullptr; }

 private:
  std::once_flag warned_;
};

}  // namespace icd

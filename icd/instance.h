// SPDX-License-Identifier: Apache-2.0

// VkInstance: the configuration, the log, and the one physical device.
#pragma once

#include <memory>
#include <span>

#include "icd/debug_messenger.h"
#include "icd/device_use.h"
#include "icd/extensions.h"
#include "icd/handles.h"
#include "icd/physical_device.h"
#include "runtime/config.h"
#include "runtime/log.h"

namespace icd {

struct Instance : Dispatchable<Instance, VkInstance> {
  // `chain` is that of the create info: messengers in it hear what there is to say now.
  Instance(const ExtensionSet& extensions, uint32_t api_version,
           std::span<const rt::Setting> settings, const void* chain);
  ~Instance();

  const ExtensionSet extensions;
  const uint32_t api_version;  // that the application asked for
  const rt::Config config;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> log_file;  // null: stderr
  const std::shared_ptr<rt::Log> log;  // every message goes to `messengers` too
  DebugMessengers messengers;
  PhysicalDevice physical_device;
  DeviceUse device_use;
};

}  // namespace icd

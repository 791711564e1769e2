// VkInstance: the configuration, the log, and the one physical device.
#pragma once

#include <memory>

#include "icd/debug_messenger.h"
#include "icd/extensions.h"
#include "icd/handles.h"
#include "icd/physical_device.h"
#include "runtime/config.h"
#include "runtime/log.h"

namespace icd {

struct Instance : Dispatchable<Instance, VkInstance> {
  explicit Instance(const ExtensionSet& extensions);
  ~Instance();

  const ExtensionSet extensions;
  const rt::Config config;
  const std::shared_ptr<rt::Log> log;  // every message goes to `messengers` too
  DebugMessengers messengers;
  PhysicalDevice physical_device;
};

}  // namespace icd

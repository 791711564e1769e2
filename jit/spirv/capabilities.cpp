// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/capabilities.h"

#include <algorithm>
#include <iterator>

#include "jit/base/error.h"
#include "jit/spirv/spelling.h"

namespace jit::spirv {

namespace {

struct CapabilityRow {
  spv::Capability capability;
  Support support;
};

constexpr CapabilityRow kCapabilities[] = {
#define CAPABILITY(name, support) {spv::Capability::name, Support::support},
#include "jit/spirv/capabilities.def"
};

constexpr std::string_view kExtensions[] = {
#define EXTENSION(name) #name,
#include "jit/spirv/capabilities.def"
};

}  // namespace

Support supportOf(spv::Capability capability) {
  for (const CapabilityRow& row : kCapabilities)
    if (row.capability == capability) return row.support;
  return Support::No;
}

llvm::Error checkCapability(spv::Capability capability) {
  if (supportOf(capability) != Support::No) return llvm::Error::success();
  return unsupported("OpCapability " + spell(capability) +
                     " is not supported by this driver; query the device's features and use a "
                     "shader that does without");
}

llvm::Error checkExtension(std::string_view name) {
  if (std::find(std::begin(kExtensions), std::end(kExtensions), name) != std::end(kExtensions))
    return llvm::Error::success();
  return unsupported("OpExtension \"" + printable(name) + "\" is not supported by this driver");
}

}  // namespace jit::spirv

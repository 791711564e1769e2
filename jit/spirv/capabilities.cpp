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

// The others that have to do with matrices need one of these.
bool bringsMatrices(spv::Capability capability) {
  switch (capability) {
    case spv::Capability::CooperativeMatrixKHR:
    case spv::Capability::CooperativeMatrixNV:
    case spv::Capability::BFloat16CooperativeMatrixKHR:
    case spv::Capability::Float8CooperativeMatrixEXT:
      return true;
    default:
      return false;
  }
}

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

// Capabilities stand first, behind the five words of the header (SPIR-V Specification, 2.4), and
// each instruction begins with its opcode and its length in words.
bool declaresMatrices(std::span<const uint32_t> words) {
  for (size_t at = 5; at < words.size();) {
    const auto opcode = static_cast<spv::Op>(words[at] & 0xffff);
    const uint32_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at || opcode == spv::Op::OpMemoryModel) break;
    if (opcode == spv::Op::OpCapability && length == 2 &&
        bringsMatrices(static_cast<spv::Capability>(words[at + 1])))
      return true;
    at += length;
  }
  return false;
}

}  // namespace jit::spirv

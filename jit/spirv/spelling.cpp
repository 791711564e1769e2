// SPDX-License-Identifier: Apache-2.0

// The headers' utility functions are large, so they are instantiated only here.
#define SPV_ENABLE_UTILITY_CODE
#include "jit/spirv/spelling.h"

#include "jit/spirv/internal_ops.h"

namespace jit::spirv {

namespace {

constexpr size_t kMaxPrintable = 80;

// The headers answer "Unknown" for what they do not know.
std::string nameOr(const char* name, const char* kind, uint32_t value) {
  if (std::string_view(name) != "Unknown") return name;
  return std::string(kind) + " " + std::to_string(value);
}

}  // namespace

std::string spell(spv::Op op) {
  if (const auto internal = internalOp(op)) return std::string(nameOf(*internal));
  return nameOr(spv::OpToString(op), "opcode", static_cast<uint32_t>(op));
}

std::string spell(spv::Capability capability) {
  return nameOr(spv::CapabilityToString(capability), "capability",
                static_cast<uint32_t>(capability));
}

std::string spell(spv::ExecutionMode mode) {
  return nameOr(spv::ExecutionModeToString(mode), "execution mode", static_cast<uint32_t>(mode));
}

std::string spell(spv::ExecutionModel model) {
  return nameOr(spv::ExecutionModelToString(model), "execution model",
                static_cast<uint32_t>(model));
}

std::string spell(spv::StorageClass storage) {
  return nameOr(spv::StorageClassToString(storage), "storage class",
                static_cast<uint32_t>(storage));
}

std::string printable(std::string_view text) {
  const bool cut = text.size() > kMaxPrintable;
  std::string result(text.substr(0, kMaxPrintable));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return cut ? result + "..." : result;
}

}  // namespace jit::spirv

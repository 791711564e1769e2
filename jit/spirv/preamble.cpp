// SPDX-License-Identifier: Apache-2.0

// What a module says before its types: capabilities, extensions, names, entry points and their
// execution modes.
#include <algorithm>

#include "jit/base/debug.h"
#include "jit/base/error.h"
#include "jit/spirv/capabilities.h"
#include "jit/spirv/reading.h"
#include "jit/spirv/spelling.h"

namespace jit::spirv {

namespace {

llvm::Error readMemoryModel(Module& module, const RawInstruction& raw) {
  if (raw.operands.size() < 2) return malformed("OpMemoryModel lacks operands");
  module.addressing_model = static_cast<spv::AddressingModel>(raw.operands[0]);
  module.memory_model = static_cast<spv::MemoryModel>(raw.operands[1]);
  if (module.addressing_model != spv::AddressingModel::Logical &&
      module.addressing_model != spv::AddressingModel::PhysicalStorageBuffer64)
    return unsupported("OpMemoryModel: addressing model " + std::to_string(raw.operands[0]) +
                       " is not supported; Logical and PhysicalStorageBuffer64 are");
  if (module.memory_model != spv::MemoryModel::GLSL450 &&
      module.memory_model != spv::MemoryModel::Vulkan)
    return unsupported("OpMemoryModel: memory model " + std::to_string(raw.operands[1]) +
                       " is not supported; GLSL450 and Vulkan are");
  return llvm::Error::success();
}

bool isFloatMode(spv::ExecutionMode mode) {
  switch (mode) {
    case spv::ExecutionMode::DenormPreserve:
    case spv::ExecutionMode::DenormFlushToZero:
    case spv::ExecutionMode::SignedZeroInfNanPreserve:
    case spv::ExecutionMode::RoundingModeRTE:
    case spv::ExecutionMode::RoundingModeRTZ:
      return true;
    default:
      return false;
  }
}

llvm::Error readDerivativeGroup(Module& module, DerivativeGroup group) {
  if (module.derivative_group != DerivativeGroup::None && module.derivative_group != group)
    return malformed(
        "an entry point with both DerivativeGroupLinearKHR and "
        "DerivativeGroupQuadsKHR");
  module.derivative_group = group;
  return llvm::Error::success();
}

// Vulkan Specification, VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151 and
// -DerivativeGroupLinearKHR-10152. The validator does not know specialized sizes.
llvm::Error checkDerivativeGroup(const Module& module) {
  const auto& [x, y, z] = module.workgroup_size;
  const std::string size =
      std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z);
  if (module.derivative_group == DerivativeGroup::Quads && (x % 2 != 0 || y % 2 != 0))
    return malformed(
        "DerivativeGroupQuadsKHR needs a workgroup whose first two dimensions are "
        "multiples of 2; it is " +
        size);
  if (module.derivative_group == DerivativeGroup::Linear && uint64_t{x} * y % 4 * z % 4 != 0)
    return malformed(
        "DerivativeGroupLinearKHR needs a multiple of 4 invocations in a workgroup; "
        "it is " +
        size);
  return llvm::Error::success();
}

llvm::Error readExecutionMode(Reading& reading, const RawInstruction& raw) {
  Module& module = reading.module;
  const auto mode = static_cast<spv::ExecutionMode>(raw.operands[1]);
  const auto arguments = raw.operands.subspan(2);
  if (isFloatMode(mode)) return llvm::Error::success();  // readFloatModes
  switch (mode) {
    case spv::ExecutionMode::LocalSize:  // workgroupSize
    case spv::ExecutionMode::LocalSizeId:
      return llvm::Error::success();
    case spv::ExecutionMode::FPFastMathDefault: {
      if (arguments.size() < 2) return malformed("FPFastMathDefault needs a type and flags");
      llvm::Expected<const Type*> type = reading.type(arguments[0]);
      if (!type) return type.takeError();
      llvm::Expected<uint64_t> flags = reading.integer(arguments[1]);
      if (!flags) return flags.takeError();
      module.fast_math_defaults[*type] = static_cast<uint32_t>(*flags);
      return llvm::Error::success();
    }
    case spv::ExecutionMode::DerivativeGroupLinearKHR:
      return readDerivativeGroup(module, DerivativeGroup::Linear);
    case spv::ExecutionMode::DerivativeGroupQuadsKHR:
      return readDerivativeGroup(module, DerivativeGroup::Quads);
    // Promises and wishes that emission in structured order keeps anyway.
    case spv::ExecutionMode::SubgroupUniformControlFlowKHR:
    case spv::ExecutionMode::MaximallyReconvergesKHR:
    case spv::ExecutionMode::QuadDerivativesKHR:
    case spv::ExecutionMode::LocalSizeHint:
    case spv::ExecutionMode::Shader64BitIndexingEXT:  // addresses always have 64 bits
      return llvm::Error::success();
    default:
      return unsupported("OpExecutionMode " + spell(mode) + " is not supported by this driver");
  }
}

template <typename Visit>
llvm::Error forEachExecutionMode(const Reading& reading, Visit visit) {
  for (const RawInstruction& raw : reading.binary.instructions()) {
    if (raw.op == spv::Op::OpFunction) break;
    if (raw.op != spv::Op::OpExecutionMode && raw.op != spv::Op::OpExecutionModeId) continue;
    if (raw.operands.size() < 2 || raw.operands[0] != reading.entry) continue;
    if (llvm::Error error = visit(raw)) return error;
  }
  return llvm::Error::success();
}

// What LocalSize and LocalSizeId say.
llvm::Error readLocalSize(const Reading& reading, const RawInstruction& raw, WorkgroupSize& size) {
  const auto mode = static_cast<spv::ExecutionMode>(raw.operands[1]);
  const auto arguments = raw.operands.subspan(2);
  if (mode != spv::ExecutionMode::LocalSize && mode != spv::ExecutionMode::LocalSizeId)
    return llvm::Error::success();
  if (arguments.size() < 3) return malformed(spell(mode) + " needs three sizes");
  for (size_t i = 0; i < 3; ++i) {
    if (mode == spv::ExecutionMode::LocalSize) {
      size[i] = arguments[i];
      continue;
    }
    llvm::Expected<uint32_t> length =
        reading.integerBetween(arguments[i], 1, UINT32_MAX, "workgroup size");
    if (!length) return length.takeError();
    size[i] = *length;
  }
  return llvm::Error::success();
}

// The WorkgroupSize built-in, which outranks the execution modes, where there is one.
llvm::Error readWorkgroupSizeBuiltin(const Reading& reading, WorkgroupSize& size) {
  for (const auto& [id, decorations] : reading.module.decorations) {
    if (decorations.builtin != spv::BuiltIn::WorkgroupSize) continue;
    llvm::Expected<const Constant*> constant = reading.constant(id);
    if (!constant) return constant.takeError();
    if ((*constant)->leaves.size() != 3 || (*constant)->type->scalar()->kind != TypeKind::Int)
      return malformed(reading.module.describe(id) +
                       " is WorkgroupSize, but not a vector of three integers");
    for (size_t i = 0; i < 3; ++i)
      size[i] = static_cast<uint32_t>(std::min<uint64_t>((*constant)->leaves[i], UINT32_MAX));
    return llvm::Error::success();
  }
  return llvm::Error::success();
}

}  // namespace

llvm::Error readPreamble(Reading& reading) {
  Module& module = reading.module;
  for (const RawInstruction& raw : reading.binary.instructions()) {
    const auto operands = raw.operands;
    switch (raw.op) {
      case spv::Op::OpCapability: {
        if (operands.empty()) return malformed("OpCapability lacks its capability");
        const auto capability = static_cast<spv::Capability>(operands[0]);
        if (llvm::Error error = checkCapability(capability)) return error;
        module.capabilities.push_back(capability);
        break;
      }
      case spv::Op::OpExtension: {
        std::string name = literalString(operands, 0);
        if (llvm::Error error = checkExtension(name)) return error;
        module.extensions.push_back(std::move(name));
        break;
      }
      case spv::Op::OpMemoryModel:
        if (llvm::Error error = readMemoryModel(module, raw)) return error;
        break;
      case spv::Op::OpString:
        module.strings[raw.result] = literalString(operands, 0);
        break;
      case spv::Op::OpExtInstImport:
        module.extended_instruction_sets[raw.result] = literalString(operands, 0);
        break;
      case spv::Op::OpName:
        if (!operands.empty()) module.names[operands[0]] = literalString(operands, 1);
        break;
      case spv::Op::OpMemberName:
        if (operands.size() >= 2 && reading.request.checks.has(kDebug))
          module.debug.member_names[operands[0]][operands[1]] = literalString(operands, 2);
        break;
      case spv::Op::OpFunction:
        return llvm::Error::success();
      default:
        break;
    }
  }
  return llvm::Error::success();
}

llvm::Expected<Id> findEntryPoint(const Reading& reading) {
  std::string available, others;
  for (const RawInstruction& raw : reading.binary.instructions()) {
    if (raw.op == spv::Op::OpFunction) break;
    if (raw.op != spv::Op::OpEntryPoint || raw.operands.size() < 3) continue;
    const auto model = static_cast<spv::ExecutionModel>(raw.operands[0]);
    const std::string name = literalString(raw.operands, 2);
    const std::string quoted = "\"" + printable(name) + "\"";
    if (model != spv::ExecutionModel::GLCompute) {
      others += (others.empty() ? "" : ", ") + spell(model) + " " + quoted;
      continue;
    }
    if (name == reading.request.entry_point) return raw.operands[1];
    available += (available.empty() ? "" : ", ") + quoted;
  }
  std::string what = "it has none at all";
  if (!others.empty())
    what = "it has entry points of other execution models only (" + others +
           "), and this device runs GLCompute";
  if (!available.empty()) what = "it has " + available;
  return malformed("the module has no compute entry point \"" +
                   printable(reading.request.entry_point) + "\"; " + what);
}

llvm::Error readFloatModes(Reading& reading) {
  return forEachExecutionMode(reading, [&](const RawInstruction& raw) -> llvm::Error {
    const auto mode = static_cast<spv::ExecutionMode>(raw.operands[1]);
    if (!isFloatMode(mode)) return llvm::Error::success();
    if (raw.operands.size() < 3) return malformed(spell(mode) + " needs a width");
    reading.module.float_modes.emplace_back(mode, raw.operands[2]);
    return llvm::Error::success();
  });
}

llvm::Expected<WorkgroupSize> workgroupSize(const Reading& reading) {
  WorkgroupSize size{1, 1, 1};
  llvm::Error error = forEachExecutionMode(
      reading, [&](const RawInstruction& raw) { return readLocalSize(reading, raw, size); });
  if (error) return error;
  if (llvm::Error error = readWorkgroupSizeBuiltin(reading, size)) return error;
  if (std::find(size.begin(), size.end(), 0u) != size.end())
    return malformed("the workgroup size " + std::to_string(size[0]) + " x " +
                     std::to_string(size[1]) + " x " + std::to_string(size[2]) +
                     " has a dimension without invocations");
  return size;
}

uint32_t invocationsOf(const WorkgroupSize& size) {
  uint64_t count = 1;
  for (uint32_t length : size) count = std::min<uint64_t>(count * length, UINT32_MAX);
  return static_cast<uint32_t>(count);
}

llvm::Error readExecutionModes(Reading& reading) {
  llvm::Error error = forEachExecutionMode(
      reading, [&](const RawInstruction& raw) { return readExecutionMode(reading, raw); });
  if (error) return error;
  llvm::Expected<WorkgroupSize> size = workgroupSize(reading);
  if (!size) return size.takeError();
  reading.module.workgroup_size = *size;
  return checkDerivativeGroup(reading.module);
}

}  // namespace jit::spirv

// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/module.h"

#include <algorithm>

#include "jit/base/debug.h"
#include "jit/base/error.h"
#include "jit/spirv/constant_tables.h"
#include "jit/spirv/debug_variables.h"
#include "jit/spirv/matrix_calls.h"
#include "jit/spirv/matrix_scopes.h"
#include "jit/spirv/reading.h"
#include "jit/spirv/tensor_access.h"
#include "jit/spirv/types.h"
#include "jit/spirv/unassigned.h"
#include "jit/spirv/validator_form.h"

namespace jit::spirv {

// Linearization keeps a bit for each pair of blocks.
static constexpr size_t kMaxBlocks = 1 << 15;

std::vector<Id> Block::successors() const {
  const auto operands = terminator.operands;
  switch (terminator.op) {
    case spv::Op::OpBranch:
      return {operands[0]};
    case spv::Op::OpBranchConditional:
      return {operands[1], operands[2]};
    case spv::Op::OpSwitch: {
      std::vector<Id> labels{operands[1]};
      const size_t literal_words = terminator.type->width > 32 ? 2 : 1;
      for (size_t i = 2; i + literal_words < operands.size(); i += literal_words + 1)
        labels.push_back(operands[i + literal_words]);
      return labels;
    }
    default:
      return {};
  }
}

bool Module::has(spv::Capability capability) const {
  return std::find(capabilities.begin(), capabilities.end(), capability) != capabilities.end();
}

bool Module::hasFloatMode(spv::ExecutionMode mode, uint32_t width) const {
  return std::find(float_modes.begin(), float_modes.end(), std::pair(mode, width)) !=
         float_modes.end();
}

std::optional<uint32_t> Module::fastMath(const Instruction& instruction) const {
  if (const auto& own = decorated(instruction.result).fast_math) return own;
  if (instruction.type == nullptr) return std::nullopt;
  auto found = fast_math_defaults.find(instruction.type->scalar());
  return found == fast_math_defaults.end() ? std::nullopt : std::optional(found->second);
}

const Decorations& Module::decorated(Id id) const {
  static const Decorations none;
  auto found = decorations.find(id);
  return found == decorations.end() ? none : found->second;
}

const Constant* Module::constant(Id id) const {
  auto found = constants.find(id);
  return found == constants.end() ? nullptr : &found->second;
}

// What stands before the functions, after the preamble.
static llvm::Error readGlobals(Reading& reading) {
  llvm::Expected<Annotations> annotations = Annotations::read(reading.binary, reading.module);
  if (!annotations) return annotations.takeError();
  reading.annotations = std::move(*annotations);
  llvm::Expected<Id> entry = findEntryPoint(reading);
  if (!entry) return entry.takeError();
  reading.entry = *entry;
  if (llvm::Error error = readFloatModes(reading)) return error;
  if (llvm::Error error = readDeclarations(reading)) return error;
  return readExecutionModes(reading);
}

// The same, of a module that the validator finds right.
static llvm::Error readValidGlobals(Reading& reading, std::span<const uint32_t> words) {
  llvm::Error invalid = validate(words);
  if (!invalid) return readGlobals(reading);
  if (!mayBeMisjudged(reading)) return invalid;
  if (llvm::Error error = readGlobals(reading)) {
    llvm::consumeError(std::move(error));
    return invalid;
  }
  llvm::consumeError(std::move(invalid));
  return validate(formForValidator(reading));
}

// Invocations that abort are gone, as those that return from the entry point: not as those of which
// the module promises that there are none.
static void endAtAborts(Function& entry) {
  for (Block& block : entry.blocks) {
    if (!block.instructions.empty() && block.instructions.back().op == spv::Op::OpAbortKHR)
      block.terminator.op = spv::Op::OpReturn;
  }
}

llvm::Expected<std::unique_ptr<Module>> readModule(const KernelRequest& request) {
  auto module = std::make_unique<Module>();
  module->words.emplace_back(request.spirv.begin(), request.spirv.end());
  const std::span<const uint32_t> words = module->words.front();
  llvm::Expected<Binary> binary = Binary::parse(words);
  if (!binary) return binary.takeError();
  module->version = binary->version();
  module->bound = binary->bound();
  module->entry_name = request.entry_point;

  Reading reading(request, std::move(*binary), *module);
  // What the driver lacks is named before the validator, which knows only some of it, complains.
  if (llvm::Error error = readPreamble(reading)) return error;
  if (llvm::Error error = checkTypeExtents(reading.binary)) return error;
  if (llvm::Error error = checkDecodeFunctions(reading)) return error;
  if (llvm::Error error = checkStoredMatrices(reading)) return error;
  if (llvm::Error error = readValidGlobals(reading, words)) return error;
  std::unordered_set<Id> used;
  auto functions = readFunctions(reading, reading.entry, used);
  if (!functions) return functions.takeError();
  // A variable that initialises another one stands before it.
  for (auto variable = module->variables.rbegin(); variable != module->variables.rend(); ++variable)
    if (used.contains(variable->id)) used.insert(variable->initializer);
  std::erase_if(module->variables,
                [&](const Variable& variable) { return !used.contains(variable.id); });
  if (llvm::Error error = writeMatrixCalls(reading, *functions)) return error;
  llvm::Expected<Function> function = inlineCalls(reading, *functions, reading.entry);
  if (!function) return function.takeError();
  module->entry = std::move(*function);
  endAtAborts(module->entry);
  if (request.checks.has(kDebug)) findDebugVariables(reading);
  dropUnreachableBlocks(*module);
  writePreheaders(*module);
  if (llvm::Error error = checkMatrixScopes(*module, request)) return error;
  if (const size_t blocks = module->entry.blocks.size(); blocks > kMaxBlocks)
    return unsupported("function " + module->describe(reading.entry) + " has " +
                       std::to_string(blocks) + " blocks with all its calls; at most " +
                       std::to_string(kMaxBlocks) +
                       " are supported: split the shader, or turn repeated code into loops");
  findConstantTables(*module);
  markUnassigned(*module);
  return module;
}

}  // namespace jit::spirv

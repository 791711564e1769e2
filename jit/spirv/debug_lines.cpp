// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/debug_lines.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <string>
#include <string_view>

namespace jit::spirv {

namespace {

constexpr std::string_view kNonSemantic = "NonSemantic.";
constexpr std::string_view kDebugPrintf = "NonSemantic.DebugPrintf";
constexpr std::string_view kDebugBreak = "NonSemantic.DebugBreak";
constexpr std::string_view kShaderDebugInfo = "NonSemantic.Shader.DebugInfo";
constexpr std::string_view kOpenClDebugInfo = "OpenCL.DebugInfo.100";  // lines are OpLine there

}  // namespace

bool DebugLines::read(const RawInstruction& raw) {
  if (raw.op == spv::Op::OpLine) {
    if (raw.operands.size() >= 3)
      location_ = {raw.operands[0], raw.operands[1], raw.operands[2], location_.call};
    return true;
  }
  if (raw.op == spv::Op::OpNoLine) {
    location_ = {.call = location_.call};
    return true;
  }
  if (raw.op != spv::Op::OpExtInst || raw.operands.size() < 2) return false;
  auto set = reading_.module.extended_instruction_sets.find(raw.operands[0]);
  if (set == reading_.module.extended_instruction_sets.end()) return false;
  if (set->second.starts_with(kShaderDebugInfo)) {
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugLine)
      readDebugLine(raw.operands.subspan(2));
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugNoLine)
      location_ = {.call = location_.call};
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugScope)
      readScope(raw.operands.subspan(2));
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugNoScope) location_.call = 0;
  }
  // Of these only two do something.
  if (set->second == kDebugPrintf || set->second == kDebugBreak) return false;
  return set->second.starts_with(kNonSemantic) || set->second == kOpenClDebugInfo;
}

// Source, first line, last line, first column, last column: ids.
void DebugLines::readDebugLine(std::span<const uint32_t> arguments) {
  if (arguments.size() < 5) return;
  location_ = {fileOf(arguments[0]), number(arguments[1]), number(arguments[3]), location_.call};
}

// Scope and, where an optimizer has inlined the code, a DebugInlinedAt.
void DebugLines::readScope(std::span<const uint32_t> arguments) {
  location_.call = arguments.size() >= 2 ? inlinedCall(arguments[1], arguments[0], 0) : 0;
}

// Line, scope and, where that has been inlined too, another DebugInlinedAt; `scope` is that of the
// code.
uint32_t DebugLines::inlinedCall(Id inlined_at, Id scope, int depth) {
  constexpr int kMostCalls = 64;
  const RawInstruction* raw =
      debugInstruction(inlined_at, NonSemanticShaderDebugInfo100DebugInlinedAt);
  if (raw == nullptr || raw->operands.size() < 4 || depth == kMostCalls) return 0;
  auto known = inlined_calls_.find({inlined_at, scope});
  if (known != inlined_calls_.end()) return known->second;
  const Id caller = raw->operands[3];
  const uint32_t outer =
      raw->operands.size() >= 5 ? inlinedCall(raw->operands[4], caller, depth + 1) : 0;
  auto& calls = reading_.module.inlined_calls;
  calls.push_back({{fileOfScope(caller), number(raw->operands[2]), 0, outer}, functionOf(scope)});
  return inlined_calls_[{inlined_at, scope}] = static_cast<uint32_t>(calls.size());
}

const RawInstruction* DebugLines::debugInstruction(Id id, uint32_t number) const {
  const RawInstruction* raw = reading_.binary.definition(id);
  const bool is_it = raw != nullptr && raw->op == spv::Op::OpExtInst && raw->operands.size() >= 2 &&
                     raw->operands[1] == number;
  return is_it ? raw : nullptr;
}

// The scope, or the block's around it that is a function.
std::string DebugLines::functionOf(Id scope) const {
  constexpr int kMostBlocks = 256;
  for (int depth = 0; depth < kMostBlocks; ++depth) {
    if (auto* function = debugInstruction(scope, NonSemanticShaderDebugInfo100DebugFunction)) {
      if (function->operands.size() < 3) return {};
      auto name = reading_.module.strings.find(function->operands[2]);
      return name == reading_.module.strings.end() ? std::string() : name->second;
    }
    auto* block = debugInstruction(scope, NonSemanticShaderDebugInfo100DebugLexicalBlock);
    if (block == nullptr || block->operands.size() < 6) return {};
    scope = block->operands[5];
  }
  return {};
}

// Name, type, source, ... of a function; source, line, column, parent of a block.
Id DebugLines::fileOfScope(Id scope) const {
  if (auto* function = debugInstruction(scope, NonSemanticShaderDebugInfo100DebugFunction))
    return function->operands.size() > 4 ? fileOf(function->operands[4]) : 0;
  auto* block = debugInstruction(scope, NonSemanticShaderDebugInfo100DebugLexicalBlock);
  return block != nullptr && block->operands.size() > 2 ? fileOf(block->operands[2]) : 0;
}

// The OpString with the name of the file that a DebugSource describes; 0 when it is none.
Id DebugLines::fileOf(Id source) const {
  const RawInstruction* definition = reading_.binary.definition(source);
  if (!definition || definition->op != spv::Op::OpExtInst || definition->operands.size() < 3 ||
      definition->operands[1] != NonSemanticShaderDebugInfo100DebugSource)
    return 0;
  return definition->operands[2];
}

uint32_t DebugLines::number(Id constant) const {
  const Constant* value = reading_.module.constant(constant);
  return value && !value->leaves.empty() ? static_cast<uint32_t>(value->leaves[0]) : 0;
}

}  // namespace jit::spirv

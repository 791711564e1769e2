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
constexpr std::string_view kOpenClDebugInfo = "OpenCL.DebugInfo.100";  // lines are OpLine there

}  // namespace

bool DebugLines::read(const RawInstruction& raw) {
  if (raw.op == spv::Op::OpLine) {
    if (raw.operands.size() >= 3)
      location_ = located(raw.operands[0], raw.operands[1], raw.operands[2]);
    return true;
  }
  if (raw.op == spv::Op::OpNoLine) {
    location_ = located(0, 0, 0);
    return true;
  }
  if (raw.op != spv::Op::OpExtInst || raw.operands.size() < 2) return false;
  auto set = reading_.module.extended_instruction_sets.find(raw.operands[0]);
  if (set == reading_.module.extended_instruction_sets.end()) return false;
  if (info_.has(raw)) {
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugLine)
      readDebugLine(raw.operands.subspan(2));
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugNoLine) location_ = located(0, 0, 0);
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugScope)
      readScope(raw.operands.subspan(2));
    if (raw.operands[1] == NonSemanticShaderDebugInfo100DebugNoScope)
      location_.call = location_.scope = 0;
  }
  // Of these only two do something.
  if (set->second == kDebugPrintf || set->second == kDebugBreak) return false;
  return set->second.starts_with(kNonSemantic) || set->second == kOpenClDebugInfo;
}

// A place in the code of the current scope.
Location DebugLines::located(Id file, uint32_t line, uint32_t column) const {
  return {.file = file,
          .line = line,
          .column = column,
          .call = location_.call,
          .scope = location_.scope};
}

// Source, first line, last line, first column, last column: ids.
void DebugLines::readDebugLine(std::span<const uint32_t> arguments) {
  if (arguments.size() < 5) return;
  location_ =
      located(info_.fileOf(arguments[0]), info_.number(arguments[1]), info_.number(arguments[3]));
}

// Scope and, where an optimizer has inlined the code, a DebugInlinedAt.
void DebugLines::readScope(std::span<const uint32_t> arguments) {
  location_.scope = arguments.empty() ? 0 : arguments[0];
  location_.call = arguments.size() >= 2 ? inlinedCall(arguments[1], arguments[0], 0) : 0;
}

// Line, scope and, where that has been inlined too, another DebugInlinedAt; `scope` is that of the
// code.
uint32_t DebugLines::inlinedCall(Id inlined_at, Id scope, int depth) {
  constexpr int kMostCalls = 64;
  const RawInstruction* raw = info_.find(inlined_at, NonSemanticShaderDebugInfo100DebugInlinedAt);
  if (raw == nullptr || raw->operands.size() < 4 || depth == kMostCalls) return 0;
  auto known = inlined_calls_.find({inlined_at, scope});
  if (known != inlined_calls_.end()) return known->second;
  const Id caller = raw->operands[3];
  const uint32_t outer =
      raw->operands.size() >= 5 ? inlinedCall(raw->operands[4], caller, depth + 1) : 0;
  auto& calls = reading_.module.inlined_calls;
  calls.push_back({{.file = fileOfScope(caller),
                    .line = info_.number(raw->operands[2]),
                    .call = outer,
                    .scope = caller},
                   functionOf(scope)});
  return inlined_calls_[{inlined_at, scope}] = static_cast<uint32_t>(calls.size());
}

// The scope, or the block's around it that is a function.
std::string DebugLines::functionOf(Id scope) const {
  constexpr int kMostBlocks = 256;
  for (int depth = 0; depth < kMostBlocks; ++depth) {
    if (auto* function = info_.find(scope, NonSemanticShaderDebugInfo100DebugFunction)) {
      if (function->operands.size() < 3) return {};
      return info_.text(function->operands[2]);
    }
    auto* block = info_.find(scope, NonSemanticShaderDebugInfo100DebugLexicalBlock);
    if (block == nullptr || block->operands.size() < 6) return {};
    scope = block->operands[5];
  }
  return {};
}

// Name, type, source, ... of a function; source, line, column, parent of a block.
Id DebugLines::fileOfScope(Id scope) const {
  if (auto* function = info_.find(scope, NonSemanticShaderDebugInfo100DebugFunction))
    return function->operands.size() > 4 ? info_.fileOf(function->operands[4]) : 0;
  auto* block = info_.find(scope, NonSemanticShaderDebugInfo100DebugLexicalBlock);
  return block != nullptr && block->operands.size() > 2 ? info_.fileOf(block->operands[2]) : 0;
}

}  // namespace jit::spirv

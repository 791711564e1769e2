// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/validator_form.h"

#include <algorithm>

#include "jit/spirv/constants.h"
#include "jit/spirv/shader_debug_info.h"

namespace jit::spirv {

namespace {

constexpr uint32_t kVersion14 = 0x00010400;

bool isSpecialized(spv::Op op) {
  return op == spv::Op::OpSpecConstant || op == spv::Op::OpSpecConstantTrue ||
         op == spv::Op::OpSpecConstantFalse || op == spv::Op::OpSpecConstantOp;
}

const RawInstruction* definitionOf(const Binary& binary, std::span<const uint32_t> operands,
                                   size_t index) {
  return index < operands.size() ? binary.definition(operands[index]) : nullptr;
}

bool defines(const Binary& binary, Id id, spv::Op op) {
  const RawInstruction* definition = binary.definition(id);
  return definition != nullptr && definition->op == op;
}

bool selectsMatrix(const Binary& binary, const RawInstruction& raw) {
  return raw.op == spv::Op::OpSelect &&
         (defines(binary, raw.type, spv::Op::OpTypeCooperativeMatrixKHR) ||
          defines(binary, raw.type, spv::Op::OpTypeCooperativeMatrixNV));
}

// The rules of OpSelect for composites other than vectors.
bool isRightSelection(const Binary& binary, const RawInstruction& raw) {
  const RawInstruction* condition = definitionOf(binary, raw.operands, 0);
  const RawInstruction* a = definitionOf(binary, raw.operands, 1);
  const RawInstruction* b = definitionOf(binary, raw.operands, 2);
  return binary.version() >= kVersion14 && condition && a && b &&
         defines(binary, condition->type, spv::Op::OpTypeBool) && a->type == raw.type &&
         b->type == raw.type;
}

void append(std::vector<uint32_t>& words, spv::Op op, std::initializer_list<uint32_t> operands) {
  const auto count = static_cast<uint32_t>(operands.size() + 1);
  words.push_back(count << 16 | static_cast<uint32_t>(op));
  words.insert(words.end(), operands);
}

// A scalar constant with its value; false where `raw` is none.
bool appendValue(std::vector<uint32_t>& words, const RawInstruction& raw, const Module& module) {
  const Constant* constant = module.constant(raw.result);
  if (!isSpecialized(raw.op) || constant == nullptr) return false;
  const Type& type = *constant->type;
  const auto low = static_cast<uint32_t>(constant->leaves[0]);
  const auto high = static_cast<uint32_t>(constant->leaves[0] >> 32);
  if (type.kind == TypeKind::Bool)
    append(words, low != 0 ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse,
           {raw.type, raw.result});
  else if (type.kind != TypeKind::Int && type.kind != TypeKind::Float)
    return false;
  else if (type.width > 32)
    append(words, spv::Op::OpConstant, {raw.type, raw.result, low, high});
  else if (type.kind == TypeKind::Int && type.is_signed)  // a literal is sign-extended
    append(
        words, spv::Op::OpConstant,
        {raw.type, raw.result, static_cast<uint32_t>(signExtend(constant->leaves[0], type.width))});
  else
    append(words, spv::Op::OpConstant, {raw.type, raw.result, low});
  return true;
}

}  // namespace

bool mayBeMisjudged(const Reading& reading) {
  const Binary& binary = reading.binary;
  const ShaderDebugInfo debug_info(reading);
  return std::ranges::any_of(binary.instructions(), [&](const RawInstruction& raw) {
    if (selectsMatrix(binary, raw) || debug_info.has(raw)) return true;
    if (raw.op != spv::Op::OpTypeCooperativeMatrixKHR) return false;
    const RawInstruction* use = definitionOf(binary, raw.operands, 4);
    return use != nullptr && isSpecialized(use->op);
  });
}

std::vector<uint32_t> formForValidator(const Reading& reading) {
  const std::span<const uint32_t> words = reading.module.words.front();
  const auto instructions = reading.binary.instructions();
  const ShaderDebugInfo debug_info(reading);
  std::vector<uint32_t> form(words.begin(), words.begin() + instructions.front().word);
  for (const RawInstruction& raw : instructions) {
    const bool decorates_constant =
        raw.op == spv::Op::OpDecorate && raw.operands.size() > 1 &&
        static_cast<spv::Decoration>(raw.operands[1]) == spv::Decoration::SpecId;
    if (debug_info.has(raw) || decorates_constant || appendValue(form, raw, reading.module))
      continue;
    if (selectsMatrix(reading.binary, raw) && isRightSelection(reading.binary, raw)) {
      append(form, spv::Op::OpCopyObject, {raw.type, raw.result, raw.operands[1]});
      continue;
    }
    const ptrdiff_t count = words[raw.word] >> 16;
    form.insert(form.end(), words.begin() + raw.word, words.begin() + raw.word + count);
  }
  return form;
}

}  // namespace jit::spirv

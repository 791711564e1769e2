// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/annotations.h"

#include <vector>

#include "jit/base/error.h"

namespace jit::spirv {

namespace {

// Groups multiply targets by decorations, so a small module can ask for very many.
constexpr uint64_t kMaxDecorations = 1 << 20;

uint64_t memberKey(Id structure, uint32_t index) { return uint64_t{structure} << 32 | index; }

}  // namespace

llvm::Expected<Annotations> Annotations::read(const Binary& binary, Module& module) {
  Annotations annotations;
  // Groups are decorated before they are applied.
  std::unordered_map<Id, std::vector<Decoration>> groups;
  for (const RawInstruction& raw : binary.instructions())
    if (raw.op == spv::Op::OpDecorationGroup) groups[raw.result];

  uint64_t applied = 0;
  for (const RawInstruction& raw : binary.instructions()) {
    const auto operands = raw.operands;
    switch (raw.op) {
      case spv::Op::OpDecorate: {
        if (operands.size() < 2) return malformed("OpDecorate without a decoration");
        Decoration decoration{static_cast<spv::Decoration>(operands[1]), operands.subspan(2)};
        if (auto group = groups.find(operands[0]); group != groups.end())
          group->second.push_back(decoration);
        else
          annotations.apply(module, operands[0], decoration);
        break;
      }
      case spv::Op::OpMemberDecorate:
        if (operands.size() < 3) return malformed("OpMemberDecorate without a decoration");
        annotations.applyToMember(operands[0], operands[1],
                                  {static_cast<spv::Decoration>(operands[2]), operands.subspan(3)});
        break;
      case spv::Op::OpGroupDecorate:
      case spv::Op::OpGroupMemberDecorate: {
        if (operands.empty()) return malformed("a group decoration without a group");
        auto group = groups.find(operands[0]);
        if (group == groups.end())
          return malformed(module.describe(operands[0]) + " is not an OpDecorationGroup");
        const bool of_members = raw.op == spv::Op::OpGroupMemberDecorate;
        const size_t step = of_members ? 2 : 1;
        applied += operands.size() / step * group->second.size();
        if (applied > kMaxDecorations)
          return unsupported("decoration groups apply more than " +
                             std::to_string(kMaxDecorations) + " decorations");
        for (size_t i = 1; i + step <= operands.size(); i += step)
          for (const Decoration& decoration : group->second) {
            if (of_members)
              annotations.applyToMember(operands[i], operands[i + 1], decoration);
            else
              annotations.apply(module, operands[i], decoration);
          }
        break;
      }
      default:
        // OpDecorateId and OpDecorateString carry nothing that a compute shader's code depends
        // on: uniformity scopes are hints, strings are for other tools.
        break;
    }
    if (raw.op == spv::Op::OpFunction) break;
  }
  return annotations;
}

void Annotations::apply(Module& module, Id target, const Decoration& decoration) {
  const bool has_argument = !decoration.arguments.empty();
  const uint32_t argument = has_argument ? decoration.arguments[0] : 0;
  Decorations& d = module.decorations[target];
  switch (decoration.kind) {
    case spv::Decoration::BuiltIn:
      d.builtin = static_cast<spv::BuiltIn>(argument);
      break;
    case spv::Decoration::DescriptorSet:
      d.set = argument;
      break;
    case spv::Decoration::Binding:
      d.binding = argument;
      break;
    case spv::Decoration::SpecId:
      d.spec_id = argument;
      break;
    case spv::Decoration::Alignment:
      d.alignment = argument;
      break;
    case spv::Decoration::FPRoundingMode:
      d.rounding_mode = static_cast<spv::FPRoundingMode>(argument);
      break;
    case spv::Decoration::FPFastMathMode:
      d.fast_math = argument;
      break;
    case spv::Decoration::NonWritable:
      d.non_writable = true;
      break;
    case spv::Decoration::NonReadable:
      d.non_readable = true;
      break;
    case spv::Decoration::Volatile:
      d.is_volatile = true;
      break;
    case spv::Decoration::Coherent:
      d.coherent = true;
      break;
    case spv::Decoration::Restrict:
    case spv::Decoration::RestrictPointer:
      d.restrict_ = true;
      break;
    case spv::Decoration::Aliased:
    case spv::Decoration::AliasedPointer:
      d.aliased = true;
      break;
    case spv::Decoration::NoContraction:
      d.no_contraction = true;
      break;
    case spv::Decoration::RelaxedPrecision:
      d.relaxed_precision = true;
      break;
    case spv::Decoration::NonUniform:
      d.non_uniform = true;
      break;
    case spv::Decoration::SaturatedConversion:
      d.saturated_conversion = true;
      break;
    case spv::Decoration::SaturatedToLargestFloat8NormalConversionEXT:
      d.saturates_to_float8 = true;
      break;
    case spv::Decoration::CooperativeMatrixTransposeEXT:
      d.transposes = true;
      break;
    case spv::Decoration::NoSignedWrap:
      d.no_signed_wrap = true;
      break;
    case spv::Decoration::NoUnsignedWrap:
      d.no_unsigned_wrap = true;
      break;
    case spv::Decoration::ArrayStride:
      array_strides_[target] = argument;
      break;
    case spv::Decoration::Block:
      blocks_.insert(target);
      break;
    case spv::Decoration::BufferBlock:
      buffer_blocks_.insert(target);
      break;
    default:
      break;  // of other stages, or a permission that code generation does not take
  }
}

void Annotations::applyToMember(Id structure, uint32_t index, const Decoration& decoration) {
  const uint32_t argument = decoration.arguments.empty() ? 0 : decoration.arguments[0];
  Member& member = members_[memberKey(structure, index)];
  switch (decoration.kind) {
    case spv::Decoration::Offset:
      member.offset = argument;
      break;
    case spv::Decoration::MatrixStride:
      member.matrix_stride = argument;
      break;
    case spv::Decoration::RowMajor:
      member.row_major = true;
      break;
    case spv::Decoration::ColMajor:
      member.row_major = false;
      break;
    case spv::Decoration::NonWritable:
      member.non_writable = true;
      break;
    case spv::Decoration::Volatile:
      member.is_volatile = true;
      break;
    case spv::Decoration::BuiltIn:
      member.builtin = static_cast<spv::BuiltIn>(argument);
      break;
    default:
      break;
  }
}

uint32_t Annotations::arrayStride(Id type) const {
  auto found = array_strides_.find(type);
  return found == array_strides_.end() ? 0 : found->second;
}

Member Annotations::member(Id structure, uint32_t index) const {
  auto found = members_.find(memberKey(structure, index));
  return found == members_.end() ? Member{} : found->second;
}

}  // namespace jit::spirv

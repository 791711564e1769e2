// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/shadow_rules.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <unordered_map>

#include "jit/spirv/internal_ops.h"

namespace jit::spirv {

const ShadowRule* findShadowRule(spv::Op op) {
  static const std::unordered_map<uint32_t, ShadowRule> kRules = {
#define SHADOW(name, rule) {static_cast<uint32_t>(spv::Op::name), ShadowRule::rule},
#define INTERNAL_SHADOW(name, rule) \
  {static_cast<uint32_t>(opcode(InternalOp::name)), ShadowRule::rule},
#include "jit/spirv/shadow_rules.def"
  };
  const auto row = kRules.find(static_cast<uint32_t>(op));
  return row == kRules.end() ? nullptr : &row->second;
}

bool joinsComponents(uint32_t instruction) {
  switch (instruction) {
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse:
    case GLSLstd450Length:
    case GLSLstd450Distance:
    case GLSLstd450Cross:
    case GLSLstd450Normalize:
    case GLSLstd450FaceForward:
    case GLSLstd450Reflect:
    case GLSLstd450Refract:
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16:
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackSnorm4x8:
    case GLSLstd450UnpackUnorm4x8:
    case GLSLstd450UnpackSnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
    case GLSLstd450UnpackHalf2x16:
    case GLSLstd450UnpackDouble2x32:
    case GLSLstd450ModfStruct:
    case GLSLstd450FrexpStruct:
      return true;
    default:
      return false;
  }
}

}  // namespace jit::spirv

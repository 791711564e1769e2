// SPDX-License-Identifier: Apache-2.0

// Which instructions have a rule for undefined bits.
#include "jit/spirv/shadow_rules.h"

#include <gtest/gtest.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "jit/spirv/internal_ops.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/spelling.h"

namespace jit::spirv {
namespace {

// What is emitted has a row of traits (OpcodeTraits.EachEmittedOpcodeHasARow), so both tables have
// the same rows.
TEST(ShadowRules, EveryInstructionHasOne) {
  for (uint32_t number = 0; number < kFirstInternalOp; ++number) {
    const auto op = static_cast<spv::Op>(number);
    EXPECT_EQ(findTraits(op) != nullptr, findShadowRule(op) != nullptr) << spell(op);
  }
}

TEST(ShadowRules, EveryInternalInstructionHasOne) {
  for (InternalOp op : {
#define INTERNAL_OP(name) InternalOp::name,
#include "jit/spirv/internal_ops.def"
       })
    EXPECT_NE(findShadowRule(opcode(op)), nullptr) << nameOf(op);
}

TEST(ShadowRules, ExtendedInstructionsThatMixComponents) {
  EXPECT_TRUE(joinsComponents(GLSLstd450Length));
  EXPECT_TRUE(joinsComponents(GLSLstd450UnpackHalf2x16));
  EXPECT_FALSE(joinsComponents(GLSLstd450Fract));
  EXPECT_FALSE(joinsComponents(GLSLstd450FMix));
}

}  // namespace
}  // namespace jit::spirv
